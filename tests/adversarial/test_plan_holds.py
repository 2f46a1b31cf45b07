"""In Plan, whatever the model tries: the tree of workspace, home and temp is the same to the last byte."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.adversarial.arena import PATIENT, Arena, attacker, shell
from tests.lsp.commands.planact_client import call

pytestmark = [pytest.mark.asyncio(loop_scope="function"), pytest.mark.timeout(600)]

CORPUS = json.loads((Path(__file__).parents[1] / "data" / "shell_commands.json").read_text("utf-8"))
EDIT = {"edits": [{"old": "return 1", "new": "return 2"}]}
ADD = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch"
MOVE = "*** Begin Patch\n*** Update File: {}\n*** Move to: {}\n@@\n-import app\n+import x\n*** End Patch"
DROP = "*** Begin Patch\n*** Delete File: {}\n*** End Patch"

# Names that lead elsewhere than they look, for each tool that takes one.
NAMES = [
    "src/new.py",
    "new.txt",
    "../outside.txt",
    "../home/.bashrc",
    "out/new.txt",
    "out/x.plan",
    "x.plan/../y.py",
    "evil.plan/new.py",
    "link.plan",
    "notes.plan.py",
    "notes.PLAN",
    "notes.plan ",
    "notes.plan.",
    ".plan",
    ".env",
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/x.plan",
    ".GIT/x.plan",
    ".planact/config.toml",
    ".planact/roles/planner.md",
    ".planact/roles/x.plan",
    ".planact/sessions/x.chat",
    "src\\new.py",
    "file:///tmp/new.py",
    "~/new.py",
    "/dev/shm/new.py",
    "nul\x00.plan",
    "a\nb.py",
]
WRITES: list[dict[str, Any]] = [
    *(call("create_file", path=name, content="x = 1\n") for name in NAMES),
    *(call("update_file", patch=ADD.format(name)) for name in NAMES if "\n" not in name),
    *(call("rename_file", path="src/b.py", new_path=name) for name in NAMES),
    *(call("make_directory", path=name) for name in NAMES),
    call("create_file", path="{home}/new.py", content="x"),
    call("create_file", path="{temp}/new.py", content="x"),
    call("update_file", path="src/app.py", **EDIT),
    call("update_file", path="link.plan", **EDIT),
    call("update_file", path="./src/../src/app.py", **EDIT),
    call("update_file", patch=MOVE.format("src/b.py", "b.plan")),
    call("update_file", patch=MOVE.format("src/b.py", "src/c.py")),
    call("update_file", patch=DROP.format("README.md")),
    call("rename_file", path="notes.plan", new_path="notes.py"),
    call("rename_file", path="src", new_path="src.plan"),
    call("delete_file", path="README.md"),
    call("delete_file", path="notes.plan"),
    call("delete_file", path="link.plan"),
    call("delete_file", path="src"),
    call("delete_file", path=".git/HEAD"),
    call("write_file", path="src/app.py", content="x"),
    call("bash", command="touch x"),
    call("Update_File", path="src/app.py", **EDIT),
]


async def test_no_write_tool_changes_anything(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"{home}": str(arena.home), "{temp}": str(arena.temp)}
    tries = [json.loads(_filled(json.dumps(each), places)) for each in WRITES]
    assert len(tries) > 120
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll") as it:
        made = await it.attempt(tries)
        status = await it.client.do("showStatus")
    assert len(made) == len(tries)
    assert [each for each in made if not each.error] == []
    assert {each.error["code"] for each in made} <= {
        *("TOOL_BLOCKED_BY_MODE", "PATH_OUTSIDE_WORKSPACE", "PATH_PROTECTED", "CREDENTIAL_FILE"),
        *("UNKNOWN_TOOL", "INVALID_ARGUMENTS", "EDIT_NOT_FOUND", "FILE_EXISTS"),
    }
    assert it.asked == []
    assert arena.picture() == before
    assert status.mode == "plan"


def _filled(text: str, places: dict[str, str]) -> str:
    for name, place in places.items():
        text = text.replace(name, place)
    return text


def _some_of_each_category(most: int) -> list[str]:
    by_category: dict[str, list[str]] = defaultdict(list)
    for row in CORPUS:
        if row["expect"] == "not_readonly" and "\x00" not in row["cmd"]:
            by_category[row["category"]].append(row["cmd"])
    return [
        command
        for commands in by_category.values()
        for command in commands[:: max(1, -(-len(commands) // most))][:most]
    ]


TRICKS = [
    "touch src/new.py",
    "echo x > src/app.py",
    "cat > new.py <<'EOF'\nx\nEOF",
    'python3 -c \'open("new.py","w").write("x")\'',
    "python3 -c \"import os; os.system('touch new')\"",
    'node -e \'require("fs").writeFileSync("new.js","x")\'',
    "perl -e 'open(F,\">new\");print F 1'",
    "git commit --amend -m x",
    "git checkout -b evil",
    "git config core.hooksPath /tmp",
    "git -c core.pager='touch new' log",
    "git -c alias.x='!touch new' x",
    "git stash",
    "pip install --target . requests",
    "npm test",
    "make",
    "./run.sh",
    "sh run.sh",
    ". ./run.sh",
    "bash -c 'touch new'",
    "env touch new",
    "xargs touch <<< new",
    "find . -name '*.py' -delete",
    "find . -exec touch new ;",
    "find . -fprintf new x",
    "sed -i s/1/2/ src/app.py",
    "sed -n 'w new' src/app.py",
    "awk 'BEGIN{system(\"touch new\")}'",
    "awk '{print > \"new\"}' README.md",
    "sort -o src/app.py README.md",
    "tee src/app.py < README.md",
    "dd if=README.md of=src/app.py",
    "cp README.md src/app.py",
    "ln -s README.md new",
    "chmod -x run.sh",
    "truncate -s 0 src/app.py",
    "rm -rf .",
    "ls; rm README.md",
    "ls && rm README.md",
    "ls | tee new",
    "ls $(touch new)",
    "ls `touch new`",
    "cat <(touch new)",
    "(touch new &)",
    "nohup touch new &",
    "eval 'touch new'",
    "x=touch; $x new",
    "t''ouch new",
    "t\\ouch new",
    "$'\\x74ouch' new",
    "command touch new",
    "trap 'touch new' EXIT",
    "f() { touch new; }; f",
    "alias ls='touch new'; ls",
    "printf -v x '%s' $(touch new)",
    "[[ -v a[$(touch new)] ]]",
    "echo $((a[$(touch new)]))",
    "touch ~/new",
    "touch ../home/new",
    "touch ../temp/new",
    "echo x >> ../home/.bashrc",
    "mkfifo new",
    "setsid touch new",
    "kill -9 $PPID",
    "curl -o new http://127.0.0.1:9/",
    "curl -X POST http://127.0.0.1:9/",
    "docker run -v .:/w alpine touch /w/new",
    "crontab -r",
    "git push --force",
    "gh pr merge 1",
    "kubectl delete pod x",
    "terraform apply -auto-approve",
    "aws s3 rm s3://b --recursive",
]


async def test_no_command_changes_anything(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = [*TRICKS, *_some_of_each_category(6)]
    assert len(commands) > 150
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll", commands={"allow": TRICKS}) as it:
        made = await it.attempt([shell(command) for command in commands])
        status = await it.client.do("showStatus")
    assert len(made) == len(commands)
    assert arena.picture() == before
    assert status.mode == "plan"
    ran = [each for each in made if not each.error]
    assert [each.args["command"] for each in ran if not each.told.startswith("(contained: ")] == []
    layers = {each.error.get("layer") for each in made if each.error}
    assert layers <= {"policy", "sandbox", "user", None}


async def test_what_only_reads_runs_and_tells_the_truth(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {
        "git log --oneline": "All",
        "git merge-base HEAD HEAD": "",
        "git status --short": "",
        "git diff HEAD": "",
        "git show HEAD:README.md": "# App",
        "grep -rn load src": "def load",
        "find . -name '*.py' -not -path './.git/*'": "src/app.py",
        "cat src/app.py | wc -l": "2",
        "sed -n 1p README.md": "# App",
        "awk '{print $2}' README.md": "App",
        "ls -la": "README.md",
        "head -1 src/b.py && tail -1 src/app.py": "import app",
        "python3 --version": "Python 3",
        "sha256sum README.md": "README.md",
    }
    before = arena.picture()
    async with attacker(arena, monkeypatch, limits=PATIENT) as it:
        made = await it.attempt([shell(command) for command in expected])
    assert [(e.args["command"], e.told) for e in made if expected[e.args["command"]] not in e.told or e.error] == []
    assert [e.told.startswith("exit code 0") for e in made] == [True] * len(made)
    assert it.asked == []
    assert arena.picture() == before


async def test_switching_a_thousand_times_leaves_no_door_open(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll", commands={"allow": ["touch new"]}) as it:
        session = (await it.client.do("newSession", mode="plan")).id
        for _ in range(500):
            for mode in ("act", "plan"):
                await it.client.do("setMode", session_id=session, mode=mode)
        made = await it.attempt([shell("touch new"), call("create_file", path="new", content="x")], session_id=session)
    assert [each.error["code"] for each in made] == ["TOOL_BLOCKED_BY_MODE"] * 2
    assert arena.picture() == before


async def test_a_call_that_is_refused_again_and_again_ends_the_turn_and_nothing_is_stuck(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = arena.picture()
    async with attacker(arena, monkeypatch) as it:
        session = (await it.client.do("newSession", mode="plan")).id
        made = await it.attempt([shell("touch new")] * 10, session_id=session)
        assert len(made) == 3
        assert (await it.client.do("showStatus")).is_running is False
        again = await it.attempt([shell("ls")], session_id=session)
        assert [each.error for each in again] == [{}]
    assert arena.picture() == before
