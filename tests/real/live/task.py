"""A small task in a throw-away repository, which a model does through the real program: what it is able to do."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from planact.model.runs.metrics import Spent

Outcome = Literal["pass", "FAIL", "not tried"]

COLOURS = "# The house\n\ndoor: ?\nroof: grey\nwalls: white\n"
WORD = "heliotrope"
CHECK = '''"""Exits with 0 once the door is painted and the list is sealed."""

import hashlib
import pathlib
import sys

lines = pathlib.Path("colours.txt").read_text("utf-8").splitlines()
body = [line for line in lines if not line.startswith("seal: ")]
if not {"door: red", "door: blue"} & {*body}:
    sys.exit("colours.txt: the door is neither red nor blue")
seal = "seal: " + hashlib.sha256("\\n".join(body).encode()).hexdigest()[:8]
if lines[-1] != seal:
    sys.exit(f"colours.txt needs this as its last line, and no other seal: {seal}")
'''
FILES = {"colours.txt": COLOURS, "check.py": CHECK, "notes/word.txt": f"The word of the day is {WORD}.\n"}
READING = "Which word of the day stands in notes/word.txt? Answer in one sentence."
REQUEST = (
    "The door in colours.txt has no colour yet. First ask me which one it gets, with the two choices `red` and `blue`. "
    "Then plan one step, which puts my colour in place of the question mark. Its check is `python3 check.py`."
)
ANSWERS = [
    {"match": "^approval$", "decline": True},
    {"match": ".", "answer": "blue", "times": 3},
]


@dataclass(frozen=True)
class Ability:
    """A line of the report; `remark` says why not, or how."""

    name: str
    outcome: Outcome
    remark: str = ""


@dataclass(frozen=True)
class Ran:
    """A command that ended, and what it printed."""

    code: int
    data: Mapping[str, Any]
    progress: str

    @property
    def reason(self) -> str:
        """Why it came to nothing, in one line."""
        error = self.data.get("error") or {}
        asked = [each["question"] for each in (self.data.get("waiting") or {}).get("questions", ())]
        told = (
            error.get("message", ""),
            f"no answer fits: {'; '.join(asked)}" if asked else "",
            str(self.data.get("reason") or ""),
            next((step["error"] for step in self.data.get("steps", ()) if step["error"]), ""),
            (self.progress.strip().splitlines() or [""])[-1],
            f"exit code {self.code}",
        )
        return " ".join(next(filter(None, told)).split())


class Task:
    """The repository below `folder`, with state of its own, and the program that works in it. One command of it may
    take so many `seconds`; a model on one's own machine is slow.
    """

    def __init__(self, folder: Path, model: str, environment: Mapping[str, str], seconds: float = 900) -> None:
        self.root = folder / "house"
        self._model, self._seconds = model, seconds
        self._answers = folder / "answers.yaml"
        self._answers.write_text(json.dumps(ANSWERS), "utf-8")
        self._environment = {**environment, "XDG_STATE_HOME": str(folder / "state")}
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, "utf-8")
        who = ("-c", "user.name=planact", "-c", "user.email=live@planact.invalid", "-c", "commit.gpgsign=false")
        for step in (("init", "--quiet"), ("add", "--all"), (*who, "commit", "--quiet", "--message", "A house")):
            subprocess.run(("git", *step), cwd=self.root, check=True, timeout=180)

    @property
    def colours(self) -> str:
        return (self.root / "colours.txt").read_text("utf-8")

    def abilities(self) -> Iterator[Ability]:
        """Do the task, and yield each ability as soon as it has shown."""
        yield self._reads()
        planned = self._planact("plan", REQUEST)
        yield self._plans(planned)
        yield self._asks()
        if "plan_id" not in planned.data:
            yield from (Ability(name, "not tried", "there is no plan") for name in ("edits", "repairs", "undoes"))
            return
        ran = self._planact("act", planned.data["plan_id"], "--yes")
        yield self._edits(ran)
        yield _repairs(ran)
        yield self._undoes(ran)

    def spent(self) -> Spent:
        """Return the tokens and the cost of all requests so far."""
        return Spent.model_validate(self._planact("metrics").data["total"])

    def _reads(self) -> Ability:
        said = self._planact("chat", READING)
        text = str(said.data.get("text", ""))
        if WORD in text:
            return Ability("reads", "pass")
        return Ability("reads", "FAIL", f"it said: {' '.join(text.split())[:100]}" if text else said.reason)

    def _plans(self, planned: Ran) -> Ability:
        if planned.code:
            return Ability("plans", "FAIL", planned.reason)
        text = (self.root / planned.data["path"]).read_text("utf-8")
        lacks = next((each for each in ("colours.txt", "python3 check.py") if each not in text), "")
        if lacks or self.colours != COLOURS:
            return Ability("plans", "FAIL", f"the plan doesn't name {lacks}" if lacks else "colours.txt was changed")
        return Ability("plans", "pass", planned.data["path"])

    def _asks(self) -> Ability:
        asked = self._planact("metrics").data["questions"]["by_purpose"].get("agent", 0)
        return Ability("asks", "pass") if asked else Ability("asks", "FAIL", "it asked nothing")

    def _edits(self, ran: Ran) -> Ability:
        wanted = COLOURS.replace("?", "blue").splitlines()
        if self.colours.splitlines()[: len(wanted)] == wanted:
            return Ability("edits", "pass")
        is_other = self.colours != COLOURS
        return Ability("edits", "FAIL", "colours.txt isn't as it was to be" if is_other else ran.reason)

    def _undoes(self, ran: Ran) -> Ability:
        if self.colours == COLOURS:
            return Ability("undoes", "not tried", "nothing was changed")
        undone = self._planact("rollback", ran.data.get("id", ""), "--yes")
        if self.colours == COLOURS:
            return Ability("undoes", "pass")
        return Ability("undoes", "FAIL", undone.reason if undone.code else "colours.txt isn't as before")

    def _planact(self, *words: str) -> Ran:
        try:
            code, out, err = self._run((*words, "--json", "--answers", str(self._answers), "--model", self._model))
        except subprocess.TimeoutExpired:
            return Ran(1, {}, f"planact {words[0]} didn't end within {self._seconds:g} s")
        return Ran(code, json.loads(out or "{}"), err)

    def _run(self, words: Sequence[str]) -> tuple[int, str, str]:
        done = subprocess.run(
            (sys.executable, "-m", "planact", *words),
            cwd=self.root,
            env={**self._environment, "PYTHONSAFEPATH": "1"},  # the repository's check.py is no module of ours
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=self._seconds,
        )
        return done.returncode, done.stdout, done.stderr


def _repairs(ran: Ran) -> Ability:
    """Say whether a failing check was repaired in its step: as the model ran it, or at the step's end."""
    steps = ran.data.get("steps", ())
    ended = [check["passed"] for step in steps for check in step["checks"]]
    tried = [each["exit_code"] == 0 for step in steps for each in step["evidence"] if "check.py" in each["about"]]
    if not ended:
        return Ability("repairs", "not tried", "no check ran")
    if not ended[-1]:
        return Ability("repairs", "FAIL", f"the check still fails: {ran.reason}")
    if all(tried) and not any(step["repairs"] for step in steps):
        return Ability("repairs", "not tried", "the check passed at once")
    return Ability("repairs", "pass")
