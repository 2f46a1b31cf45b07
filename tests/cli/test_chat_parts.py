"""The pure parts of the conversation: what is whole in a stream, what completes, what is folded, what is painted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.formatted_text import fragment_list_to_text

from planact.cli.chat import paint
from planact.cli.chat.completion import Candidate, candidates
from planact.cli.chat.folded_calls import FoldedCalls
from planact.cli.chat.panel import Menu
from planact.cli.chat.stream import finished_length, visible_end
from planact.cli.output.line_view import edited
from planact.cli.output.own_marks import LineStarts
from planact.cli.output.prompt import MenuItem
from planact.model.notice import EditedFile, ToolNotice
from planact.workflows.chat.slash_commands import SLASH_COMMANDS

STREAMS = [
    ("", ""),
    ("one", ""),
    ("one\n\n", ""),
    ("one\n\nt", "one\n\n"),
    ("one\n\ntwo\n\nthree", "one\n\ntwo\n\n"),
    ("- a\n\n- b\n\nafter", "- a\n\n- b\n\n"),
    ("1. a\n\n   more\n\n2. b", ""),
    ("- a\n\n-", ""),
    ("1. a\n\n2", ""),
    ("a\n\n-b", "a\n\n"),
    ("```\ncode\n\nmore\n\n", ""),
    ("```py\ncode\n\nmore\n```\n\nafter", "```py\ncode\n\nmore\n```\n\n"),
    ("````\n```\n\n````\n\nafter", "````\n```\n\n````\n\n"),
]


@pytest.mark.parametrize(("text", "whole"), STREAMS)
def test_whole_blocks_are_settled(text: str, whole: str) -> None:
    assert text[: finished_length(text)] == whole


@given(st.text(alphabet="a`~-1. \n#*", max_size=80), st.data())
def test_what_is_settled_stays_so_whatever_follows(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    assert finished_length(text[:cut]) <= finished_length(text)


def test_the_end_of_long_code_is_still_code() -> None:
    text = "```py\n" + "x = 1\n" * 2_000
    assert visible_end(text).startswith("```\nx = 1\n")
    assert len(visible_end(text)) < 5_000


FILES = ["src/app.py", "src/two words.py", "tests/test_app.py", "evil\x1b[31m.py", 'quo"ted it.py', "end."]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("/mo", [Candidate("/mode ", 3), Candidate("/model ", 3)]),
        ("/plan s", [Candidate("/plan show ", 7)]),
        ("/mode p", [Candidate("plan", 1)]),
        ("/mode plan", []),
        ("say /mo", []),
        ("see @app", [Candidate("@src/app.py", 4), Candidate("@tests/test_app.py", 4)]),
        ("see @src/", [Candidate("@src/", 5), Candidate("@src/app.py", 5), Candidate('@"src/two words.py"', 5)]),
        ('see @"src/two w', [Candidate('@"src/two words.py"', 11)]),
        ("see @evil", []),
        ("see @quo", []),
        ("see @end", [Candidate('@"end."', 4)]),
        ("mail me@src", []),
        ("nothing", []),
    ],
)
def test_what_can_stand_at_the_cursor(before: str, found: list[Candidate]) -> None:
    names = {"/mode": lambda: ("plan", "act")}
    got = candidates(before, names, lambda: FILES)
    assert [Candidate(each.text, each.length) for each in got] == found


def test_every_word_of_the_table_is_offered() -> None:
    assert [each.text.strip() for each in candidates("/", {}, lambda: ())] == [word.name for word in SLASH_COMMANDS]


def test_calls_that_only_look_are_folded_and_others_are_not() -> None:
    fold = FoldedCalls()
    looks = [("read_file", "a.py"), ("read_file", "a.py"), ("read_file", "path: b.py\nfirst_line: 1")]
    looks += [("search_code", "x"), ("list_directory", "."), ("list_directory", "src")]
    assert all(fold.take(ToolNotice("s", tool, text)) for tool, text in looks)
    assert fold.text() == "read 2 files · 1 search · 2 looks around"
    for jail in ("local-read", "contain", "contain"):
        assert fold.take(ToolNotice("s", "execute_command", "ls", confinement=jail))
    assert fold.text() == "read 2 files · 1 search · 2 looks around · 1 command · 2 contained"
    for notice in (
        ToolNotice("s", "update_file", "a.py"),
        ToolNotice("s", "read_file", "no", "FILE_NOT_FOUND"),
        ToolNotice("s", "execute_command", "make", confinement="act"),
        ToolNotice("s", "execute_command", "ls", "TOOL_BLOCKED_BY_MODE", confinement="contain"),
    ):
        assert not fold.take(notice)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (EditedFile("src/a.py", 3, 3), "src/a.py +3 −3"),
        (EditedFile("new.py", 12), "new.py +12"),
        (EditedFile("old.py", 0, 2), "old.py −2"),
        (EditedFile("a.py → b.py"), "a.py → b.py"),
    ],
)
def test_an_edit_is_told_by_its_file_and_its_lines(file: EditedFile, line: str) -> None:
    assert edited(file) == line


@given(st.text(max_size=300))
def test_no_text_steers_the_terminal_and_each_line_ends_as_it_began(text: str) -> None:
    for lines in (paint.markdown(text, 40), paint.diff(text, 40), paint.styled(text, "bold", 40)):
        for line in lines:
            assert (
                re.findall(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", re.sub(r"\x1b\[[0-9;]*m", "", line)) == []
            )


@pytest.mark.parametrize(
    "text",
    [
        "[x](http://a/\x1b]8;;http://b\x07)",
        "&#27;[31m &#x9b;31m &#x202e;",
        "```diff\n+\x1b[31m\n```",
        "![image](http://127.0.0.1/x.png)",
        "<script>alert(1)</script>",
        "[red]no markup[/red] :smile:",
    ],
)
def test_markdown_of_others_is_only_text(text: str) -> None:
    written = "\n".join(paint.markdown(text, 60))
    assert re.sub(r"\x1b\[[0-9;]*m", "", written).isprintable() or "\n" in written
    assert "\x1b]" not in written


@pytest.mark.parametrize(
    "text", ["Use <b>bold</b> or <div>.", "<div>\n<p>a block</p>\n</div>", "`<i>` and <!-- a remark -->"]
)
def test_what_looks_like_html_is_shown(text: str) -> None:
    shown = "\n".join(paint.markdown(text, 80))
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text.replace("`", "")


def test_markup_of_the_library_means_nothing() -> None:
    assert paint.markdown("[red]as it is[/red] :smile:", 60) == ["[red]as it is[/red] :smile:"]
    assert paint.styled("[red]x", "", 60) == ["[red]x"]


IMITATED = [
    "**? Delete it all?**",
    "**→ Yes**",
    "&nbsp; **→ Yes**",
    "**\u200b?&#8239;Delete it all?**",
    "**\uff1f Delete it all?**",
    "plan › yes",
    "**act\xa0›** Step 1: done",
    "! planact can't write",
    "⊘ update_file: refused",
    "```\n  → Yes\n```",
    f"{'x' * 22} →Yes-and-all-of-it",
]


@pytest.mark.parametrize("text", IMITATED)
def test_a_text_of_the_models_cannot_pass_for_a_line_of_planacts(text: str) -> None:
    lines = paint.markdown(text, 24)
    shown = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    assert [line for line in shown if re.match(r"[\s\u200b]*(?:[?！？!]\s|[→⊘]|plan\s›|act\s›)", line)] == []
    assert sum("│ " in line for line in shown) == 1
    assert max(map(len, shown)) <= 24


def test_a_question_that_wraps_draws_no_other_one() -> None:
    asked = f"? {'May it be read? '.ljust(40)}→ Yes"
    assert paint.styled(f"\n{asked}\n! It is gone", "", 40) == ["", "? May it be read?", "│ → Yes", "! It is gone"]


@pytest.mark.parametrize("text", ["What?\n- yes\n- no", "a → b", "!= is no mark, ?: neither", "I plan › nothing"])
def test_other_texts_are_as_they_are(text: str) -> None:
    assert "│" not in "".join(paint.markdown(text, 80))


@given(st.lists(st.text(alphabet="? !→planct›x\n\u200b", max_size=4), max_size=12))
def test_what_streams_is_set_apart_as_if_it_came_at_once(pieces: list[str]) -> None:
    starts, whole = LineStarts(), LineStarts()
    streamed = "".join(map(starts.take, pieces)) + starts.end()
    assert streamed == whole.take("".join(pieces)) + whole.end()
    assert streamed.replace("│ ", "") == "".join(pieces)


async def test_what_a_choice_means_stands_below_it_where_its_line_is_too_short() -> None:
    """At 80 columns, all of what a rule would allow is read before it is allowed."""
    long = "from now on, run `git push origin main` in the workspace folder; " + "and more of it " * 18 + "to its end"
    choices = [MenuItem("Allow once", "this time"), MenuItem("Always allow calls like this", long), MenuItem("Reject")]
    menu = Menu("", [*choices, MenuItem("Odd", "word " * 400)], None, frozenset(), several=False)
    first, second, *below = fragment_list_to_text(menu._text()).splitlines()
    assert (first, second) == ("  1 Allow once  this time", "  2 Always allow calls like this")
    told, [reject, *odd] = below[:-8], below[-8:]
    assert " ".join(line.removeprefix("      ") for line in told) == " ".join(long.split())
    assert all(line.startswith("      ") and len(line) < 80 for line in (*told, *odd[1:]))
    assert (reject, odd[0], len(odd), odd[-1][-1]) == ("  3 Reject", "  4 Odd", 7, "…")
