"""Does a task with the real program and real language servers at a terminal, and counts what that took."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.cli.program import Program, Ran
from tests.fakes.loopback_model import LoopbackModel, Received, are_prefixes
from tests.real.tasks.good_model import GoodModel
from tests.real.tasks.task import Task

CACHE = Path(__file__).parents[1] / ".cache"
SERVERS = Path(__file__).parents[2] / "language_servers" / ".rig"

_TYPESCRIPT = {"strict": True, "noEmit": True, "types": [], "target": "es2022", "module": "esnext"} | {
    "moduleResolution": "bundler"
}

BESIDE: Mapping[str, Mapping[str, str]] = {
    "itemadapter": {},
    "immer": {
        "tsconfig.json": json.dumps({"compilerOptions": _TYPESCRIPT, "include": ["src", "process.d.ts"]}),
        "process.d.ts": "declare const process: {env: Record<string, string | undefined>}\n",
    },
    "hiredis": {"compile_flags.txt": "-std=gnu99\n-Wall\n"},
}
"""Files that the repositories have and the packages lack, or their like."""

WITH = {"PLANACT_LIMITS_REPAIRS": "3", "PLANACT_ACT_CONTEXT": "carry"}
WITHOUT = {"PLANACT_LIMITS_REPAIRS": "0", "PLANACT_ACT_CONTEXT": "fresh"}
"""What can be switched off of what tells an agent more: besides these, all language servers."""

_CHARACTERS = 4  # of a token
_SECONDS = 300  # servers read whole projects, on a machine that has more to do


@dataclass(frozen=True)
class Done:
    """A task that was done.

    Attributes:
        run: the record of the run of its plan.
        told_by: what told the model of its mistake.
        questions: those that the user was asked, by their purpose.
        texts: the files of the package in the end, by path, and `before` those at first.
    """

    run: dict[str, Any]
    requests: Sequence[Received]
    told_by: Sequence[str]
    questions: Mapping[str, int]
    before: Mapping[str, str]
    texts: Mapping[str, str]
    shown: str

    @property
    def tokens(self) -> int:
        """Return the tokens that the model read."""
        return sum(len(_read_by_model(request)) for request in self.requests) // _CHARACTERS

    @property
    def new_tokens(self) -> int:
        """Return those of them with which the request before didn't begin, and which a provider's cache can't have."""
        texts = ["", *map(_read_by_model, self.requests)]
        return sum(len(later) - _alike(earlier, later) for earlier, later in pairwise(texts)) // _CHARACTERS

    def in_mode(self, mode: str) -> Sequence[Received]:
        """Return the requests of Plan or of Act."""
        return [request for request in self.requests if mode_of(request) == mode]

    @property
    def is_stable(self) -> bool:
        """Each request of a mode begins with the one before."""
        return all(are_prefixes(self.in_mode(mode)) for mode in ("plan", "act"))


def mode_of(request: Received) -> str:
    tools = {tool["function"]["name"] for tool in request.json["tools"]}
    return "plan" if "write_plan" in tools else "act"


def do(task: Task, folder: Path, *, is_informed: bool = True, is_careless: bool = False) -> Done:
    """Do a task in a new copy of its package: with all that tells the model of its mistakes, or without. A careless
    model passes over what the results of its edits say.
    """
    for installed in (CACHE, SERVERS):
        assert (installed / "stamp").exists(), f"{installed} is missing. To get it, run: {installed.parent / 'install'}"
    root, home = folder / task.package, folder / "home"
    unpack(task, root)
    home.mkdir()
    before = _texts(root)
    model = GoodModel(task, is_careless)
    program = Program(root, home, {"PATH": search_path(), "OPENAI_API_KEY": "sk-test"}, seconds=_SECONDS)
    program.variables |= {"PLANACT_LANGUAGE_SERVERS": json.dumps(_servers(task, is_informed=is_informed))}
    program.variables |= WITH if is_informed else WITHOUT
    answers = [{"match": "^failed$", "answer": "Retry", "times": 2}, {"match": "called", "answer": task.question[1]}]
    (folder / "answers.yaml").write_text(json.dumps(answers))
    with LoopbackModel(model) as server:
        program.variables["PLANACT_MODEL_ENDPOINT"] = server.url

        def planact(*words: str) -> Ran:
            ran = program.run(*words, model="openai/gpt-4.1")
            assert ran.code == 0, (task.name, words, ran, server.failures)
            return ran

        planact("trust")
        answered = ("--answers", str(folder / "answers.yaml"), "--json")
        plan = planact("plan", task.request, *answered).json
        planact("plan", "approve", plan["plan_id"], "--hash", plan["plan_hash"])
        run = planact("act", plan["plan_id"], *answered).json
        questions = planact("metrics", "--json").json["questions"]["by_purpose"]
        shown = planact("executions", "show", run["id"]).out
    return Done(run, server.requests, model.told_by, questions, before, _texts(root), shown)


def search_path() -> str:
    """Return the folders of programs: the tests' Python first, which has the packages that the tasks' tests need."""
    here = Path(sys.executable).parent
    return f"{here}:{SERVERS}/python/bin:{SERVERS}/node_modules/.bin:/usr/local/bin:/usr/bin:/bin"


def unpack(task: Task, root: Path) -> None:
    """Put the package of a task into a new folder."""
    if task.package == "itemadapter":
        (sdist,) = CACHE.glob("itemadapter-*.tar.gz")
        root.mkdir()
        subprocess.run(("tar", "-xzf", sdist, "--strip-components=1"), cwd=root, check=True, timeout=180)
    else:
        shutil.copytree(CACHE / "node_modules" / task.package, root)
    for name, text in BESIDE[task.package].items():
        (root / name).write_text(text)


def _servers(task: Task, *, is_informed: bool) -> dict[str, Any]:
    """Return the setting that leaves the task's language server alone to be started, or none."""
    names = ("ty", "basedpyright", "pyright", "typescript-language-server", "clangd")
    return {name: {"disabled": True} for name in names if name != task.server or not is_informed}


def _texts(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file() and not {".planact", "__pycache__"} & {*path.parts})
    return {str(path.relative_to(root)): path.read_bytes().decode("utf-8", "replace") for path in files}


def _read_by_model(request: Received) -> str:
    return json.dumps([request.json["tools"], request.json["messages"]], ensure_ascii=False)


def _alike(one: str, other: str) -> int:
    """Return how many characters the texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
