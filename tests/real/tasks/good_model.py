"""A model that does a task as a good one would: it makes the mistake, and repairs it where it is told of it.

Nothing that it does rests on how planact is set, and a mistake that it isn't told of stays.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.loopback_model import Call, Say, last_user, plan_in, results, text_of
from tests.real.tasks.task import ANSWER, Change, Task

_READ = re.compile(r"^(\S+): lines 1-(\d+) of \2, ")
_NAMED = re.compile(r"named `(\w+)`")
_LATER = re.compile(r"hasn't checked (\S+) yet")
_MADE = ("changed ", "created ", "renamed ")
EDITING = ("update_file", "create_file", "rename_symbol")
OFFERED = ("sdsshorten", "sdscut")


@dataclass
class GoodModel:
    """`told_by` says what told the mistake, in order: an edit's own result, a later one, or a message. A careless model
    heeds messages alone.
    """

    task: Task
    is_careless: bool = False
    told_by: list[str] = field(default_factory=list)

    def __call__(self, request: dict[str, Any]) -> Say:
        tools = {tool["function"]["name"] for tool in request["tools"]}
        call = self._plan(request) if "write_plan" in tools else self._act(request)
        if isinstance(call, str):
            return Say(call)
        calls = [call] if isinstance(call, Call) else call
        turn = len(request["messages"])
        return Say(calls=[Call(each.name, each.arguments, f"call_{turn}_{n}") for n, each in enumerate(calls)])

    def _plan(self, request: Mapping[str, Any]) -> Call | Sequence[Call] | str:
        task = self.task
        if unread := self._unread(request):
            assert task.request in last_user(request), f"the request did not arrive: {last_user(request)!r}"
            return unread
        if task.rename and not results(request, "find_references"):
            return Call("find_references", self._name(task.rename.name))
        answer = ""
        if task.question[0]:
            if not (answers := results(request, "ask_user")):
                options = [{"label": name, "value": name} for name in OFFERED]
                return Call("ask_user", {"questions": [{"question": task.question[0], "options": options}]})
            (answer,) = [name for name in OFFERED if name in answers[-1]]
        if not any(text.startswith("The plan is in ") for text in results(request, "write_plan")):
            named = f", named `{answer}`" if answer else ""
            step = {
                "action": f"{task.request.rstrip('.')}{named}",
                "reason": "the request asks for it",
                "files": task.files,
                "tools_needed": ["read_file", *EDITING],
                "validation_checks": [task.check],
            }
            return Call("write_plan", {"goal": task.request.rstrip("."), "steps": [step]})
        return "The plan is ready."

    def _act(self, request: Mapping[str, Any]) -> Call | Sequence[Call] | str:
        task = self.task
        pinned = plan_in(request)
        assert task.request.rstrip(".") in pinned, f"the plan is not in the request: {pinned!r}"
        if unread := self._unread(request):
            return unread
        named = _NAMED.search(pinned)
        if task.told_by == "edit" and not results(request, "get_diagnostics"):
            return Call("get_diagnostics", {"path": task.files[0]})  # what is amiss before
        work, repair = self._calls(request, named[1] if named else "")
        messages, made = request["messages"], _edits_made(request)
        if later := _LATER.findall(text_of(messages[-1])):
            return [Call("get_diagnostics", {"path": path}) for path in later]
        if len(made) < len(work):
            return work[len(made)]
        told = next((place for place in range(made[len(work) - 1], len(messages)) if self._tells(messages[place])), 0)
        if not told:
            return "Done."
        if len(made) == len(work):
            is_own, is_result = told == made[-1], messages[told]["role"] == "tool"
            self.told_by.append("own result" if is_own else "later result" if is_result else "message")
        left = repair[len(made) - len(work) :]
        return left[0] if left else "Done, with a mistake repaired."

    def _tells(self, message: Mapping[str, Any]) -> bool:
        """Return whether a message that isn't the model's tells the mistake."""
        heeded = ("user",) if self.is_careless else ("user", "tool")
        return message["role"] in heeded and any(words in text_of(message) for words in self.task.told)

    def _calls(self, request: Mapping[str, Any], answer: str) -> tuple[Sequence[Call], Sequence[Call]]:
        """Return the calls of the work, and those that repair it."""
        if self.task.rename:
            return self._renaming(request)
        changes = [
            Change(change.path, *(text.replace(ANSWER, answer) for text in (change.old, change.new, change.mistake)))
            for change in self.task.changes
        ]
        return (
            [_change(change.path, change.old, change.mistake or change.new) for change in changes],
            [_change(change.path, change.mistake, change.new) for change in changes if change.mistake],
        )

    def _renaming(self, request: Mapping[str, Any]) -> tuple[Sequence[Call], Sequence[Call]]:
        """Rename by a language server, or by hand where there is none: by the lines that were read."""
        rename = self.task.rename
        assert rename
        lines = {
            path: {line for line in text.split("\n") if rename.name in line} for path, text in _read(request).items()
        }

        def by_hand(old: str, new: str, paths: Mapping[str, Collection[str]]) -> list[Call]:
            edits = (
                (path, [(line.replace(rename.name, old), line.replace(rename.name, new)) for line in sorted(own)])
                for path, own in paths.items()
            )
            return [_replacing(path, pairs) for path, pairs in edits if pairs]

        if any("by update_file" in text for text in results(request, "rename_symbol")):
            return by_hand(rename.name, rename.mistake, lines), by_hand(rename.mistake, rename.new, lines)
        own = {path: [line for line in each if f"const {rename.mistake} =" in line] for path, each in lines.items()}
        again = Call("rename_symbol", {**self._name(rename.mistake), "new_name": rename.new})
        first = Call("rename_symbol", {**self._name(rename.name), "new_name": rename.mistake})
        return [first], [again, *by_hand(rename.mistake, rename.new, own)]

    def _name(self, name: str) -> dict[str, Any]:
        assert self.task.rename
        return {"path": self.task.rename.path, "line": self.task.rename.line, "name": name}

    def _unread(self, request: Mapping[str, Any]) -> Sequence[Call]:
        """Return calls that read the files to change, where the request doesn't have their texts."""
        known = {*_read(request), *results(request, "create_file")}
        paths = (change.path for change in self.task.changes if change.old)
        wanted = self.task.files if self.task.rename else dict.fromkeys(paths)
        return [Call("read_file", {"path": path}) for path in wanted if path not in known]


def _change(path: str, old: str, new: str) -> Call:
    return _replacing(path, [(old, new)]) if old else Call("create_file", {"path": path, "content": new})


def _replacing(path: str, pairs: Sequence[tuple[str, str]]) -> Call:
    edits = [{"old": old, "new": new, "replace_all": True} for old, new in pairs]
    return Call("update_file", {"path": path, "edits": edits})


def _read(request: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that the request shows whole, as they were read first, without the numbers of their lines."""
    found: dict[str, str] = {}
    for result in results(request, "read_file"):
        if header := _READ.match(result):
            found.setdefault(header[1], "\n".join(line.partition("\t")[2] for line in result.split("\n")[1:]))
    return found


def _edits_made(request: Mapping[str, Any]) -> Sequence[int]:
    """Return the places of the results of edits that were made."""
    calls = {
        call["id"]: call["function"]["name"] for each in request["messages"] for call in each.get("tool_calls") or ()
    }
    return [
        place
        for place, message in enumerate(request["messages"])
        if calls.get(message.get("tool_call_id")) in EDITING and text_of(message).startswith(_MADE)
    ]
