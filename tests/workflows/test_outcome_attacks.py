"""Whatever a command on trial leaves behind, a no takes it away again: nothing of it stays that wasn't shown."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.fakes.world import answer
from tests.workflows.discarded import shown
from tests.workflows.scene import PLAN, SAID, WRITE_A
from tests.workflows.test_outcomes import GENERATE, make_scene, outcome_questions, run_it

START = "import ctypes, os, socket, subprocess, shutil, mmap\nos.umask(0o022)\ntry:\n    "
END = "\nexcept OSError:\n    pass\nos.chmod('.', 0o755)\nopen('package.json', 'a').write(' ')"
"""Never a small change, so that the user is asked in any case."""

ATTACKS = {
    "setuid": "os.chmod('setup.sh', 0o6755)",
    "sticky folder": "os.chmod('pkg', 0o1777)",
    "pipe and socket": "os.mkfifo('pipe'); socket.socket(socket.AF_UNIX).bind('pkg/sock'); open('package.json', 'w')",
    "pipe for a file": "os.remove('setup.sh'); os.mkfifo('setup.sh')",
    "socket for a file": "os.remove('pkg/m.py'); socket.socket(socket.AF_UNIX).bind('pkg/m.py')",
    "pipe for a folder": "shutil.rmtree('pkg'); os.mkfifo('pkg')",
    "whiteout for a file": "os.remove('setup.sh'); os.mknod('setup.sh', 0o020644); os.mknod('new', 0o020644)",
    "whiteout for a folder": "shutil.rmtree('pkg'); os.mknod('pkg', 0o020644); os.mkdir('h'); os.mknod('h/w', 8192)",
    "whiteout by a rename": "ctypes.CDLL(None).renameat2(-100, b'setup.sh', -100, b'moved', 4)",
    "attribute": "os.setxattr('pkg/m.py', 'user.evil', b'x'); open('setup.sh', 'a').write('x')",
    "hard link to ignored": "os.link('setup.sh', 'x.log'); open('x.log', 'a').write('evil')",
    "hard link twice": "os.link('setup.sh', 'two'); os.remove('setup.sh'); open('two', 'a').write('evil')",
    "repository": "subprocess.run(['git', 'init', '-q', 'sub']); open('sub/evil', 'w').write('x')",
    "names": "open('new\\nline', 'w').write('x'); open('-rf', 'w').write('x'); open(' ', 'w').write('x')",
    "folders exchanged": "os.rename('pkg', 'tmp'); os.rename('other', 'pkg'); os.rename('tmp', 'other')",
    "folder moved and made again": "os.rename('pkg', 'gone'); os.mkdir('pkg'); open('pkg/m.py', 'w').write('evil')",
    "link for a folder": "shutil.rmtree('pkg'); os.symlink('other', 'pkg'); open('pkg/n.py', 'a').write('evil')",
    "folder for a file": "os.remove('lib.py'); os.mkdir('lib.py'); open('lib.py/x', 'w').write('x')",
    "same size and time": (
        "s = os.stat('setup.sh'); open('setup.sh', 'r+').write('evil'); "
        "os.utime('setup.sh', ns=(s.st_atime_ns, s.st_mtime_ns))"
    ),
    "mapped memory": "f = open('setup.sh', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[:4] = b'evil'; m.close()",
    "ignore all": "open('.gitignore', 'w').write('*'); open('package.json', 'w').write('{}'); os.remove('lib.py')",
    "ignore itself": "os.mkdir('h'); open('h/.gitignore', 'w').write('*'); open('h/run.sh', 'w').write('evil')",
    "attributes": "open('.gitattributes', 'w').write('* text eol=crlf'); open('setup.sh', 'a').write('evil')",
    "unreadable": "open('pkg/evil', 'w').write('x'); os.remove('pkg/m.py'); os.chmod('pkg', 0)",
    "new and unlistable": (
        "os.makedirs('h/i'); open('h/i/evil.py', 'w').write('x'); os.chmod('h/i', 0o311); os.chmod('h', 0o311)"
    ),
    "rules in a folder of outputs": "os.makedirs('bin'); open('bin/.gitignore', 'w').write('!*'); open('bin/x', 'w')",
    "other case": "os.rename('lib.py', 'x'); os.rename('x', 'LIB.py'); open('SETUP.SH', 'w').write('evil')",
    "many": "os.mkdir('many'); [open(f'many/{n}', 'w').write('x') for n in range(300)]",
    "later": "subprocess.Popen('sleep 4; echo evil >> lib.py; echo evil > late', shell=True, start_new_session=True)",
    "truncated": "open('setup.sh', 'w').close(); os.truncate('pkg/m.py', 10_000_000)",
    "sparse": "open('package.json', 'wb').truncate(60_000_000)",
    "too large": "[os.truncate(path, 80_000_000) for path in ('setup.sh', 'pkg/m.py')]; os.chmod('setup.sh', 0o755)",
    "new and too large": "os.mkdir('h'); open('h/evil', 'wb').truncate(80_000_000)",
    "too large under two names": "os.link('setup.sh', 'two'); os.truncate('two', 80_000_000)",
    "too large for a folder": "shutil.rmtree('pkg'); open('pkg', 'wb').truncate(80_000_000)",
    "too large and unreadable": "os.truncate('pkg/m.py', 80_000_000); os.chmod('pkg/m.py', 0); os.chmod('pkg', 0)",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_after_a_no_the_folder_is_as_before(tmp_path: Path, name: str) -> None:
    root = tmp_path / "work"
    for path, text in {"pkg/m.py": "m = 1\n", "other/n.py": "n = 1\n"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    it = make_scene(root, WRITE_A, run_it(GENERATE), SAID, script=START + ATTACKS[name] + END)
    attributes = {path: os.listxattr(root / path) for path in ("pkg/m.py",)}
    before = shown(root)
    it.world.editor.answers_by_name = {"outcome": answer(outcome="discard")}
    it.execute(step=1)
    kinds = {stat.S_IFMT(path.lstat().st_mode) for path in root.rglob("*")}
    assert kinds <= {stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK}
    after = shown(root)
    left = {path: after.get(path) for path in before | after if before.get(path) != after.get(path)}
    assert {path for path in left if path != "a.txt" and not path.endswith(".log")} == set()
    assert {path: os.listxattr(root / path) for path in attributes} == attributes
    assert subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True).stdout in (
        "?? a.txt\n",
        "",
    )
    assert len(outcome_questions(it)) == 1


UNSEEN = {
    "a compiled module": (
        "*.pyc\n",
        "import py_compile\nopen('x.log', 'w').write(EVIL)\npy_compile.compile('x.log', cfile='random.pyc')",
    ),
    "a plugin": (
        "*.egg-info/\n/evil/\n",
        "import os\nos.mkdir('e.egg-info')\nopen('e.egg-info/entry_points.txt', 'w').write('[random]\\nx = evil\\n')\n"
        "open('e.egg-info/PKG-INFO', 'w').write('Name: e\\nVersion: 1\\n')\n"
        "os.mkdir('evil')\nopen('evil/__init__.py', 'w').write(EVIL)",
    ),
}
LOADS = (
    "import random, importlib.metadata as m; [each.load() for each in m.entry_points(group='random')]; "
    "import os; os.path.exists('a.txt') or os._exit(1)"
)


@pytest.mark.parametrize("name", UNSEEN)
def test_what_git_ignores_is_shown_before_a_check_could_load_it_with_more_rights(tmp_path: Path, name: str) -> None:
    ignored, script = UNSEEN[name]
    evil = 'EVIL = \'open("pwned.log", "w")\'\n'
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=evil + script, ignored=ignored)
    it.write_plan(PLAN.replace("`grep -q hello a.txt`", f'`python3 -c "{LOADS}"`'))
    it.world.editor.answers_by_name = {"outcome": answer(outcome="discard")}
    assert it.execute(step=1).status == "success"
    assert not (tmp_path / "pwned.log").exists()
    assert len(outcome_questions(it)) == 1
