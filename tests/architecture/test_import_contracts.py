"""The import contracts of pyproject.toml hold, and each of them would notice a breach."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.source import ROOT

# A small package of our shape in which every contract is broken once.
BREACHES = {
    "Imports point down": ("plan/syntax/parser.py", "from planact.agent import loop"),
    "Adapters know ports, model and base, nothing else of ours": (
        "adapters/store/plans.py",
        "from planact.policy import decide",
    ),
    "Adapters ignore each other and are wired in app, nowhere else": (
        "cli/main.py",
        "from planact.adapters.llm import scripted",
    ),
    "Only lsp speaks LSP": ("agent/loop.py", "import lsprotocol.types"),
    "Only adapters.llm.litellm_model speaks litellm": ("adapters/llm/prices.py", "import litellm"),
    "Nothing but adapters.web fetches from the network, besides models and MCP servers": (
        "workflows/fetch.py",
        "import http.client",
    ),
    "Only adapters.watch.watcher speaks watchdog": ("adapters/system.py", "import watchdog"),
    "Only adapters.mcp speaks MCP": ("agent/tools.py", "import mcp.client.session"),
    "Only the conversation at the terminal draws on it": ("cli/output/show.py", "import rich.text"),
    "The core is pure: no IO, no event loop": ("policy/decide.py", "import asyncio"),
    "Tools ignore each other and are reached only through the registry": (
        "agent/turn.py",
        "from planact.tools.builtin import read_file",
    ),
    "LSP features ignore each other": ("lsp/features/hover.py", "from planact.lsp.features import code_lens"),
    "Plan views ignore each other": ("plan/ide/lenses.py", "from planact.plan.ide import symbols"),
    "No cycles between siblings": ("model/plan.py", "from planact.model import step"),
}
ALLOWED = {
    "app.py": "from planact.adapters.llm import scripted\nfrom planact.tools import registry",
    "tools/registry.py": "from planact.tools.builtin import read_file",
    "adapters/llm/scripted.py": "from planact import ports\nfrom planact.model import step",
    "adapters/store/state/journal.py": "from planact.base import ids",
    "adapters/llm/litellm_model.py": "import litellm",
    "adapters/mcp/servers.py": "import mcp\nimport httpx2",
    "cli/chat/paint.py": "import rich.text\nimport prompt_toolkit",
    "lsp/server.py": "import pygls\nfrom planact import app",
    "lsp/features/code_lens.py": "from planact.plan.ide import symbols",
    "ports.py": "from planact.model import step",
}
EMPTY = ["base/sources.py", "model/step.py", "plan/ide/symbols.py", "tools/builtin/read_file.py", "__main__.py"]


def test_the_package_keeps_its_contracts() -> None:
    broken, output = run_linter(ROOT)
    assert broken == [], output


def test_what_the_architecture_allows_breaks_no_contract(tmp_path: Path) -> None:
    write_package(tmp_path, ALLOWED)
    broken, output = run_linter(tmp_path)
    assert broken == [], output


def test_every_contract_notices_its_breach(tmp_path: Path) -> None:
    breaches = dict(BREACHES.values()) | {"model/step.py": "from planact.model import plan"}
    write_package(tmp_path, ALLOWED | breaches)
    broken, output = run_linter(tmp_path)
    assert sorted(broken) == sorted(BREACHES), output


def test_every_contract_has_a_breach_here() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    names = [contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]]
    assert sorted(names) == sorted(BREACHES)


def write_package(folder: Path, sources: dict[str, str]) -> None:
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"))
    package = folder / "planact"
    for name, source in (dict.fromkeys(EMPTY, "") | sources).items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source + "\n")
    for directory in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (directory / "__init__.py").touch()


def run_linter(folder: Path) -> tuple[list[str], str]:
    """The names of the broken contracts, and all that the linter said."""
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--no-logo", "--no-cache"],
        cwd=folder,
        env=os.environ | {"COLUMNS": "200"},  # or it folds the lines that are read below
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    output = result.stdout + result.stderr
    broken = re.findall(r"^(.+) BROKEN\b", output, re.MULTILINE)
    assert re.search(rf"Contracts: \d+ kept, {len(broken)} broken\.", output), output
    return broken, output
