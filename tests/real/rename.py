"""The model that renames a function in a real package, playing planner and actor.

Every name of a file and every `old` of an edit is made of what tools returned. Where that lacks what a model would
need, or the approved plan isn't in the prompt, it raises, and so fails the test.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.loopback_model import Call, Fault, Say, last_user, plan_in, results

OLD, NEW = "_is_pydantic_model", "_is_pydantic_v2_model"
REQUEST = f"Rename `{OLD}` to `{NEW}`, since it stands beside one for v1, and note it in the changelog.\n"
CHANGELOG = "Changelog.md"
NOTE = f"Renamed the internal function `{OLD}` to `{NEW}`."
OWN_TESTS = "python -m pytest -q -p no:cacheprovider tests"

_HIT = re.compile(r"^([^:\n]+):(\d+): (.*)$", re.MULTILINE)
_HEADER = re.compile(r"^(\S+): lines 1-(\d+) of \2, ")
_TASK = re.compile(r"^\[planact\] Carry out step (\d+) of \d+: (.*?)\. Files: (.*)\.$")


def renamed(text: str) -> str:
    return re.sub(rf"\b{OLD}\b", NEW, text)


def noted(changelog: str) -> str:
    """The changelog with an entry above its first one."""
    first = next(line for line in changelog.splitlines() if line.startswith("### "))
    return changelog.replace(first, f"### Unreleased\n\n{NOTE}\n\n{first}", 1)


@dataclass
class Renamer:
    """`before` are answers to give first, instead of its own, to requests in `plan`, in `act`, or about `step 2`."""

    check: str = OWN_TESTS
    before: dict[str, list[Say | Fault]] = field(default_factory=dict)

    def __call__(self, request: dict[str, Any]) -> Say | Fault:
        tools = {tool["function"]["name"] for tool in request["tools"]}
        mode = "plan" if "write_plan" in tools else "act"
        task = _TASK.match(last_user(request))
        for when in (mode, f"step {task[1]}" if task else ""):
            if self.before.get(when):
                return self.before[when].pop(0)
        if mode == "plan":
            assert not tools & {"update_file", "create_file", "delete_file"}, tools
            return self._plan(request)
        return _act(request)

    def _plan(self, request: dict[str, Any]) -> Say:
        assert OLD in last_user(request), f"the request did not arrive: {last_user(request)!r}"
        hits = [hit for text in results(request, "search_code") for hit in _HIT.findall(text)]
        files = _files_read(request)
        if not results(request, "search_code"):
            return _calls(request, "search_code", [{"pattern": OLD, "is_literal": True, "glob": "*.py"}])
        assert hits, f"the search found nothing to go by: {results(request, 'search_code')}"
        if not files:
            paths = [*dict.fromkeys(path for path, _, _ in hits), CHANGELOG]
            return _calls(request, "read_file", [{"path": path} for path in paths])
        if not any(text.startswith("The plan is in ") for text in results(request, "write_plan")):
            return _calls(request, "write_plan", [self._submitted(hits, files)])
        return Say("The plan is ready.")

    def _submitted(self, hits: Sequence[tuple[str, str, str]], files: Mapping[str, str]) -> dict[str, Any]:
        missing = {path for path, _, _ in hits if OLD not in files.get(path, "")} | ({CHANGELOG} - set(files))
        assert not missing, f"not read: {missing}"
        defining = next(path for path, _, line in hits if line.lstrip().startswith(f"def {OLD}("))
        callers = sorted({path for path, _, _ in hits} - {defining})
        tools = ["read_file", "update_file"]
        return {
            "goal": f"Rename `{OLD}` to `{NEW}`",
            "steps": [
                {
                    "action": f"Rename the function in `{defining}`",
                    "reason": "its name does not tell it from the one for v1",
                    "tools_needed": tools,
                    "files": [defining],
                },
                {
                    "action": "Update the callers",
                    "reason": "they use the old name",
                    "tools_needed": tools,
                    "files": callers,
                    "validation_checks": [f"! grep -rn {OLD} {defining.partition('/')[0]}"],
                },
                {
                    "action": f"Add a line to `{CHANGELOG}`",
                    "reason": "the request asks for it",
                    "tools_needed": tools,
                    "files": [CHANGELOG],
                },
            ],
            "validation": [f"`{self.check}`"],
        }


def _act(request: dict[str, Any]) -> Say:
    pinned = plan_in(request)
    assert pinned, "no plan is pinned"
    task = _TASK.match(last_user(request))
    assert task, f"not a step: {last_user(request)!r}"
    number, action, named = task.groups()
    assert f"{number}. {action}" in pinned, f"step {number} is not in the pinned plan:\n{pinned}"
    paths = named.split(", ")
    here = _since_last_user(request)
    files = _files_read(here)
    if not files:
        return _calls(request, "read_file", [{"path": path} for path in paths])
    made = [text for text in results(here, "update_file") if text.startswith("changed ")]
    if len(made) < len(paths):
        changes = [{"path": path, "edits": _edits(path, files[path])} for path in paths]
        return _calls(request, "update_file", changes)
    return Say(f"Changed {named}.")


def _calls(request: Mapping[str, Any], tool: str, arguments: Sequence[Mapping[str, Any]]) -> Say:
    """Calls with ids of their own, as providers give them."""
    turn = len(request["messages"])
    return Say(calls=[Call(tool, each, f"call_{turn}_{number}") for number, each in enumerate(arguments)])


def _edits(path: str, text: str) -> Sequence[dict[str, str]]:
    if path == CHANGELOG:
        old = next(line for line in text.splitlines() if line.startswith("### "))
        return [{"old": old, "new": f"### Unreleased\n\n{NOTE}\n\n{old}"}]
    lines = [line for line in text.splitlines() if re.search(rf"\b{OLD}\b", line)]
    assert lines, f"{path} as it was read has no {OLD}"
    return [{"old": line, "new": renamed(line)} for line in lines]


def _files_read(request: Mapping[str, Any]) -> dict[str, str]:
    """The whole files among the results, by path, without the numbers of their lines."""
    found: dict[str, str] = {}
    for result in results(request, "read_file"):
        if header := _HEADER.match(result):
            lines = result.split("\n")[1:]
            found[header[1]] = "\n".join(line.partition("\t")[2] for line in lines)
    return found


def _since_last_user(request: Mapping[str, Any]) -> Mapping[str, Any]:
    messages = request["messages"]
    last = max(place for place, message in enumerate(messages) if message["role"] == "user")
    return {"messages": messages[last:]}
