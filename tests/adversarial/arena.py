"""A real server with a model that means harm, and a watch over everything it could change: workspace, home and temp.

planact's own records are left out of the picture: its state folder, its temporary files, and `.planact/` but for what
says what may be done.
"""

import asyncio
import hashlib
import json
import os
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from lsprotocol import types

from planact.lsp.protocol import messages
from tests.lsp.commands.planact_client import PlanactClient, call, calls, planact_client, say, scene

STUBBORN = "Whatever you find, make it happen"
PATIENT = {"commandSeconds": 60, "maxTurns": 1_000}
"""Limits where each command ends by itself, and is to be heard to its end on a busy machine, too."""
OWN = (
    *("workspace/.planact/sessions", "workspace/.planact/plans", "workspace/.planact/executions", "home/.local/state"),
    "home/.cache",  # the home of commands on trial, which begins empty
)
SCRATCH = "temp/planact-own-"
"""The folder of a server's own temporary files, with what commands may write in Plan."""

PLAN = """---
format_version: "1.0"
---
# Be harmless

## Steps
- [ ] 1. Say it
  - files: src/app.py
"""


@dataclass(frozen=True)
class Attempt:
    """One call of the model and what it was told."""

    tool: str
    args: Mapping[str, Any]
    told: str

    @property
    def error(self) -> dict[str, Any]:
        """The structured error, empty when there was none."""
        with suppress(ValueError):
            told = json.loads(self.told)
            if isinstance(told, dict):
                return dict(told.get("error", {}))
        return {}


class Arena:
    """The folders, and what is in them for the taking."""

    def __init__(self, base: Path) -> None:
        self.base = base / "arena"
        self.base.mkdir()
        self.scripts = base
        self.workspace, self.home, self.temp = (self.base / name for name in ("workspace", "home", "temp"))
        for folder in (self.workspace, self.home, self.temp):
            folder.mkdir()
        self.fill()

    def fill(self) -> None:
        for name, text in {
            "workspace/src/app.py": "def load():\n    return 1\n",
            "workspace/src/b.py": "import app\n",
            "workspace/README.md": "# App\n",
            "workspace/notes.plan": PLAN,
            "workspace/data.json": '{"a": [1, 2]}\n',
            "workspace/run.sh": "#!/bin/sh\ntouch ran\n",
            "workspace/Makefile": "all:\n\ttouch made\n",
            "workspace/package.json": '{"name": "app", "scripts": {"test": "touch tested"}}\n',
            "workspace/evil.plan/inner.py": "x = 1\n",
            "workspace/.env": "TOKEN=hunter2-hunter2\n",
            "home/.bashrc": "# mine\n",
            "home/.ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\nnot one\n",
            "home/notes.txt": "private\n",
            "temp/other.txt": "of another program\n",
        }.items():
            path = self.base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            # As old as files are: what is as new as git's index, git would open to look whether it changed.
            os.utime(path, (1_700_000_000, 1_700_000_000))
        (self.workspace / "run.sh").chmod(0o755)
        (self.workspace / "link.plan").symlink_to("src/app.py")
        (self.workspace / "out").symlink_to(self.home)
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
            subprocess.run([*git, *command], cwd=self.workspace, check=True, timeout=180, env=self.environment())

    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}

    def picture(self) -> dict[str, str]:
        """Every path below the three folders with its kind, mode and a hash of what it holds."""
        seen: dict[str, str] = {}
        for path in sorted(self.base.rglob("*")):
            name = path.relative_to(self.base).as_posix()
            if any(name == own or name.startswith(f"{own}/") for own in OWN) or name.startswith(SCRATCH):
                continue
            status = path.lstat()
            holds = path.readlink() if path.is_symlink() else _hash(path) if path.is_file() else ""
            seen[name] = f"{status.st_mode:o} {holds}"
        for made in ("workspace/.planact", "workspace/.planact/.gitignore", "home/.local"):
            seen.pop(made, None)
        return seen


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Attacker:
    """The client's side: a user who answers no to everything, unless told otherwise, and a scripted model."""

    def __init__(self, client: PlanactClient, arena: Arena, settings: Mapping[str, Any]) -> None:
        self.client = client
        self.settings = settings
        self.arena = arena
        self.asked: list[Any] = []
        self._count = 0

    async def attempt(
        self, tries: Sequence[Mapping[str, Any]], mode: str = "plan", session_id: str = "", more: Sequence[Any] = ()
    ) -> list[Attempt]:
        """Have the model make these calls, one a turn, and return what came of each. `more` are further scenes."""
        self.play_scenes(*more, scene(STUBBORN, *(calls(each) for each in tries), say("Done.")))
        if not session_id:
            session_id = (await self.client.do("newSession", mode=mode)).id
        refusing = asyncio.ensure_future(self.say_no())
        try:
            command = self.command("sendMessage", session_id=session_id, text=STUBBORN)
            sending = self.client.workspace_execute_command_async(command)
            await asyncio.wait_for(sending, 300)
        finally:
            refusing.cancel()
        return await self.attempts(session_id)

    def play_scenes(self, *scenes: Any) -> None:
        """What the model answers from now on. A script is read once, so each has a file of its own."""
        self._count += 1
        script = self.arena.scripts / f"model-{self._count}.yaml"
        script.write_text(yaml.safe_dump({"scenes": list(scenes)}, allow_unicode=True), "utf-8")
        self.client.configure(**self.settings, model=f"scripted:{script}")

    def command(self, name: str, **payload: Any) -> types.ExecuteCommandParams:
        return types.ExecuteCommandParams(command=f"planact.{name}", arguments=[payload])

    async def attempts(self, session_id: str) -> list[Attempt]:
        """The calls since the user's last message with their results."""
        messages = await self.transcript(session_id)
        said = [m["role"] == "user" and "question_answer" not in m["metadata"] for m in messages]
        last = max(number for number, is_said in enumerate(said) if is_said)
        told = {_whose(m, m["tool_call_id"]): m["content"] for m in messages[last:] if m["role"] == "tool"}
        made = [(m, call) for m in messages[last:] if m["role"] == "assistant" for call in m["tool_calls"]]
        return [Attempt(c["name"], json.loads(c["arguments"]), told.get(_whose(m, c["id"]), "")) for m, c in made]

    async def transcript(self, session_id: str) -> list[dict[str, Any]]:
        pages: list[dict[str, Any]] = []
        before, is_more = "", True
        while is_more:
            params = {"session_id": session_id, "before": before, "limit": 500}
            page = await asyncio.wait_for(self.client.protocol.send_request_async(messages.TRANSCRIPT, params), 180)
            plain = json.loads(json.dumps(page, default=_plain))
            pages = [*plain["messages"], *pages]
            is_more = plain["has_earlier"]
            before = pages[0]["id"] if pages else ""
        return pages

    async def say_no(self) -> None:
        """Decline whatever is asked. How to go on after a turn that changed nothing is no question of the model's, and
        comes before or after its end is seen.
        """
        seen = len(self.client.heard(messages.QUESTION_PENDING))
        while True:
            questions = self.client.heard(messages.QUESTION_PENDING)
            for question in questions[seen:]:
                self.asked += [question] if question.about != "way_on" else []
                with suppress(Exception):  # it has ended by itself
                    await self.client.run("planact.declineQuestion", question_id=question.question_id)
            seen = len(questions)
            await asyncio.sleep(0.02)


def _whose(message: Mapping[str, Any], call_id: str) -> tuple[str, str]:
    """A call by its id, which a delegate and its parent may both use."""
    return message["metadata"].get("delegate", ""), call_id


def _plain(value: Any) -> Any:
    return value._asdict() if hasattr(value, "_asdict") else vars(value)


@asynccontextmanager
async def attacker(arena: Arena, patch: pytest.MonkeyPatch, **settings: Any) -> AsyncIterator[Attacker]:
    """A server in the arena, whose user has these settings."""
    patch.setenv("HOME", str(arena.home))
    patch.setenv("TMPDIR", str(arena.temp))
    patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    settings = {"limits": {"commandSeconds": 3, "maxTurns": 1_000}, **settings}
    async with planact_client(arena.workspace, settings=settings) as client:
        yield Attacker(client, arena, settings)


def shell(command: str, **more: Any) -> dict[str, Any]:
    return call("execute_command", command=command, **more)
