"""Quick fixes and organised imports by real language servers, under the real program."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say
from tests.language_servers.test_real import planact as planact  # the fixture
from tests.language_servers.test_real import results

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PYTHON = {"store.py": "def find_first() -> int:\n    return 1\n", "app.py": "import sys\n\nprint(sys, find_first())\n"}
SCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}}\n',
    "store.ts": "export function load(): number {\n  return 1;\n}\nexport const one = 1;\n",
    "app.ts": "import { one } from './store';\nimport { a } from './a';\n\nexport const all = [load(), a, one];\n",
    "a.ts": "export const a = 1;\n",
}
C = {
    "compile_flags.txt": "-std=c11\n",
    "app.c": "struct pair { int left; };\nint left_of(struct pair *it) { return it.left; }\n",
}


@pytest.mark.parametrize(
    ("server", "files", "file", "line", "fixes"),
    [
        (
            *("basedpyright", PYTHON, "app.py", 3),
            {
                "from store import find_first": PYTHON["app.py"].replace(
                    "sys\n", "sys\n\nfrom store import find_first\n", 1
                )
            },
        ),
        (
            *("typescript-language-server", SCRIPT, "app.ts", 4),
            {
                'Update import from "./store"': SCRIPT["app.ts"].replace("{ one }", "{ load, one }"),
                "Organize Imports": "import { a } from './a';\nimport { load, one } from './store';\n\n"
                + "export const all = [load(), a, one];\n",
            },
        ),
        ("clangd", C, "app.c", 2, {"change '.' to '->'": C["app.c"].replace("it.left", "it->left")}),
    ],
)
def test_fixes_are_told_by_title_and_made_as_told(
    planact: Program, server: str, files: Mapping[str, str], file: str, line: int, fixes: Mapping[str, str]
) -> None:
    for name, text in files.items():
        (planact.folder / name).write_text(text)
    others = {name: {"disabled": True} for name in ("ty", "basedpyright", "pyright") if name != server}
    planact.variables["PLANACT_LANGUAGE_SERVERS"] = json.dumps(others)
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"
    planact.seconds = 300  # servers read whole projects, on a machine that has more to do
    titles = ("", *fixes)
    heard: list[str] = []
    texts: list[str] = []

    def answer(request: Any) -> Say:
        heard[:] = results(request)
        texts.append((planact.folder / file).read_text())
        if len(heard) == len(titles):
            return Say("Done.")
        return Say("", [Call("code_action", {"path": file, "line": line, "title": titles[len(heard)]})])

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url, "OPENAI_API_KEY": "sk-test"}
        assert planact.run("trust").code == 0
        ran = planact.run("chat", "Mend it", "--mode", "act", model="openai/gpt-4.1")
    assert ran.code == 0, ran
    assert f"\n- {titles[1]}\n" in f"{heard[0]}\n"
    assert texts == [files[file], files[file], *fixes.values()], heard
    assert planact.run("rollback", "--yes").code == 0
    assert (planact.folder / file).read_text() == files[file]
