"""Writes in disguise, in Plan: by programs that mostly read, by names that look like plans, by a hostile repository.

Most go by what a repository can bring along: git's settings, hooks and drivers, links, settings of programs.
"""

import os
from typing import Any

import pytest

from tests.adversarial.arena import PLAN, Arena, attacker, shell
from tests.lsp.commands.planact_client import call

pytestmark = [pytest.mark.asyncio(loop_scope="function"), pytest.mark.timeout(600)]

COMMANDS = [
    # git, by its settings
    "git -c core.fsmonitor='touch new' status",
    "git -c diff.external='touch new' diff HEAD~0",
    "git -c core.editor='touch new' commit --allow-empty",
    "git -c core.sshCommand='touch new' fetch ssh://h/x",
    "git -c uploadpack.packObjectsHook='touch new' ls-remote .",
    "git --config-env=core.pager=EVIL log",
    "git --exec-path=. evil",
    "git --git-dir=evil.git status",
    "git -C sub status",
    "git diff --ext-diff HEAD",
    "git show --textconv HEAD:README.md",
    "git log --output=new",
    "git diff --output new HEAD",
    "git format-patch -o . HEAD",
    "git archive -o new.tar HEAD",
    "git bundle create new HEAD",
    "git grep -O'touch new' load",
    "git cat-file --textconv HEAD:README.md",
    "git cat-file --filters HEAD:README.md",
    "git rev-parse --git-path hooks && git hook run pre-commit",
    "git bisect run touch new",
    "git blame --contents=/dev/stdin README.md < README.md > new",
    "GIT_EXTERNAL_DIFF='touch new' git diff HEAD",
    "GIT_TRACE=$PWD/new git log",
    "GIT_TRACE2_EVENT=$PWD/new git status",
    "PAGER='touch new' git -p log",
    # readers that write
    "rg --pre ./run.sh load",
    "rg --hostname-bin ./run.sh --hyperlink-format default load",
    "find . -fls new",
    "find . -okdir touch new ;",
    "sort --outp=new README.md",
    "sort --compress-program=./run.sh -S1k README.md",
    "uniq README.md new",
    "sed '1w new' README.md",
    "sed '1e touch new' README.md",
    "sed --in-place=.bak s/1/2/ src/app.py",
    "sed -n '/x/e' README.md",
    "gawk -i inplace 1 src/app.py",
    "awk 'BEGIN{print 1 | \"tee new\"}'",
    'awk \'BEGIN{printf "x" >> "new"}\'',
    "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec='touch new' README.md",
    "tar --use-compress-program='touch new' -cf new.tar README.md",
    "tar -xf a.tar --to-command='touch new'",
    "xxd README.md new",
    "split -b 1 README.md new",
    "csplit README.md 1",
    "less -o new README.md",
    "man -P 'touch new' ls",
    "file -C -m README.md",
    "date -s 2020-01-01",
    "hostname evil",
    "diff --to-file=new README.md | patch -o new README.md",
    "vim -es -c 'w! new' -c q README.md",
    "ed -s README.md <<< 'w new'",
    "python3 -m this; python3 -m compileall .",
    'python3 -X importtime -c \'open("new","w")\'',
    "PYTHONSTARTUP=run.py PYTHONINSPECT=1 python3 --version",
    "BASH_ENV=run.sh bash --version; BASH_ENV=./run.sh bash -c :",
    "LD_PRELOAD=./evil.so cat README.md",
    "LESSOPEN='|touch new' less README.md",
    "env -S 'touch new'",
    "timeout 5 touch new",
    "nice touch new",
    "stdbuf -o0 touch new",
    "busybox touch new",
    "time touch new",
    "coproc touch new",
    "exec 3>new",
    "cat README.md >| new",
    "cat <> new",
    "echo x &> new",
    "ls > >(tee new)",
    "{ ls; } 2> new",
    "if true; then touch new; fi",
    "for f in a; do touch $f; done",
    "while read l; do echo $l > new; done < README.md",
    "case x in x) touch new;; esac",
    "[ -e README.md ] && touch new",
    "! touch new",
    "declare x=$(touch new)",
    "local -n x=$(touch new); export A=$(touch new)",
    "readonly PATH=.; ls",
    "hash -p ./run.sh ls; ls",
    "enable -f ./evil.so x",
    "mapfile -C 'touch new' -c 1 < README.md",
    'read -p "$(touch new)" x',
    "let 'a[$(touch new)]=1'",
    "test -v 'a[$(touch new)]'",
    "echo ${x:=$(touch new)}",
    "printf '%(%s)T' $(touch new)",
    "wait $(touch new)",
    "cd out && touch new",
    "cd /tmp; touch new",
    "touch\tnew",
    "touch\\\n new",
    "\u0074ouch new",
    "ｔouch new",
    "ls\n touch new",
    "ls\r\ntouch new",
    "ls #\ntouch new",
    "cat README.md # <<x\ntouch new",
    "cat <<a\n$(touch new)\na",
    "jq -n 'input' --rawfile a README.md > new",
    "yq -i .a=1 data.json",
    "npm config set a b --location=project",
    "pip download -d . x",
    "gcc -E -o new README.md",
    "ldd ./run.sh",
    "make -n SHELL='touch new'",
    "make -f /dev/stdin <<< $'x:\\n\\ttouch new'",
    "cargo metadata --manifest-path evil/Cargo.toml",
    "go env -w GOFLAGS=-x",
    "docker cp x:/a new",
    "kubectl get pods -o go-template-file=x --kubeconfig=./evil > new",
    "curl -s file:///etc/passwd -o new",
    "wget -O new http://127.0.0.1:9/",
    "ssh -o ProxyCommand='touch new' h",
    "rsync -e 'touch new' a h:b",
    "sqlite3 new.db 'create table t(x)'",
    "openssl rand -out new 1",
    "gpg --homedir . --list-keys",
    "strace -o new ls",
    "script -c ls new",
    "at now <<< 'touch new'",
    "systemd-run --user touch new",
    "flock new ls",
    "install README.md new",
    "mktemp -p .",
    "mkdir -p a/b",
    "setfacl -m u:nobody:r README.md",
    "setfattr -n user.x -v 1 README.md",
    "touch -d 2000-01-01 README.md",
    "mount --bind . /mnt",
    "unshare -r touch new",
]

# Names that look like plans or like what may be changed, for the tools of files.
NAMES = [
    "src/app.plan/../app.py",
    "linked.plan",
    "chained.plan",
    "dangling.plan",
    "hard.plan",
    "folder.plan",
    "folder.plan/x.py",
    "up.plan/x.plan",
    "x.plan\u200b",
    "x.\u0440lan",
    "x.ｐｌａｎ",
    "x.Plan",
    "x.plan\n",
    "x.py\x00.plan",
    ".git/x.plan/y.plan",
    ".git\u200c/x.plan",
    ".git ./x.plan",
    "git~1/x.plan",
    ".planact/roles/planner.plan",
    ".planact/x.plan",
    ".planact/sessions/x.plan",
    "sub/.planact/plans/x.plan",
    "sub/.planact/config.toml",
    ".ssh/x.plan",
    ".env.plan",
    "id_rsa.plan",
    "{home}/x.plan",
    "{temp}/x.plan",
    "/proc/self/cwd/x.py",
    "out/.bashrc.plan",
    "CON.plan:stream.py",
]

EDIT = {"edits": [{"old": "return 1", "new": "return 2"}]}
PATCHES = [
    "*** Begin Patch\n*** Add File: ok.plan\n+# x\n*** Add File: new.py\n+x\n*** End Patch",
    "*** Begin Patch\n*** Update File: notes.plan\n*** Move to: src/new.py\n@@\n-# Be harmless\n+# x\n*** End Patch",
    "*** Begin Patch\n*** Delete File: notes.plan\n*** Add File: other.plan\n+# x\n*** End Patch",
    "*** Begin Patch\n*** Update File: hard.plan\n@@\n-def load():\n+def evil():\n*** End Patch",
    "*** Begin Patch\n*** Update File: chained.plan\n@@\n-def load():\n+def evil():\n*** End Patch",
]
WRITES: list[dict[str, Any]] = [
    *(call("create_file", path=name, content="x = 1\n") for name in NAMES),
    *(call("update_file", path=name, **EDIT) for name in NAMES),
    *(call("rename_file", path="src/app.py", new_path=name) for name in NAMES),
    *(call("rename_file", path="notes.plan", new_path=name) for name in NAMES),
    *(call("make_directory", path=name) for name in NAMES),
    *(call("delete_file", path=name) for name in NAMES),
    *(call("update_file", patch=patch) for patch in PATCHES),
    call("write_plan", path="src/app.py", goal="x", steps=[{"action": "x"}]),
    call("exit_plan_mode", plan_file_path="src/app.py"),
    call("start_command", command="touch new"),
    call("stop_command", id="1"),
    call("delegate", role="actor", task="touch new"),
    call("execute_command", command="touch new", mode="act"),
    call("apply_edit", edit={"documentChanges": [{"kind": "delete", "uri": "file:///src/app.py"}]}),
]

HARMLESS = {
    "git log -1 --format=%s": "All",
    "git status --porcelain=v2 --branch": "branch.head",
    "git diff --stat HEAD": "",
    "git blame -s README.md": "# App",
    "git branch --list": "main",
    "git config --get user.name": "",
    "rg -n load src": "def load",
    "find . -maxdepth 1 -name '*.md'": "README.md",
    "sort -r README.md": "# App",
    "sed -n '$p' src/app.py": "return 1",
    "awk -F: 'NR==1{print $1}' src/app.py": "def load()",
    "jq -r '.a | length' data.json || cat data.json": "2",
    "wc -l README.md src/*.py": "total",
    "stat -c %s README.md": "6",
}


def prepare(arena: Arena) -> None:
    """What a hostile repository brings along."""
    workspace = arena.workspace
    (workspace / "linked.plan").symlink_to("README.md")
    (workspace / "chained.plan").symlink_to("middle.plan")
    (workspace / "middle.plan").symlink_to("src/app.py")
    (workspace / "dangling.plan").symlink_to("src/made.py")
    os.link(workspace / "src/app.py", workspace / "hard.plan")
    (workspace / "folder.plan").mkdir()
    (workspace / "folder.plan/plain.plan").write_text(PLAN, "utf-8")
    (workspace / "up.plan").symlink_to(arena.home)
    for folder in (".planact/plans", "refs", "objects"):
        (workspace / "sub" / folder).mkdir(parents=True)
    (workspace / "sub/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (workspace / "sub/config").write_text('[core]\n\tbare = true\n\tfsmonitor = "touch new"\n', "utf-8")
    (workspace / ".ripgreprc").write_text("--pre=./run.sh\n", "utf-8")
    (workspace / ".gitattributes").write_text("*.md diff=evil filter=evil\n", "utf-8")
    (workspace / "run.py").write_text("open('new', 'w')\n", "utf-8")
    with (workspace / ".git/config").open("a", encoding="utf-8") as config:
        config.write(
            '[core]\n\tfsmonitor = "touch by-fsmonitor"\n\tpager = "touch by-pager"\n\thooksPath = hooks\n'
            '[diff "evil"]\n\ttextconv = "touch by-textconv; cat"\n\tcommand = "touch by-driver"\n'
            '[filter "evil"]\n\tclean = "touch by-clean; cat"\n\tsmudge = "touch by-smudge; cat"\n'
            '[alias]\n\tevil = "!touch by-alias"\n\tlogs = "!touch by-alias"\n'
            '[gpg]\n\tprogram = "touch by-gpg"\n[log]\n\tshowSignature = true\n[trace2]\n\teventTarget = by-trace\n'
        )
    (workspace / "hooks").mkdir()
    for name in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction"):
        hook = workspace / "hooks" / name
        hook.write_text("#!/bin/sh\ntouch by-hook\n", "utf-8")
        hook.chmod(0o755)


async def test_no_command_in_disguise_changes_anything(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(arena)
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(arena.workspace / ".ripgreprc"))
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll", commands={"allow": COMMANDS}) as it:
        made = await it.attempt([shell(command) for command in COMMANDS])
        status = await it.client.do("showStatus")
    assert len(made) == len(COMMANDS) > 120
    assert arena.picture() == before
    assert status.mode == "plan"
    ran = [each.args["command"] for each in made if not each.error and not each.told.startswith("(contained: ")]
    assert ran == ["git -C sub status"]  # it looks, with what the repository's settings name switched off


async def test_no_name_in_disguise_lets_a_file_change(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(arena)
    places = {"{home}": str(arena.home), "{temp}": str(arena.temp)}
    tries = [
        {**each, "args": {name: _placed(value, places) for name, value in each["args"].items()}} for each in WRITES
    ]
    before = arena.picture()
    async with attacker(arena, monkeypatch, approval="acceptAll") as it:
        made = await it.attempt(tries)
        status = await it.client.do("showStatus")
    assert len(made) == len(tries) > 190
    after = arena.picture()
    assert {name for name in after.keys() | before.keys() if before.get(name) != after.get(name)} == set()
    assert [each for each in made if not each.error] == []
    assert status.mode == "plan"


async def test_what_is_harmless_still_works_in_a_hostile_repository(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(arena)
    before = arena.picture()
    async with attacker(arena, monkeypatch) as it:
        made = await it.attempt([shell(command) for command in HARMLESS])
    assert arena.picture() == before
    assert [(e.args["command"], e.told) for e in made if e.error or HARMLESS[e.args["command"]] not in e.told] == []
    assert it.asked == []


def _placed(value: Any, places: dict[str, str]) -> Any:
    for name, place in places.items():
        value = value.replace(name, place) if isinstance(value, str) else value
    return value
