"""Which lines one rule may cover that stage files and commit them: by name or all, with a message that stands there."""

import subprocess
from pathlib import Path

import pytest

from planact.shell.compare.similar_calls import similar_calls
from planact.shell.compare.similar_commits import beside_commits
from planact.shell.compare.without_filters import without_filters
from tests.shell.judged import classify

HERE_TEXT = "git commit -m \"$(cat <<'EOF'\n{body}\nEOF\n)\""
ODD_TEXT = HERE_TEXT.format(body="it's")
CALM = (
    "feat: add a thing",
    "feat(scope): add (a) thing\n\n- one\n- two (three)\n\nCo-Authored-By: A <a@b.example>",
    'It doesn\'t matter, and `this` is "said" too\n\nFixes #12',
    "🤖 made für Ada\n",
)


@pytest.mark.parametrize(
    "line",
    [
        "git add a.py",
        "git add -A",
        "git add . && git status --short",
        "git add -u src/a.py tests/ && git diff --staged src/a.py",
        "git commit -m 'fix: it'",
        'git commit -qam "fix: it (again)" -m more',
        "git commit --message='a b' --signoff 2>&1 | tail -3",
        "git add a.py && git commit -m 'fix' && git log --oneline -3",
        'git add -A && git commit -m "docs(agent): what is left; what is done" && git log --oneline -n 3',
        "git add 모바일/a.py && git commit -m 'update: 모바일 컴포넌트'",
        "git commit -m '한글'; git status",
        *(HERE_TEXT.format(body=body) for body in CALM),
        *(f"git add -A && {HERE_TEXT.format(body=body)} && git status -s" for body in CALM),
    ],
)
def test_lines_that_stage_and_commit_begin_alike(line: str) -> None:
    found = classify(line)
    assert found.cls == "mutating"
    assert found.traits - {"plain", "history"} == {"repository"}
    assert similar_calls(without_filters(line)) == ("git commit",)


@pytest.mark.parametrize(
    "line",
    [
        *("git status", "git diff --staged", "git log --oneline -3 && git status", "git add", "git commit"),
        *("git add -f a", "git add -p", "git add -e", "git add --chmod=+x a", "git add --pathspec-from-file=x"),
        *("git add /etc/passwd", "git add ../x", "git add a/../../x", "git add *.py", "git add $X", "git add ~/x"),
        *("git add ':(top)x'", "git add :/", "git -C x add a", "git -c core.hooksPath=x commit -m a", "A=1 git add a"),
        *("git commit -m a --no-verify", "git commit -nm a", "git commit --amend -m a", "git commit -F f"),
        *("git commit -m a --author=x", "git commit -C HEAD", "git commit -m a -S", "git commit -m a -t f"),
        *("git commit -m a --template=f", "git commit -m a --fixup=HEAD", "git commit -m a -e", "git commit -m"),
        *("git add a; rm a", "git add a && npm test", "git add a & rm x", "git add a > f", "git add a | sh"),
        *("git push", "git add -f a && git push", "git add a && git push > f", "git add a && git push & git status"),
        *("git add a && git foo", "git add a && git -c a.b=c push", "git add a && git rebase -x ./x", "git add a; git"),
        *("git add a && git config a.b c", "git add a && git -C x push", "git add a && git push $X", "git add a; cd x"),
        # What is brought there may be a hook that the commit runs.
        *(
            "git pull && git commit -am a",
            "git checkout b && git add a",
            "git add a && git stash pop && git commit -m a",
        ),
        *("git mv a .husky/pre-commit; git commit -m a", "git push && git merge b && git add -A"),
        # Rules by long texts, or by many, might not be read to their end.
        f"git add a && git tag {'a' * 100} && git push --force",
        "git add a; git tag b; git tag c; git tag d; git push --force",
        # What comes by a pipe, or isn't in ASCII, is more than the text.
        *("git add a && git diff --cached | git checkout b", "git add a && git push ö", "git add a && git tag '한글'"),
        f"git add a && {HERE_TEXT.format(body='a').replace('git commit', 'git tag')}",
        *('git commit -m "$(cat f)"', 'git commit -m "$(date)"', 'git commit -m "a `id`"', 'git commit -m "$X"'),
        *("git add a && git diff --output=f", "git add a && git log -p", "git add a && git diff --ext-diff"),
        *("git diff --no-index a b && git add a", "git add a && cat b", "git add a\ngit push", "git rm a"),
        *("git mv a b", "git stash", "git reset", "git commit -am a -- ../b"),
        'git commit -m "$(cat <<EOF\n$(id)\nEOF\n)"',
        "git commit -m \"$(cat <<'EOF'\na\nEOF\n); rm x\"",
        "git commit -m \"$(cat <<'EOF'\na\nEOF\nrm x\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF'\na\nEOF\nid)\"",
        "git commit -m \"$(cat <<'EOF' f\na\nEOF\n)\"",
        "git commit -m \"$(cat f <<'EOF'\na\nEOF\n)\"",
        # An old bash may take quotes of texts and of what stands beside them together.
        f"{ODD_TEXT} -m 'b'",
        f"git add 'a' && {ODD_TEXT}",
        f"{ODD_TEXT} && {HERE_TEXT.format(body='a')}",
        # For an old bash, `$(` ends in these texts.
        *(
            HERE_TEXT.format(body=body)
            for body in ("a)", 'a) "; rm x; " (', "it's (a)", "(a\nb)", "# (\n)", ":) (:", "a'(' )")
        ),
    ],
)
def test_no_others_do(line: str) -> None:
    assert similar_calls(without_filters(line)) == ()


@pytest.mark.parametrize(
    ("line", "beside"),
    [
        ("git add a && git commit -m b", ()),
        ("git commit -m a && git push", ("git push",)),
        ("git commit -m a && git push 2>&1 | tail -3", ("git push",)),
        ("git fetch origin; git add a; git commit -m b || git reset --hard", ("git fetch origin", "git reset --hard")),
        (f"git add a && {HERE_TEXT.format(body='ö')} && git push -u origin 'a b'", ("git push -u origin 'a b'",)),
        (f"git add a && {HERE_TEXT.format(body='git tag x')} && git status -s", ()),
        ("git add a && git commit --amend --no-edit", ("git commit --amend --no-edit",)),
        ("git add ../a && git commit -m b", ("git add ../a",)),
        ("git -C /work/it add a && git -C /work/it push", ("git -C /work/it push",)),
    ],
)
def test_what_else_git_does_beside_commits_is_told_by_its_text(line: str, beside: tuple[str, ...]) -> None:
    bare = without_filters(line, "/work/it")
    assert similar_calls(bare, "/work/it") == ("git commit",)
    assert beside_commits(bare, "/work/it") == beside


@pytest.mark.parametrize(
    ("line", "is_alike"),
    [
        ("git -C /work/it add src/a.py && git -C /work/it commit -m 'fix: it'", True),
        ("cd /work/it && git add /work/it/src/a.py && git -C . status -s", True),
        ("git -C /work/other add a.py", False),
        ("git -C /work/it -C ../other add a.py", False),
        ("git -C /work/it/.. add a.py", False),
        ("git add /work/it/../other/a.py", False),
        ("git add /work/item", False),
        # For git, none of these is its own command or option, and it runs `git-/work/it/add` for the first two.
        ("git /work/it/add a.py", False),
        ("git -C /work/it /work/it/add a.py", False),
        ("git commit /work/it/-m a", False),
        ("git commit /work/it/--message=a", False),
    ],
)
def test_the_folder_where_a_line_runs_may_be_named(line: str, *, is_alike: bool) -> None:
    found = similar_calls(without_filters(line, "/work/it"), "/work/it")
    assert found == (("git commit",) if is_alike else ())


@pytest.mark.parametrize("body", CALM)
def test_a_text_in_the_line_is_nothing_but_the_message(body: str, tmp_path: Path) -> None:
    line = HERE_TEXT.format(body=body).replace("git commit -m", "printf %s")
    shown = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert shown.stdout == body.rstrip("\n")
    assert not [*tmp_path.iterdir()]
