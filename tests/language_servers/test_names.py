"""Names by a language server that may lie: places are shown where the agent may read, and edits are made as judged."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.model.question import Decision
from planact.model.rights.permission import Mode
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.world import call
from tests.language_servers.conftest import Yard

pytestmark = pytest.mark.slow
STORE = "def load(path):\n    return path\n"
APP = "from store import load\n\nprint(load('a'), load('b'))\n"
NAMING = Path(__file__).with_name("naming_server.py")
Result = Done | Refused | Failed


def at(line: int, start: int, end: int, last: int | None = None) -> Mapping[str, Any]:
    ends = {"line": line if last is None else last, "character": end}
    return {"start": {"line": line, "character": start}, "end": ends}


def edit(line: int, start: int, end: int, text: str = "fetch") -> Mapping[str, Any]:
    return {"range": at(line, start, end), "newText": text}


def in_file(name: str, *edits: Mapping[str, Any], version: object = None) -> Mapping[str, Any]:
    return {"textDocument": {"uri": f"$root/{name}", "version": version}, "edits": edits}


RENAME = {"documentChanges": [in_file("store.py", edit(0, 4, 8)), in_file("app.py", edit(0, 18, 22), edit(2, 6, 10))]}


class Names:
    """A workspace with such a server; `answers` are what it says, by method."""

    def __init__(self, yard: Yard, answers: Mapping[str, Any]) -> None:
        self.yard = yard
        (yard.root / "server.py").write_text(NAMING.read_text())
        self.say(answers)
        self.bench = Bench(yard.root, ACT, world=yard.world("", files=(".py",)))
        self.bench.world.ws.accepting.add("s")
        self.plan("store.py", "app.py")
        for name, text in (("store.py", STORE), ("app.py", APP), (".planactignore", "server.py\nanswers.json\n")):
            self.bench.world.write(name, text)

    def say(self, answers: Mapping[str, Any]) -> None:
        (self.yard.root / "answers.json").write_text(json.dumps(answers))

    def plan(self, *files: str) -> None:
        self.bench.standing = replace(ACT, planned_files=frozenset(files))

    def call(self, tool: str, **arguments: object) -> Result:
        return self.calls((tool, arguments))[0]

    def calls(self, *wanted: tuple[str, Mapping[str, object]]) -> list[Result]:
        async def job() -> list[Result]:
            gate = self.bench.world.ws.gate
            return [await gate.call(call(tool, **arguments), self.bench.turn) for tool, arguments in wanted]

        return self.yard.run(self.bench.world, job)

    def rename(self, new_name: str = "fetch", line: int = 1) -> Result:
        return self.call("rename_symbol", path="store.py", line=line, name="load", new_name=new_name)

    def texts(self) -> tuple[str, str]:
        return (self.yard.root / "store.py").read_text(), (self.yard.root / "app.py").read_text()

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.bench.world.store.journal.entries]


def message(result: Result) -> str:
    assert isinstance(result, Failed | Refused), result
    return f"{result.message} {result.hint}"


def text(result: Result) -> str:
    assert isinstance(result, Done), result
    return result.text


def test_uses_are_told_with_their_lines_and_nothing_that_may_not_be_read(yard: Yard) -> None:
    places = [
        {"uri": f"$root/{name}", "range": at(line, 0, 1)}
        for name, line in (
            *(("app.py", 2), ("store.py", 0), ("app.py", 0), ("app.py", 0), ("app.py", 99)),
            *(("sub/.env", 0), ("hidden/x.py", 1), ("built/y.py", 0), (".git/config", 0), ("gone.py", 0)),
        )
    ]
    odd = [{"uri": "jdt://x/y", "range": at(0, 0, 1)}, {"uri": 3}, {"uri": "$root/app.py", "range": "x"}, None, "x"]
    elsewhere = {"targetUri": "file:///etc/passwd", "targetSelectionRange": at(4, 0, 1)}
    names = Names(yard, {"textDocument/references": {"result": [*places, *odd, elsewhere]}})
    for name in ("sub/.env", "hidden/x.py", "built/y.py", ".git/config"):
        names.bench.world.write(name, "TOKEN=secret\nTOKEN=secret\n")
    names.bench.world.write(".planactignore", "server.py\nanswers.json\nhidden/\n")
    names.bench.world.write(".gitignore", "built/\n")
    for standing in (names.bench.standing, PLAN):
        names.bench.standing = standing
        told = text(names.call("find_references", path="store.py", line=1, name="load"))
        assert told.splitlines() == [
            "load: 4 places where it is used or defined, by scripted",
            "app.py:1: from store import load",
            "app.py:3: print(load('a'), load('b'))",
            "app.py:100: ",
            "store.py:1: def load(path):",
            "outside the workspace, not read: /etc/passwd:5",
            "left out: 1 with credentials (sub/.env); 1 hidden by the user; "
            "3 ignored (built/y.py, .git/config, gone.py)",
        ]


def test_many_places_come_in_pages(yard: Yard) -> None:
    places = [{"uri": "$root/app.py", "range": at(line, 0, 1)} for line in range(900)]
    names = Names(yard, {"textDocument/references": {"result": places}})
    told = text(names.call("find_references", path="store.py", line=1, name="load", limit=2, skip=3))
    assert told.splitlines()[0] == "load: 900 places where it is used or defined, by scripted"
    assert told.splitlines()[1:] == ["app.py:4: ", "app.py:5: ", "… go on with skip=5"]


def test_what_a_server_does_not_know_is_found_by_text_and_said_so(yard: Yard) -> None:
    names = Names(yard, {"textDocument/definition": {"result": None}})
    where = {"path": "app.py", "line": 1, "name": "load"}
    none, broken = map(text, names.calls(("find_definition", where), ("find_references", where)))
    assert none == "load: 1 place by text, may miss: scripted found none\nstore.py:1: def load(path):"
    assert broken.startswith("load: 3 places by text, may miss: scripted what?\nstore.py:1: def load(path):\napp.py:1:")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"line": 2, "name": "load"}, ("isn't in line 2 of app.py", "It is in line 1, 3.")),
        ({"line": 9, "name": "load"}, ("app.py has 4 lines, and no line 9", "It is in line 1, 3.")),
        ({"line": 1, "name": "loa"}, ("isn't in line 1 of app.py: from store import load", "It is nowhere")),
        ({"line": 3, "name": "load"}, ("2 times: print(load('a'), load('b'))", "occurrence = 1 to 2")),
        ({"line": 3, "name": "load", "occurrence": 3}, ("2 times", "occurrence = 1 to 2")),
        ({"line": 1, "name": "."}, ("'.' is no name", "")),
    ],
)
def test_a_place_that_is_missing_or_ambiguous_is_told_with_what_is_there(
    yard: Yard, where: Mapping[str, object], words: tuple[str, str]
) -> None:
    names = Names(yard, {})
    told = message(names.call("find_references", path="app.py", **where))
    assert all(each in told for each in words)


def test_a_rename_is_one_call_with_all_its_files_and_goes_back_with_the_run(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    assert text(names.rename()) == (
        "renamed load to fetch in 3 places in 2 files, by scripted: store.py (1), app.py (2)"
        "\n[planact] scripted: no new errors in store.py since your edit"
        "\nscripted: no new errors in app.py since your edit"
    )
    assert names.texts() == (
        STORE.replace("load", "fetch"),
        "from store import fetch\n\nprint(fetch('a'), load('b'))\n",
    )
    [changing] = [entry for entry in names.bench.world.store.journal.entries if entry.kind == "files_changing"]
    before = {touch["path"]: touch["before"]["sha256"] for touch in changing.data["touches"]}
    kept = {path: names.bench.world.store.journal.kept(sha) for path, sha in before.items()}
    assert kept == {"store.py": STORE.encode(), "app.py": APP.encode()}
    assert not names.bench.listener.asked


def test_files_that_the_plan_does_not_name_are_asked_about_once_and_all_are_shown(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.plan("store.py")
    names.bench.listener.answers = ["allow_once"]
    assert text(names.rename()).startswith("renamed load to fetch")
    [asked] = names.bench.listener.asked
    assert "the approved step doesn't name app.py" in asked.question.lower() or "app.py" in asked.question
    assert "+def fetch(path):" in asked.context
    assert "+from store import fetch" in asked.context
    assert [edit.path for edit in names.bench.listener.edits[0]] == ["store.py", "app.py"]


def test_who_rejects_one_file_of_a_rename_rejects_all(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.plan("store.py")
    names.bench.listener.answers = [Decision("allow_once", rejected=frozenset({"app.py"}))]
    refused = names.rename()
    assert isinstance(refused, Refused)
    assert (refused.code, names.texts()) == ("REFUSED_BY_USER", (STORE, APP))


def test_a_file_that_changes_while_the_user_thinks_is_not_renamed_in(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.plan("store.py")
    names.bench.listener.answers = ["allow_once"]
    names.bench.listener.meanwhile = lambda: names.bench.world.write("app.py", f"import os\n{APP}")
    failed = names.rename()
    assert isinstance(failed, Failed)
    assert (failed.code, names.texts()) == ("EDIT_CONFLICT", (STORE, f"import os\n{APP}"))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("$root/../elsewhere.py", "PATH_OUTSIDE_WORKSPACE"),
        ("file:///etc/hosts", "PATH_OUTSIDE_WORKSPACE"),
        ("$root/.git/hooks/pre-commit", "PATH_PROTECTED"),
        ("$root/.planact/config.toml", "PATH_PROTECTED"),
        ("$root/sub/.env", "CREDENTIAL_FILE"),
        ("$root/hidden/x.py", "EDIT_REFUSED"),
        ("$root/out/x.py", "PATH_OUTSIDE_WORKSPACE"),
        ("$root/gone.py", "EDIT_REFUSED"),
        ("$root/binary.py", "EDIT_REFUSED"),
        ("untitled:x", "EDIT_REFUSED"),
    ],
)
def test_an_edit_of_a_file_that_may_not_change_changes_none(yard: Yard, path: str, code: str) -> None:
    files = [in_file("store.py", edit(0, 4, 8)), {"textDocument": {"uri": path}, "edits": [edit(0, 0, 0, "x")]}]
    names = Names(yard, {"textDocument/rename": {"result": {"documentChanges": files}}})
    for name in (".git/hooks/pre-commit", ".planact/config.toml", "sub/.env", "hidden/x.py"):
        names.bench.world.write(name, "fine\n")
    (yard.root / "binary.py").write_bytes(b"\0\1\2" * 100)
    names.bench.world.write(".planactignore", "server.py\nanswers.json\nhidden/\n")
    (yard.root.parent / "elsewhere.py").write_text("fine\n")
    (yard.root / "out").symlink_to(yard.root.parent)
    (yard.root.parent / "x.py").write_text("fine\n")
    names.bench.standing = replace(names.bench.standing, approval="acceptAll")
    before = names.bench.world.tree()
    result = names.rename()
    assert isinstance(result, Failed | Refused)
    assert result.code == code, result
    assert names.bench.world.tree() == before
    assert "files_changing" not in names.kinds()
    assert (yard.root.parent / "elsewhere.py").read_text() == "fine\n"


MANY_NINES = int("9" * 4_300)
"""The next number has more digits than Python writes."""


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"documentChanges": [*RENAME["documentChanges"], {"kind": "delete", "uri": "$root/app.py"}]}, "delete files"),
        ({"documentChanges": [{"kind": "rename", "oldUri": "$root/a", "newUri": "$root/b"}]}, "rename or delete"),
        ({"documentChanges": [in_file("store.py", edit(0, 4, 8), version=99)]}, "another version"),
        ({"changes": {"$root/store.py": [edit(0, 4, 8), edit(0, 6, 9)]}}, "overlaps"),
        ({"changes": {"$root/store.py": [edit(0, 8, 4)]}}, "overlaps another or lies outside"),
        ({"changes": {"$root/store.py": [edit(0, 4, 99)]}}, "line 1 has no unit 99"),
        ({"changes": {"$root/store.py": [edit(7, 0, 0)]}}, "there is no line 8"),
        ({"changes": {"$root/store.py": [edit(MANY_NINES, 0, 0)]}}, "form"),
        ({"changes": {"$root/store.py": [edit(0, 0, MANY_NINES)]}}, "form"),
        ({"changes": {"$root/store.py": [{"range": at(0, 0, 0), "snippet": {"value": "$0"}}]}}, "form"),
        ({"changes": {"$root/store.py": [{"range": at(0, -1, 0), "newText": ""}]}}, "form"),
        ({"changes": {"$root/store.py": [{"range": at(0, True, 1), "newText": ""}]}}, "form"),
        ({"changes": {"$root/store.py": "x"}}, "form"),
        ({"changes": []}, "form"),
        ([], "form"),
        ({"changes": {f"$root/{number}.py": [] for number in range(201)}}, "201 files, more than"),
        ({"changes": {"$root/store.py": [edit(0, 0, 0, "x")] * 10_001}}, "10001 edits"),
        ({"changes": {"$root/store.py": [edit(0, 0, 0, "x" * 2_000_001)]}}, "2,000,000 characters"),
        ({"changes": {"$root/store.py": [edit(0, 4, 8, "load")]}}, "has nothing to change"),
        (None, "has nothing to change"),
    ],
)
def test_an_edit_that_cannot_be_right_is_refused_whole(yard: Yard, result: object, words: str) -> None:
    names = Names(yard, {"textDocument/rename": {"result": result}})
    failed = names.rename()
    assert isinstance(failed, Failed)
    assert failed.code == "EDIT_REFUSED"
    assert words in failed.message
    assert names.texts() == (STORE, APP)


@pytest.mark.parametrize(("encoding", "units"), [("utf-16", 2), ("utf-8", 4), ("utf-32", 1)])
def test_positions_count_as_the_server_has_chosen_and_never_within_a_character(
    yard: Yard, encoding: str, units: int
) -> None:
    start = len('x = "') + units + len('"; ')
    answers = {
        "initialize": {"result": {"positionEncoding": encoding}},
        "textDocument/rename": {"result": {"changes": {"$root/store.py": [edit(0, start, start + 4)]}}},
    }
    names = Names(yard, answers)
    names.bench.world.write("store.py", 'x = "😀"; load = 1\r\n')
    assert text(names.rename()).startswith("renamed load to fetch in 1 place in 1 file")
    assert (yard.root / "store.py").read_bytes().decode() == 'x = "😀"; fetch = 1\r\n'
    if units > 1:
        within = {"changes": {"$root/store.py": [edit(0, len('x = "') + 1, start + 5)]}}
        names.say({**answers, "textDocument/rename": {"result": within}})
        failed = names.call("rename_symbol", path="store.py", line=1, name="fetch", new_name="load")
        assert "lies within a character" in message(failed)


def test_a_server_is_shown_all_texts_of_its_edit_before_it_counts(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.plan("store.py")
    names.bench.listener.answers = ["reject_once"]

    def tell() -> None:
        names.say({"textDocument/rename": {"error": {"code": 1, "message": "$heard"}}})

    names.bench.listener.meanwhile = tell
    where = {"path": "store.py", "line": 1, "name": "load", "new_name": "fetch"}
    _, heard = names.calls(("rename_symbol", where), ("rename_symbol", where))
    renames = " textDocument/rename store.py:0:4" * 2
    assert f"can't do that: initialize didOpen app.py didOpen store.py{renames} Find" in message(heard)


def test_neither_is_offered_or_made_in_plan(yard: Yard) -> None:
    names = Names(yard, {"textDocument/rename": {"result": RENAME}})
    names.bench.standing = PLAN
    refused = [names.rename(), names.call("code_action", path="store.py", line=1, title="Fix")]
    assert [each.code for each in refused if isinstance(each, Refused)] == ["TOOL_BLOCKED_BY_MODE"] * 2
    assert names.bench.standing.mode is Mode.PLAN
    assert not yard.processes()


PROBLEM = {"range": at(1, 11, 15), "severity": 1, "message": "not good", "data": {"id": 7}}
FIX = {
    "title": "Return nothing",
    "kind": "quickfix",
    "edit": {"changes": {"$root/store.py": [edit(1, 11, 15, "None")]}},
}


def with_actions(*actions: object, **more: object) -> Mapping[str, Any]:
    return {"problems": [PROBLEM], "textDocument/codeAction": {"result": actions}, **more}


def test_titles_are_told_and_one_of_them_is_made(yard: Yard) -> None:
    foreign = {**FIX, "title": "Delete it", "edit": {"documentChanges": [{"kind": "delete", "uri": "$root/app.py"}]}}
    lazy = {"title": "Later\x1b[31m", "kind": "quickfix", "data": 1}
    command = {"title": "Run it", "command": "rm", "arguments": ["app.py"]}
    disabled = {**FIX, "title": "Not now", "disabled": {"reason": "x"}}
    resolved = {"codeAction/resolve": {"result": {**lazy, "edit": FIX["edit"], "command": command}}}
    names = Names(yard, with_actions(FIX, foreign, lazy, command, disabled, 3, None, **resolved))
    listed = names.call("code_action", path="store.py", line=2)
    assert text(listed) == "For line 2 of store.py there are:\n- Return nothing\n- Later [31m"
    where = {"path": "store.py", "line": 2}
    none, made = names.calls(
        ("code_action", {**where, "title": "Run it"}), ("code_action", {**where, "title": "Later [31m"})
    )
    assert "'Run it' is none of line 2 of store.py" in message(none)
    assert "- Return nothing" in message(none)
    assert text(made).startswith("Later [31m: 1 place in 1 file, by scripted: store.py (1)")
    assert names.texts() == (STORE.replace("return path", "return None"), APP)


def test_actions_of_another_kind_than_asked_for_are_no_fixes_of_the_line(yard: Yard) -> None:
    others = [{**FIX, "title": title, "kind": title} for title in ("refactor.extract", "quickfixes", "quickfix.all")]
    names = Names(yard, with_actions(*others, {**FIX, "title": "of no kind", "kind": None}))
    listed = names.call("code_action", path="store.py", line=2)
    assert text(listed) == "For line 2 of store.py there are:\n- quickfix.all\n- of no kind"


def test_a_servers_own_edits_and_commands_are_never_made(yard: Yard) -> None:
    own = {"edit": {"changes": {"$root/app.py": [edit(0, 0, 0, "evil")]}}}
    actions = {"first": {"workspace/applyEdit": own}, "result": [{**FIX, "command": {"title": "x", "command": "evil"}}]}
    names = Names(yard, {"problems": [PROBLEM], "textDocument/codeAction": actions})
    where = {"path": "store.py", "line": 2}
    [made] = names.calls(("code_action", {**where, "title": "Return nothing"}))
    assert text(made).startswith("Return nothing: 1 place in 1 file")
    assert names.texts() == (STORE.replace("return path", "return None"), APP)
    names.say({"problems": [PROBLEM], "textDocument/codeAction": {**actions, "result": [{**FIX, "title": "$heard"}]}})
    [told] = names.calls(("code_action", where))
    assert "'applied': false" in text(told)
    assert "executeCommand" not in text(told)


def test_where_no_server_is_nothing_is_renamed_and_uses_are_found_by_text(yard: Yard) -> None:
    names = Names(yard, {})
    for name in ("store.py", "app.py"):
        (yard.root / name).unlink()
    names.plan("store.ts", "app.ts")
    names.bench.world.write("store.ts", "export function load() {}\n")
    names.bench.world.write("app.ts", "import { load } from './store';\nload();\n")
    where = {"path": "store.ts", "line": 1, "name": "load"}
    found, renamed = names.calls(("find_references", where), ("rename_symbol", {**where, "new_name": "fetch"}))
    head = "load: 3 places by text, may miss: no language server here knows the names in store.ts"
    assert text(found).startswith(f"{head}\nstore.ts:1: export function load() {{}}\n")
    assert isinstance(renamed, Failed)
    assert (renamed.code, "update_file" in renamed.hint) == ("LANGUAGE_SERVER_UNUSABLE", True)
