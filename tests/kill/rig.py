"""A workspace, a home and a plan that uses everything a run can write down, and what must be so after every kill."""

import json
import os
import shutil
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from planact.plan.approval import approval_hash
from tests.cli.program import Ran
from tests.fakes.zygote import Zygote

PLAN_PATH = ".planact/plans/plan_20261120_kkkk-everything.plan"

PLAN = """---
format_version: "1.0"
id: plan_20261120_kkkk
status: draft
---
# Do everything once

## Steps
- [ ] 1. Change and make files
  - reason: two calls that write
  - tools: update_file, create_file
  - files: a.txt, made.txt
  - check: `grep -q new a.txt`
- [ ] 2. Run `echo ran >> ran.log`
  - reason: what a command did can't be looked up
  - tools: execute_command
  - files: ran.log
  - check: `grep -q ran ran.log`
- [ ] 3. Move and delete
  - reason: files go, too
  - tools: rename_file, delete_file
  - files: b.txt, moved.txt, gone.txt
  - check: `test -f moved.txt`
- [ ] 4. Ask, and write what they say
  - reason: only the user knows
  - tools: ask_user, create_file
  - files: said.txt
  - check: `grep -q warm said.txt`
- [ ] 5. Do what nobody planned
  - reason: a deviation, a refusal, and a command that touches what git runs
  - tools: create_file, execute_command
  - files: planned.txt
  - check: `test -f planned.txt`
"""


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


TONE = {
    "name": "tone",
    "question": "Which tone?",
    "options": [{"label": "Warm", "value": "warm"}, {"label": "Cool", "value": "cool"}],
}

SCENES = {
    1: [
        [call("read_file", path="a.txt")],
        [
            call("update_file", path="a.txt", edits=[{"old": "old", "new": "new"}]),
            call("create_file", path="made.txt", content="made\n" * 2_000),
        ],
    ],
    2: [[call("execute_command", command="echo ran >> ran.log")]],
    3: [
        [call("rename_file", path="b.txt", new_path="moved.txt")],
        [call("rename_file", path="b.txt", new_path="moved.txt")],  # fails: it isn't there any more
        [call("delete_file", path="gone.txt")],
    ],
    4: [[call("ask_user", questions=[TONE])], [call("create_file", path="said.txt", content="${tone}\n")]],
    5: [
        [call("create_file", path=".git/hooks/pre-push", content="x")],
        [call("create_file", path="unplanned.txt", content="x\n")],
        [call("execute_command", command="echo touched >> touched.log; echo x > .git/hooks/pre-commit")],
    ],
}
REPAIR = [[call("create_file", path="planned.txt", content="x\n")]]
"""Comes when the check of step 5 has failed."""

BEFORE = {"a.txt": "old\n", "b.txt": "bee\n", "gone.txt": "going\n", ".git/hooks/sample": "#\n"}
AFTER = {
    "a.txt": "new\n",
    "made.txt": "made\n" * 2_000,
    "moved.txt": "bee\n",
    "said.txt": "warm\n",
    "planned.txt": "x\n",
    "unplanned.txt": "x\n",
    ".git/hooks/sample": "#\n",
    ".git/hooks/pre-commit": "x\n",
}
LOGS = {"ran.log": "ran\n", "touched.log": "touched\n"}
"""What commands write, a line each time they run."""

ANSWERS = [
    {"match": "^tone$", "answer": "warm"},
    {"match": "^interrupted$", "answer": "again"},
    {"match": "^protected$", "answer": "keep"},
]


APPROVED = approval_hash(PLAN)


@dataclass
class Rig:
    """One workspace."""

    root: Path
    zygote: Zygote
    variables: dict[str, str] = field(
        default_factory=lambda: {"PLANACT_APPROVAL": "acceptAll", "PLANACT_CHECKS_BEFORE": "on"}
    )

    def __post_init__(self) -> None:
        self.folder, self.home = self.root / "work", self.root / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        for name, text in {**BEFORE, PLAN_PATH: PLAN}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self.home / "model.yaml").write_text(yaml.safe_dump({"scenes": scenes()}))
        (self.home / "answers.yaml").write_text(yaml.safe_dump(ANSWERS))

    def run(self, *words: str, **order: Any) -> Ran:
        environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PLANACT_MODEL": f"scripted:{self.home / 'model.yaml'}",
            **self.variables,
        }
        output = str(self.home / "output")
        code = self.zygote.run(words=words, folder=str(self.folder), environment=environment, output=output, **order)
        return Ran(code, Path(f"{output}.out").read_text(), Path(f"{output}.err").read_text())

    def act(self, **order: Any) -> Ran:
        return self.run(
            "act", PLAN_PATH, "--hash", APPROVED, "--answers", str(self.home / "answers.yaml"), "--json", **order
        )

    def go_on(self, **order: Any) -> Ran:
        """Go on with the run that was killed, or begin one where none is known."""
        ran = self.run("resume", "--answers", str(self.home / "answers.yaml"), "--json", **order)
        return self.act(**order) if "EXECUTION_NOT_FOUND" in ran.out else ran

    def answers(self, *names: str) -> None:
        """Let the file of answers have these only."""
        kept = [answer for answer in ANSWERS if answer["match"].strip("^$") in names]
        (self.home / "answers.yaml").write_text(yaml.safe_dump(kept))

    @property
    def moments(self) -> int:
        """How many moments the last run had in which it could have been killed."""
        return int((self.home / "output.count").read_text())

    def rows(self, sql: str) -> list[Any]:
        """What the state database holds, looked at without planact."""
        for database in self.home.rglob("state.db"):
            try:
                return rows_of(database, sql)
            except sqlite3.OperationalError as error:
                if "readonly" not in str(error):
                    raise
            # A kill while the file was made leaves what SQLite takes back before it reads, which is planact's to do.
            with TemporaryDirectory() as folder:
                for part in database.parent.glob("state.db*"):
                    shutil.copy(part, folder)
                return rows_of(Path(folder, database.name), sql, "rw")
        return []

    def entries(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Execution, kind and data of the journal, in order."""
        rows = self.rows("SELECT execution_id, kind, data FROM journal ORDER BY sequence")
        return [(execution, kind, json.loads(data)) for execution, kind, data in rows]

    def remove(self) -> None:
        shutil.rmtree(self.root)


def rows_of(database: Path, sql: str, mode: str = "ro") -> list[Any]:
    connection = sqlite3.connect(f"{database.as_uri()}?mode={mode}", uri=True)
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        return []  # it was killed, or refused, before it had made any
    finally:
        connection.close()


def scenes() -> list[dict[str, Any]]:
    repair = [*({"calls": calls} for calls in REPAIR), {"say": "Repaired."}]
    made = [{"mode": "act", "when": r"Repair \d of 3 of step 5", "turns": repair}]
    for number, turns in SCENES.items():
        steps: list[dict[str, Any]] = [{"calls": calls} for calls in turns]
        if number == 4:
            steps[1]["find"] = [{"name": "tone", "in": "ask_user", "pattern": '"tone": "(\\w+)"'}]
        made.append({"mode": "act", "when": f"Carry out step {number} ", "turns": [*steps, {"say": "Done."}]})
    return made
