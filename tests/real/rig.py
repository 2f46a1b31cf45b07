"""A real package in a git repository of its own, and planact's real processes beside it."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp.client import register_lsp_features

from tests.fakes.loopback_model import LoopbackModel
from tests.lsp.editor_client import EditorClient, capable, register_answers
from tests.real.rename import CHANGELOG, OLD, noted, renamed

HERE = Path(__file__).parent
PLANACT = Path(sys.executable).with_name("planact")
KEY = "sk-of-the-user-0123456789abcdef"
MODEL = "openai/rehearsal"
LIMIT = 180.0
PATH = os.environ.get("PATH", os.defpath)


@dataclass(frozen=True)
class Ended:
    """A command of the terminal that ended; `data` is the object it printed."""

    code: int
    data: dict[str, Any]
    progress: str


@dataclass(frozen=True)
class Project:
    """The package as its authors publish it, committed, and a home for its user."""

    root: Path
    home: Path
    log: Path

    @classmethod
    def unpack(cls, folder: Path) -> "Project":
        sdists = list((HERE / ".cache").glob("*.tar.gz"))
        assert sdists, f"the package is missing. To get it, run: {HERE / 'install'}"
        subprocess.run(("tar", "-xzf", sdists[0]), cwd=folder, check=True, timeout=180)
        (root,) = folder.iterdir()
        home = folder / "home"
        home.mkdir()
        project = cls(root, home, folder / "audit.log")
        project.commit("The package")
        return project

    def git(self, *words: str) -> str:
        me = ("-c", "user.name=Tester", "-c", "user.email=tester@example.invalid", "-c", "init.defaultBranch=main")
        environment = {"PATH": PATH, "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        run = subprocess.run(
            ("git", *me, *words), cwd=self.root, env=environment, capture_output=True, text=True, timeout=180
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    def commit(self, message: str) -> None:
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def environment(self, **more: str) -> dict[str, str]:
        """All that planact gets to know: nothing of the tests' own environment, and it is watched."""
        return {
            "PATH": f"{PLANACT.parent}:{PATH}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "OPENAI_API_KEY": KEY,
            "PYTHONPATH": str(HERE / "watch"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "AUDIT_LOG": str(self.log),
            **more,
        }

    def start(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start a command of the terminal, without one."""
        return subprocess.Popen(
            (PLANACT, *words, "--json"),
            cwd=self.root,
            env=dict(environment or self.environment()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def planact(self, *words: str, model: LoopbackModel) -> Ended:
        """Run a command of the terminal with that model."""
        settings = {"PLANACT_MODEL": MODEL, "PLANACT_MODEL_ENDPOINT": model.url}
        return ended(self.start(*words, environment=self.environment(**settings)))

    def committed(self) -> dict[str, str]:
        """All texts of the last commit, by path."""
        names = self.git("ls-files", "-z").split("\0")[:-1]
        return {name: self.git("show", f"HEAD:{name}") for name in names}

    def texts(self) -> dict[str, str]:
        """Those files as they are now."""
        names = self.git("ls-files", "-z").split("\0")[:-1]
        return {name: (self.root / name).read_bytes().decode() for name in names}

    def renamed(self, **unsaved: str) -> dict[str, str]:
        """What the files must be after the plan: by another way than the model's, from the commit."""
        texts = self.committed()
        assert sum(OLD in text for text in texts.values()) == 3
        return {name: noted(text) if name == CHANGELOG else renamed(text) for name, text in texts.items()} | unsaved

    def json(self, path: str) -> Any:
        return json.loads((self.root / path).read_text("utf-8"))

    def everything_kept(self) -> bytes:
        """All bytes that planact keeps: in the workspace and in the user's home."""
        files = (file for folder in (self.root / ".planact", self.home) for file in folder.rglob("*"))
        return b"\n".join(file.read_bytes() for file in files if file.is_file())

    # --- what the processes reached for

    def audit(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    def reached(self) -> set[str]:
        """Hosts, ports and sockets of all processes."""
        return {json.dumps(entry["what"]) for entry in self.audit() if entry["event"].startswith("socket.")}

    def programs(self) -> set[str]:
        """Names of the programs that were started."""
        names = (str(entry["what"]) for entry in self.audit() if entry["event"] in ("subprocess.Popen", "os.exec"))
        return {Path(name).name for name in names}


def ended(command: subprocess.Popen[str]) -> Ended:
    """Wait for it, and end it where it doesn't end by itself."""
    with command:
        try:
            output, progress = command.communicate(timeout=LIMIT)
        finally:
            command.kill()
    return Ended(command.returncode, json.loads(output), progress)


def address(model: LoopbackModel) -> str:
    """The model's place as `Project.reached` writes it."""
    host, _, port = model.url.removeprefix("http://").removesuffix("/v1").partition(":")
    return json.dumps([host, int(port)])


class RealClient(EditorClient):
    """An editor with the real server, which may take its time."""

    async def run(self, command: str, **payload: Any) -> Any:
        params = types.ExecuteCommandParams(command=f"planact.{command}", arguments=[payload])
        return await asyncio.wait_for(self.workspace_execute_command_async(params), LIMIT)

    def use(self, **settings: Any) -> None:
        """The user changes the editor's settings."""
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams({"planact": settings}))


@contextlib.asynccontextmanager
async def real_client(
    project: Project, settings: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> AsyncIterator[RealClient]:
    """An editor on the project, that can save, with `planact serve` as a user would start it."""
    client = RealClient(project.root)
    register_lsp_features(client)
    register_answers(client)
    await client.start_io(str(PLANACT), "serve", env=dict(environment or project.environment()), cwd=project.root)
    try:
        params = types.InitializeParams(
            capable(experimental={"planact": {"save": True}}),
            process_id=os.getpid(),
            root_uri=project.root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(project.root.as_uri(), project.root.name)],
            initialization_options={"settings": dict(settings)},
        )
        await asyncio.wait_for(client.initialize_session(params), LIMIT)
        yield client
    finally:
        await asyncio.wait_for(client.shutdown_session(), LIMIT)
        await asyncio.wait_for(client.stop(), LIMIT)


def settings_of(model: LoopbackModel) -> dict[str, Any]:
    return {"model": MODEL, "modelEndpoint": model.url}
