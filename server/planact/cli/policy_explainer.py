"""Verdicts of the gate on hypothetical calls, as rows for programs and as text for people."""

import json
from collections.abc import Mapping
from typing import Any, assert_never

from planact.base.errors import InvalidInput
from planact.cli.command import Exit, Result
from planact.cli.engine import Engine
from planact.cli.output.screen import printable
from planact.model.chat.message import ToolCall
from planact.model.rights.classification import Classification
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Mode, PathEffect
from planact.policy.context import Allow, Ask, Contain, Deny, Try, Verdict
from planact.policy.rights import MODE_TITLES
from planact.tools.calls.judged_call import JudgedCall
from planact.tools.tool_result import Failed
from planact.workflows.turns.explain_policy import explain_call, standings

_JAILS: dict[Confinement, str] = {
    "local-read": "jailed: it can write nothing but $TMPDIR, has no network, and sees of the home only the workspace",
    "outside-read": "jailed: it can write nothing but $TMPDIR and has no network",
    "net-read": "jailed: it can write nothing but $TMPDIR",
    "registry-read": "jailed: it can write nothing but $TMPDIR, gets no keys, and sees no home and no workspace",
    "daemon-read": "jailed: it can write nothing but $TMPDIR and reaches its daemon alone",
    "contain": "contained: it can write nothing but temporary files of its session, has no network, and sees of "
    "your files the workspace",
    "trial": "on trial: it can change in the workspace what can be put back, and has no network; then that is judged",
    "act": "jailed: it can write in the workspace and temporary folders",
}

_NOT_A_TOOL = "A command comes after --."


class PolicyExplainer:
    """Asks the gate of one workspace folder; loads the policy context of each mode once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._standings = standings(engine.ws)

    def row(self, line: str) -> dict[str, Any]:
        """Return the class and verdicts of a command; `span` is the deciding part, in code points. Never raises."""
        judged = self._judge("execute_command", json.dumps({"command": line}))
        if isinstance(judged, Failed):  # an empty line or no text: the gate judges no such call
            denied = {mode.value: "deny" for mode in Mode}
            return {"cmd": line, "class": "unknown", "verdict": denied, "rule": "input", "span": [0, len(line)]}
        found = _found(judged)
        verdicts = {mode.value: _word(each.verdict) for mode, each in judged.items()}
        return {"cmd": line, "class": found.cls, "verdict": verdicts, "rule": found.rule, "span": [*found.span]}

    def command(self, line: str) -> Result:
        """Return the class, rule, verdicts and jails of one command.

        Raises:
            InvalidInput: INVALID_ARGUMENTS, if the command is empty.
        """
        judged = self._judged("execute_command", json.dumps({"command": line}))
        found = _found(judged)
        mark = printable(line[: found.span.start]), printable(line[found.span.start : found.span.end])
        text = [] if "\n" in line or "\t" in line else [f"{' ' * len(mark[0])}{'^' * max(1, len(mark[1]))}"]
        text = [
            printable(line),
            *text,
            f"{found.cls} by the rule {found.rule!r}: {found.reason}",
            *self._verdict_lines(judged),
        ]
        return Result(Exit.DONE, {**self.row(line), **self._reasons(judged)}, "\n".join(text), _next_step(judged))

    def tool(self, name: str, arguments: str) -> Result:
        """Return the effects, verdicts and jails of one tool call.

        Raises:
            InvalidInput: INVALID_ARGUMENTS, if the tool refuses the arguments, or goes by another name. A model may use
                names of other agents' tools; a person who types `ls` means the command.
        """
        judged = self._judged(name, arguments)
        if (tool := judged[Mode.PLAN].decoded.tool.name) != name:
            raise InvalidInput(
                "INVALID_ARGUMENTS", f"no tool named {name!r}", f"Did you mean the tool {tool}? {_NOT_A_TOOL}"
            )
        touched = [touch.effect for touch in judged[Mode.PLAN].request.touches]
        text = [
            f"{effect.action.replace('_', ' ')} {effect.path}" for effect in touched if isinstance(effect, PathEffect)
        ]
        verdicts = {mode.value: _word(each.verdict) for mode, each in judged.items()}
        data = {"tool": name, "verdict": verdicts, **self._reasons(judged)}
        return Result(Exit.DONE, data, "\n".join([name, *text, *self._verdict_lines(judged)]), _next_step(judged))

    def _judged(self, tool: str, arguments: str) -> Mapping[Mode, JudgedCall]:
        judged = self._judge(tool, arguments)
        if isinstance(judged, Failed):
            raise InvalidInput("INVALID_ARGUMENTS", judged.message, f"{judged.hint} {_NOT_A_TOOL}")
        return judged

    def _judge(self, tool: str, arguments: str) -> Mapping[Mode, JudgedCall] | Failed:
        call = ToolCall(id="", name=tool, arguments=arguments)
        return self._engine.do(explain_call(self._engine.ws, call, self._standings))

    def _reasons(self, judged: Mapping[Mode, JudgedCall]) -> dict[str, Any]:
        reasons = {mode.value: _reason(each.verdict) for mode, each in judged.items()}
        jails = {mode.value: self._jail(each) for mode, each in judged.items()}
        return {"reason": reasons, "jail": jails, "settings": self._settings()}

    def _verdict_lines(self, judged: Mapping[Mode, JudgedCall]) -> list[str]:
        lines = []
        for mode, each in judged.items():
            why = "; ".join(filter(None, (_reason(each.verdict), self._jail(each))))
            lines.append(f"{MODE_TITLES[mode]:<5} {_word(each.verdict):<8} {why}".rstrip())
        settings = ", ".join(f"{name} = {value}" for name, value in self._settings().items())
        return [*lines, f"Commands run in: {self._engine.ws.ports.runner.describe()}", f"Settings: {settings}"]

    def _jail(self, judged: JudgedCall) -> str:
        """Return the jail of the call's command, in words; empty if the call has no command or is denied."""
        if isinstance(judged.verdict, Deny) or all(touch.found is None for touch in judged.request.touches):
            return ""
        is_held = judged.confinement in self._engine.ws.ports.runner.enforced()
        return _JAILS[judged.confinement] if is_held else "in no jail"

    def _settings(self) -> dict[str, str]:
        settings = self._engine.ws.settings
        return {"contain": settings.contain, "sandbox": settings.sandbox, "approval": settings.approval}


def _found(judged: Mapping[Mode, JudgedCall]) -> Classification:
    return next(touch.found for touch in judged[Mode.PLAN].request.touches if touch.found is not None)


def _word(verdict: Verdict) -> str:
    match verdict:
        case Allow():
            return "allow"
        case Contain():
            return "contain"
        case Try():
            return "try"
        case Ask():
            return "ask"
        case Deny():
            return "deny"
        case _:
            assert_never(verdict)


def _reason(verdict: Verdict) -> str:
    match verdict:
        case Ask(reason=reason):
            return reason
        case Deny(code=code, reason=reason):
            return f"{reason} [{code}]"
        case Allow() | Contain() | Try():
            return ""
        case _:
            assert_never(verdict)


def _next_step(judged: Mapping[Mode, JudgedCall]) -> str:
    if isinstance(judged[Mode.ACT].verdict, Ask):
        always = "; or allow it always when you are asked" if judged[Mode.ACT].rules else ""
        return f"In Act it passes once a plan that you approve names it{always}."
    if isinstance(judged[Mode.PLAN].verdict, Deny) and not isinstance(judged[Mode.ACT].verdict, Deny):
        return "It belongs into a step of a plan."
    return ""
