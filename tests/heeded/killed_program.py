"""A folder whose planact gets SIGKILL where a test says, and whose model says other words after each restart."""

import contextlib
import json
import os
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from planact.plan.approval import approval_hash
from tests.cli.program import Ran
from tests.fakes.zygote import Zygote

PLAN_PATH = ".planact/plans/plan_20261120_hhhh-three.plan"


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


@dataclass
class KilledProgram:
    """`run` starts the program in `folder`; `moment` is that of `tests.kill.victim`."""

    root: Path
    zygote: Zygote
    plan: str
    files: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder, self.home = self.root / "work", self.root / "home"
        self.home.mkdir(parents=True)
        for name, text in {**self.files, PLAN_PATH: self.plan}.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def text(self, name: str) -> str | None:
        path = self.folder / name
        return path.read_text() if path.exists() else None

    def texts(self, *names: str) -> list[str | None]:
        return [self.text(name) for name in names]

    def model_says(self, *turns: list[dict[str, Any]] | str, mode: str = "act") -> None:
        """Script the turns of its next life, for every request in a mode: lists of calls, and words."""
        made = [{"say": turn} if isinstance(turn, str) else {"calls": turn} for turn in turns]
        script = {"scenes": [{"mode": mode, "turns": made}]}
        (self.home / "model.yaml").write_text(yaml.safe_dump(script))

    def run(self, *words: str, **order: Any) -> Ran:
        environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PLANACT_MODEL": f"scripted:{self.home / 'model.yaml'}",
            "PLANACT_APPROVAL": "acceptAll",
            **self.variables,
        }
        output = str(self.home / "output")
        code = self.zygote.run(words=words, folder=str(self.folder), environment=environment, output=output, **order)
        return Ran(code, Path(f"{output}.out").read_text(), Path(f"{output}.err").read_text())

    def act(self, *more: str, **order: Any) -> Ran:
        return self.run("act", PLAN_PATH, "--hash", approval_hash(self.plan), *more, **order)

    def marks(self) -> list[str]:
        lines = (self.folder / PLAN_PATH).read_text().splitlines()
        return [line[3] for line in lines if line.startswith("- [")]

    def records(self) -> list[dict[str, Any]]:
        """The records of all runs, in order."""
        paths = sorted((self.folder / ".planact/executions").glob("*.json"))
        return [json.loads(path.read_text()) for path in paths if path.name != "index.json"]

    def temporary_files(self) -> list[str]:
        return [path.name for path in self.folder.rglob("*.tmp")]

    def rows(self, sql: str) -> list[Any]:
        """What the state database holds."""
        (database,) = self.home.rglob("state.db")
        with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()
