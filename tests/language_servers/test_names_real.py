"""Real language servers under the real program: a name with 30 uses is found and renamed in all its files."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say
from tests.language_servers.test_real import planact as planact  # the fixture
from tests.language_servers.test_real import results

pytestmark = pytest.mark.slow
FILES = 10

PYTHON = {"store.py": "def load(path: str) -> str:\n    return path\n"} | {
    f"part_{number}.py": f"from store import load\n\n# load it\nfirst = load('{number}')\nload = load\n".replace(
        "load = load\n", "second = load(first)\n"
    )
    for number in range(FILES)
}
SCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}}\n',
    "store.ts": "export function load(path: string): string {\n  return path;\n}\n",
} | {
    f"part_{number}.ts": f"import {{ load }} from './store';\n\n// load it\nexport const first = load('{number}');\n"
    "export const second = load(first);\n"
    for number in range(FILES)
}


@pytest.mark.parametrize(
    ("server", "files", "file"),
    [
        ("ty", PYTHON, "store.py"),
        ("basedpyright", PYTHON, "store.py"),
        ("typescript-language-server", SCRIPT, "store.ts"),
    ],
)
def test_a_name_with_thirty_uses_is_found_and_renamed_in_all_files_and_goes_back(
    planact: Program, server: str, files: dict[str, str], file: str
) -> None:
    for name, text in files.items():
        (planact.folder / name).write_text(text)
    others = {name: {"disabled": True} for name in ("ty", "basedpyright", "pyright") if name != server}
    planact.variables["PLANACT_LANGUAGE_SERVERS"] = json.dumps(others)
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"
    heard: list[str] = []
    where = {"path": file, "line": 1, "name": "load"}
    used = {"path": file.replace("store", "part_0"), "line": 5, "name": "load"}
    steps = (
        Call("find_definition", used),
        Call("find_references", where),
        Call("rename_symbol", {**where, "new_name": "fetch"}),
    )

    def answer(request: Any) -> Say:
        heard[:] = results(request)
        return Say("", [steps[len(heard)]]) if len(heard) < len(steps) else Say("Done.")

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url, "OPENAI_API_KEY": "sk-test"}
        assert planact.run("trust").code == 0
        ran = planact.run("chat", "Rename load to fetch", "--mode", "act", model="openai/gpt-4.1")
    assert ran.code == 0, ran
    defined, found, renamed = heard
    lines = found.splitlines()
    assert lines[0] == f"load: 31 places where it is used or defined, by {server}"
    assert len(lines) == 32
    assert defined.splitlines()[0] == f"load: 1 place where it is defined, by {server}"
    assert defined.splitlines()[1].startswith(f"{file}:1: ")
    assert f"renamed load to fetch in 31 places in 11 files, by {server}: " in renamed
    for name, text in files.items():
        uses = text.replace("load", "fetch").replace("# fetch it", "# load it").replace("// fetch it", "// load it")
        assert (planact.folder / name).read_text() == uses
    if file.endswith(".py"):
        run = subprocess.run([sys.executable, "-c", "import part_9; part_9.second"], cwd=planact.folder, check=False)
        assert run.returncode == 0
    assert planact.run("rollback", "--yes").code == 0
    assert {name: (planact.folder / name).read_text() for name in files} == files
