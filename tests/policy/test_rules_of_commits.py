"""What rules for lines that commit cover: any files and messages, and nothing else that no rule has by its text."""

from hypothesis import example, given
from hypothesis import strategies as st

from planact.policy.context import Allow, Ask
from planact.policy.decide import decide, wider_rules_for
from tests.policy.test_rules_cover import act, asked

COMMITS = (
    "git add a.py",
    "git add -A",
    "git commit -qam 'a; git push'",
    "git commit -m \"$(cat <<'END'\n- (a)\nEND\n)\"",
)
SHOWS = ("git status -s", "git log --oneline -3", "git diff --cached a.py", "echo done")
OTHERS = (
    *("git push", "git push origin main", "git push --force", "git fetch", "git checkout b", "git commit --amend"),
    *("git tag v1", "git add ../x", "git reset --hard", "git stash pop", "git -C /ws push", "git rm 'a b'"),
)
MOVING = ("git checkout b", "git reset --hard", "git stash pop", "git rm 'a b'")
BAD = (
    *("rm x", "npm test", "./x", "git foo", "git -c a.b=c push", "cd sub", "git push ö", "cat .env", "A=1 git push"),
    *("git log -p", "git push > f", "sh", "git push $X", "git push `id`", "(git push)", "git apply", "! git push"),
    *("git rebase -x ./x", "git config a.b c", "command git push", "git push &", "git pushes", "git", "/x/git push"),
)
JOINTS = (*[" && "] * 4, "; ", " || ", " | ", " & ", "\n", " |& ", "&&", " 2>&1 && ")
PARTS = st.sampled_from((*COMMITS * 3, *SHOWS * 2, *OTHERS * 2, *BAD))


@st.composite
def lines(draw: st.DrawFn, parts: st.SearchStrategy[str]) -> tuple[list[str], list[str]]:
    """The commands of a line, and what stands between them."""
    some = draw(st.lists(parts, min_size=1, max_size=4))
    return some, [draw(st.sampled_from(JOINTS)) for _ in some[1:]]


def text_of(line: tuple[list[str], list[str]]) -> str:
    parts, joints = line
    return parts[0] + "".join(joint + part for joint, part in zip(joints, parts[1:], strict=True))


GOOD = st.sampled_from((*COMMITS, *SHOWS, *OTHERS))
LINES = lines(PARTS)
EXAMPLES = st.builds(
    lambda commit, others: ([commit, *sorted(others, key=MOVING.__contains__)], [" && "] * len(others)),
    st.sampled_from(COMMITS),
    st.lists(GOOD, max_size=3),
)


@given(EXAMPLES, LINES)
@example((["git add -A", "git push"], [" && "]), (["git add a.py", "git push"], ["; "]))
@example((["git add -A", "git push"], [" && "]), (["git status -s", "git push"], [" | "]))
@example(
    (["git add -A", "git checkout b"], [" && "]),
    (["git add -A", "git log --oneline -3", "git checkout b"], ["; ", " | "]),
)
def test_each_part_of_a_covered_line_commits_shows_or_has_its_rule(
    first: tuple[list[str], list[str]], other: tuple[list[str], list[str]]
) -> None:
    ask = decide(asked(text_of(first)), act())
    assert isinstance(ask, Ask)
    rules = wider_rules_for(ask, act())
    assert rules, first
    after = decide(asked(text_of(other)), act(rules=rules))
    parts, joints = other
    if decide(asked(text_of(other)), act()) == after:
        return
    assert after == Allow()
    assert not set(parts) & set(BAD)
    assert {part for part in parts if part in OTHERS} <= set(first[0])
    moving = [place for place, part in enumerate(parts) if part in MOVING]
    assert not moving or not {*parts[moving[0] :]} & {*COMMITS}, "the commit might run a hook that came with it"
    for joint, part in zip(joints, parts[1:], strict=True):
        assert joint not in (" & ", "\n")
        assert part not in OTHERS or "|" not in joint.replace("||", ""), (joint, part)


@given(EXAMPLES)
def test_the_rules_of_a_line_cover_it_and_its_parts(first: tuple[list[str], list[str]]) -> None:
    ask = decide(asked(text_of(first)), act())
    assert isinstance(ask, Ask)
    with_rules = act(rules=wider_rules_for(ask, act()))
    for line in (text_of(first), f"{text_of(first)} 2>&1", *first[0]):
        assert not isinstance(decide(asked(line), with_rules), Ask), line
