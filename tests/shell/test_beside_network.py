"""A line that may speak to others runs where the home can be read, so it opens nothing that its words don't name."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from planact.policy.context import PolicyContext
from tests.fakes.bench import ACT, PLAN
from tests.shell.judged import classify, in_plan
from tests.tools.test_readable import Beside

UNNAMED = (
    "x='a /home/u/x'; cat $x",
    "for f in 'a /home/u/x' a; do cat $f; done",
    'for f in ./../../home/u/x ./a; do cat "$f"; done',
    "echo /home/u/x | xargs cat",
    "echo /home/u/x | xargs -I{} cat {}",
    'echo /home/u/x | while read f; do cat "$f"; done',
    "cat {/home/u/x,a}",
    "cat a/{.,b}{.,b}/{.,c}{.,d}/home/u/x",
    'cat "$HOME"/x',
    "cat $OLDPWD/x",
    "cat link*/x",
    "cat link/../x",
    "grep link*/x",
    "grep -y link*/x a",
    "grep -A link*/x a",
    "grep -e link*/x",
    "grep {a,link/x} a",
    "rg link*/x",
    "head -n link*/x",
    "grep ~/x* a",
    'x=.; x=$x.; cat "/dev/fd/$x/root/home/u/x"',
    "cat <(cat $X)",
    "grep $X",
    "cd link && cat ../home/u/x",
    "cd link/b/c; cat ../../x",
    "cd link && ls ..",
    "cd link && cd -P .. && cat x",
    "cd missing; cat link",
    "cd missing || cat link",
    "cd missing\ncat link",
    "{ cd missing; true; } && cat link",
    "! cd missing && cat link",
    "cd missing | true && cat link",
    "cd missing; cd .. && cat x",
    "(cd a && cd missing; cat link)",
    "cd a/b && for i in 1 2 3; do cd ..; done; cat x",
    "cd a/b && for i in 1 2 3; do cd .. && cat x; done",
    "cd a/b/c && while cd ..; do cat x; done",
    "cd a/b/c && until cat x; do command cd ..; done",
    "cat a=~/x",
    "cat b:a=~/x",
    'x=a:~/x; cat "$x"',
    'x=a:~/x && cat < "$x"',
    "rg x",
    "rg x .",
    "rg x a -",
    "rg --files",
    "echo a | rg --files",
    "echo a | rg x b",
    "echo a | rg x < /dev/null",
    "true && echo a | rg x < /dev/null",
    "{ echo a | rg x; } < /dev/null",
    "echo a | xargs -I{} rg a{}",
    "echo $(rg x)",
    "echo a | { true; rg x; }",
    "grep -nRi x .",
    "rg --follow x",
    "ls -LR .",
    "du -L .",
    "find -L . -type f",
    "sha256sum --check a",
    "diff a b",
    "find . -exec cat {} +",
    "sort --files0-from=a",
    'cd "$X" && cat x',
    "jq -n --rawfile a /home/u/x '$a'",
    'jq -n \'import "x" as $a {search: "/home/u"}; $a\'',
    "jq -nf a",
    "jq -n env",
    "jq -n '$ENV.TOKEN'",
    "awk 'BEGIN {ARGV[1] = \"/home/u/x\"; ARGC = 2} {print}' a",
    'echo "$TOKEN"',
    "echo $TOKEN",
    'cat <<< "$TOKEN"',
    'x=$TOKEN; echo "$x"',
    "jq -n --arg a \"$TOKEN\" '$a'",
    "[[ $TOKEN == a* ]]",
    "env",
    "env LC_ALL=C",
    "ps auxe",
    "awk 'BEGIN {for (name in ENVIRON) print ENVIRON[name]}'",
)


@pytest.mark.parametrize("line", UNNAMED)
@pytest.mark.parametrize("speaking", ["gh pr list", "docker ps"])
def test_nothing_is_opened_there_that_the_words_do_not_name(line: str, speaking: str) -> None:
    for both in (f"{speaking}; {line}", f"{line}; {speaking}"):
        found = classify(both)
        assert found.cls in ("unknown", "mutating") or "outside" in found.traits, both


@pytest.mark.parametrize(
    "line",
    [
        "gh api repos/a/b | jq -r '.spec.env'",
        "gh pr view 1 --json title | jq .title | head -3",
        "kubectl get pods | grep foo | awk '{print $1}'",
        "diff <(gh pr list) <(gh issue list)",
        "gh pr list; cat README.md",
        'for i in 1 2; do gh pr view 1; echo "$i"; done',
        'gh pr list; echo "exit $?" "$PWD"',
        'gh pr list | while read a; do echo "$a"; done',
        'n=$(gh pr list | wc -l); echo "$n"',
        "gh pr list; ps -ef",
        "gh pr list | rg foo",
        "gh pr list 2>&1 | rg -i foo | rg -v bar -",
        "gh pr list; rg -u foo a.txt",
        "cd web && gh pr list",
        "cd web/app && cat a.txt && gh pr list && ls && git branch",
        "cd /ws && cat a.txt && gh pr list",
        "cd /ws; cat a.txt; gh pr list",
        "cd web && gh pr list && cd .. && cat a.txt",
    ],
)
def test_what_names_all_that_it_opens_may_stand_there(line: str) -> None:
    assert in_plan(line).kind == "allow"


@pytest.mark.slow
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_no_file_of_the_home_is_told_without_a_question(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, *("reject_once",) * 9)
    for line in ("x='a {}/src/a.py'; cat $x", "jq -nr --rawfile a {}/src/a.py '$a'", "echo {}/src/a.py | xargs cat"):
        outcome = it.run("execute_command", command=f"gh pr list; {line.format(it.sib)}")
        assert "x = 1" not in str(outcome), line


TOKEN = "token-of-the-user-7f3a"


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def make_private(folder: Path) -> Path:
    """A repository of the user's beside the workspace, with settings and a message that are nobody's business."""
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "config", "registry.token", TOKEN)
    git(folder, "commit", "-q", "--allow-empty", "-m", TOKEN)
    return folder / ".git"


def lead_head_to(private: Path, ws: Path) -> None:
    git(ws, "init", "-q")
    branch = git(ws, "symbolic-ref", "HEAD").strip()
    (ws / ".git" / branch).write_text(git(private, "rev-parse", "HEAD"))


def by_alternates(private: Path, ws: Path) -> None:
    lead_head_to(private, ws)
    (ws / ".git/objects/info/alternates").write_text(f"{private}/objects\n")


def by_links(private: Path, ws: Path) -> None:
    lead_head_to(private, ws)
    for folder in (private / "objects").iterdir():
        if folder.name not in ("info", "pack"):
            (ws / ".git/objects" / folder.name).symlink_to(folder)


def by_settings(private: Path, ws: Path) -> None:
    git(ws, "init", "-q")
    git(ws, "config", "include.path", str(private / "config"))


def by_settings_of_a_worktree(private: Path, ws: Path) -> None:
    git(ws, "init", "-q")
    git(ws, "config", "extensions.worktreeConfig", "true")
    (ws / ".git/config.worktree").write_text(f'[includeIf "gitdir:/"]\n\tpath = {private}/config\n')


def by_common_folder(private: Path, ws: Path) -> None:
    git(ws, "init", "-q")
    (ws / ".git/commondir").write_text(f"{private}\n")


def by_file(private: Path, ws: Path) -> None:
    (ws / ".git").write_text(f"gitdir: {private}\n")


def by_forged_worktree(private: Path, ws: Path) -> None:
    own = ws / "worktrees/x"
    own.mkdir(parents=True)
    for name, text in (("gitdir", f"{ws}/.git"), ("commondir", str(private)), ("HEAD", "ref: refs/heads/main")):
        (own / name).write_text(f"{text}\n")
    (ws / ".git").write_text(f"gitdir: {own}\n")


def by_link(private: Path, ws: Path) -> None:
    (ws / ".git").symlink_to(private)


LED_AWAY = (
    *(by_alternates, by_links, by_settings, by_settings_of_a_worktree, by_common_folder, by_file),
    *(by_forged_worktree, by_link),
)


@pytest.mark.slow
@pytest.mark.parametrize("lead", LED_AWAY)
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_git_opens_nothing_there_to_which_a_repository_leads_it(
    tmp_path: Path, standing: PolicyContext, lead: Callable[[Path, Path], None]
) -> None:
    it = Beside(tmp_path, standing, *("reject_once",) * 9)
    private = make_private(tmp_path / "private")
    lead(private, it.world.root)
    (it.world.root / "src").mkdir()
    for line in ("gh pr list; git config -l", "git log --oneline; gh pr list", "cd src && git log -1 && gh pr list"):
        assert TOKEN not in str(it.run("execute_command", command=line)), line


def as_worktree(ws: Path) -> None:
    main = ws.parent / "main"
    git(ws.parent, "init", "-q", str(main))
    git(main, "commit", "-q", "--allow-empty", "-m", "seen")
    ws.rmdir()
    git(main, "worktree", "add", "-q", str(ws))


def as_repository(ws: Path) -> None:
    git(ws, "init", "-q")
    git(ws, "commit", "-q", "--allow-empty", "-m", "seen")


def with_own_worktree(ws: Path) -> None:
    as_repository(ws)
    git(ws, "worktree", "add", "-q", str(ws / "web"))


USUAL: Mapping[str, tuple[Callable[[Path], None], str]] = {
    "a repository": (as_repository, "git log --oneline"),
    "a worktree": (as_worktree, "git log --oneline"),
    "a worktree within": (with_own_worktree, "cd web && git log --oneline"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", USUAL)
def test_git_may_be_asked_there_in_a_usual_repository(tmp_path: Path, name: str) -> None:
    make, line = USUAL[name]
    it = Beside(tmp_path, PLAN)
    make(it.world.root)
    told = str(it.run("execute_command", command=f"{line}; gh pr list"))
    assert "seen" in told
    assert "contained" not in told
