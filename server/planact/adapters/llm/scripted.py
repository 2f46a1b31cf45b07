"""A model that plays a script, for the demo, tests and documentation: no key, no network.

Its edits are built from real results of tools, so it follows the workspace, and fails where a model would err.
`planact.adapters.llm.script` describes the file format.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

from planact.adapters.llm.script import (
    SCRIPT_PLACEHOLDER,
    Expectation,
    Failure,
    Find,
    Scene,
    Script,
    ScriptedTurn,
    load,
)
from planact.base.errors import ModelFailure
from planact.model.chat.message import PLAN_HEADING, ModelRequest, Reply, TextDelta, ToolCall, Usage

_MODE = re.compile(r"You are in (PLAN|ACT) mode")
_PIECE = re.compile(r"\s*\S+\s*")
_CHARACTERS_PER_TOKEN = 4
_SHOWN = 300


class ScriptedModel:
    """A player of `script`, called `name` in messages. Its only state counts how often scripted failures came."""

    def __init__(self, script: Script, name: str) -> None:
        self._script = script
        self._name = name
        self._failed: Counter[tuple[int, int]] = Counter()

    @classmethod
    def load(cls, path: Path) -> "ScriptedModel":
        """Return the model that plays the file at `path`. Raises InvalidInput CONFIG_INVALID."""
        return cls(load(path), path.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the scripted answer. Raises ModelFailure MODEL_SCRIPT_MISMATCH when the request isn't as the script
        expects.
        """
        view = _View.of(request)
        number, scene = self._scene(view)
        place = f"{self._name}, scene {number + 1}, turn {view.turn + 1}"
        if view.turn >= len(scene.turns):
            raise _mismatch(place, f"the scene has only {len(scene.turns)} turns, and the model was asked again")
        turn = scene.turns[view.turn]
        for expectation in turn.expect:
            _check(expectation, view, place)
        found = _found(scene, view, place)
        think, say = _filled(turn.think, found), _filled(turn.say, found)
        for text, is_reasoning in ((think, True), (say, False)):
            for piece in _PIECE.findall(text):
                await asyncio.sleep(turn.delay)
                yield TextDelta(piece, is_reasoning)
        if turn.fail and self._fails(turn.fail, (number, view.turn)):
            fail = turn.fail
            raise ModelFailure(
                fail.code,
                f"{place}: {fail.message}",
                "The script wants it so",
                reason=fail.message,
                is_transient=fail.transient,
                retry_after=fail.retry_after,
            )
        calls = _calls(turn, found, view.answers)
        yield Reply(
            text=say,
            tool_calls=calls,
            reasoning=think,
            usage=_usage(turn, request, [think, say, *(call.arguments for call in calls)]),
            finish_reason=turn.finish_reason or ("tool_calls" if calls else "stop"),
        )

    def _scene(self, view: "_View") -> tuple[int, Scene]:
        for number, scene in enumerate(self._script.scenes):
            if scene.mode in (None, view.mode) and re.search(scene.when, view.user, re.MULTILINE):
                return number, scene
        mode = f" in mode {view.mode}" if view.mode else ""
        raise _mismatch(self._name, f"no scene fits the message{mode}: {_shown(view.user)}")

    def _fails(self, failure: Failure, place: tuple[int, int]) -> bool:
        self._failed[place] += 1
        return failure.times is None or self._failed[place] <= failure.times


@dataclass(frozen=True, slots=True)
class _Result:
    """A tool's result; `turn` counts the answers of the scene before it, and is 0 for results older than the scene."""

    tool: str
    text: str
    turn: int


@dataclass(frozen=True, slots=True)
class _View:
    """A request as a script sees it. `answers` counts all assistant messages, `turn` those since the last user
    message.
    """

    system: str
    user: str
    mode: str | None
    results: Sequence[_Result]
    answers: int
    turn: int

    @classmethod
    def of(cls, request: ModelRequest) -> "_View":
        messages = request.messages
        start = max((place for place, message in enumerate(messages) if message["role"] == "user"), default=-1)
        tools: dict[str, str] = {}
        results = []
        answers = turn = 0
        for place, message in enumerate(messages):
            if message["role"] == "assistant":
                answers += 1
                turn += place > start
                tools |= {call["id"]: call["function"]["name"] for call in message.get("tool_calls") or ()}
            elif message["role"] == "tool":
                results.append(_Result(tools.get(message["tool_call_id"], ""), _text(message), turn))
        system = "\n".join(_text(message) for message in messages if message["role"] == "system")
        modes = _MODE.findall(system)
        plans = [text for message in messages if (text := _text(message)).startswith(f"[planact] {PLAN_HEADING}")]
        user = _text(messages[start]) if start >= 0 else ""
        told = "\n".join((system, *plans))
        return cls(told, user, modes[-1].lower() if modes else None, results, answers, turn)

    def texts(self, find: Find, turn: int) -> list[str]:
        """Return the texts in which `find` searches at that turn, the newest first."""
        if find.where in ("system", "user"):
            return [self.system if find.where == "system" else self.user]
        oldest = 0 if find.anywhere else 1
        results = [result for result in self.results if oldest <= result.turn <= turn]
        if isinstance(find.where, int):
            return [results[find.where].text] if -len(results) <= find.where < len(results) else []
        return [result.text for result in reversed(results) if find.where in (None, result.tool)]


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _check(expectation: Expectation, view: _View, place: str) -> None:
    match expectation.where:
        case "system":
            texts = [view.system]
        case "user":
            texts = [view.user]
        case "tool":
            texts = [result.text for result in view.results if result.turn > 0]
        case _:
            assert_never(expectation.where)
    if all(expectation.search(text) is None for text in texts):
        raise _mismatch(place, f"{expectation.sought} isn't in {_where(expectation.where)}: {_shown(*texts)}")


def _found(scene: Scene, view: _View, place: str) -> dict[str, str]:
    """Return the values of the scene's finds up to now, each searched at its own turn."""
    found: dict[str, str] = {}
    for number, turn in enumerate(scene.turns[: view.turn + 1]):
        for find in turn.find:
            texts = view.texts(find, number)
            hits = [hit for text in texts if (hit := find.search(text)) is not None]
            if not hits and find.otherwise is not None:
                hits = [find.otherwise]
            if not hits:
                cause = f"'{find.name}' isn't there: {find.sought} in {_where(find.where)}: {_shown(*texts)}"
                raise _mismatch(place, cause)
            found[find.name] = hits[0]
    return found


def _where(where: str | int | None) -> str:
    match where:
        case "system":
            return "the system text"
        case "user":
            return "the user's message"
        case "tool" | None:
            return "the results of tools"
        case _:
            return f"the result of {where}"


def _filled(value: Any, found: Mapping[str, str]) -> Any:
    """Return `value` with its placeholders replaced, in all strings at any depth."""
    match value:
        case str():
            return SCRIPT_PLACEHOLDER.sub(lambda match: match["escaped"] or found[match["name"]], value)
        case dict():
            return {key: _filled(item, found) for key, item in value.items()}
        case list():
            return [_filled(item, found) for item in value]
        case _:
            return value


def _calls(turn: ScriptedTurn, found: Mapping[str, str], answers: int) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            id=f"call_{answers}_{number}",
            name=call.tool,
            arguments=json.dumps(_filled(call.args, found), ensure_ascii=False)
            if call.raw_arguments is None
            else _filled(call.raw_arguments, found),
        )
        for number, call in enumerate(turn.calls)
    )


def _usage(turn: ScriptedTurn, request: ModelRequest, answer: Sequence[str]) -> Usage:
    if turn.usage is not None:
        return Usage(requests=1, **turn.usage.model_dump())
    asked = len(json.dumps([list(request.messages), list(request.tools)], ensure_ascii=False))
    return Usage(
        input_tokens=asked // _CHARACTERS_PER_TOKEN,
        output_tokens=sum(map(len, answer)) // _CHARACTERS_PER_TOKEN,
        cost=0.0,
        requests=1,
    )


def _mismatch(place: str, cause: str) -> ModelFailure:
    return ModelFailure("MODEL_SCRIPT_MISMATCH", f"{place}: {cause}", "Mend the script, or what it is played against")


def _shown(*texts: str) -> str:
    """Return the beginning of the searched text, for messages."""
    whole = "\n".join(texts)
    return (repr(whole[:_SHOWN]) + ("…" if len(whole) > _SHOWN else "")) if whole else "nothing"
