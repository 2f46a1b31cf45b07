"""Let a role work: the one of the session, or one that another handed a task to.

A delegate shares the session, its journal and its budget; what it says is kept in the same transcript, marked with the
id of its errand, and stays out of its parent's context. Its rights are its role's, cut down at each verdict to what the
parent and the mode allow at that moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from planact.agent.ask_model import Spent
from planact.agent.loop import Budget, Loop, TurnResult
from planact.agent.prompt import Surroundings, system_prompt
from planact.model.permission import Mode
from planact.model.role import Role
from planact.policy.rights import intersect, may_use
from planact.policy.standing import Standing
from planact.tools.gate import Turn
from planact.tools.mcp import offered_mcp
from planact.tools.permit import EndTurn
from planact.tools.registry import for_delegates, offered
from planact.workflows.choose_model import model_name
from planact.workflows.report_of_delegate import part_of_report
from planact.workflows.roles import RoleWatch, list_roles, usable_role
from planact.workflows.workspace import Workspace


@dataclass(slots=True)
class Speaker:
    """Who works in a turn of a session.

    Attributes:
        approved_plan: text that is pinned in the prompt in Act.
        errand: id of the task that was handed to a delegate; empty = the session's own role.
    """

    ws: Workspace
    turn: Turn
    surroundings: Surroundings
    budget: Budget
    spent: Spent
    approved_plan: str = ""
    errand: str = ""
    _offers: dict[tuple[str, ...], Sequence[dict[str, Any]]] = field(default_factory=dict)

    async def work(self) -> TurnResult:
        """Work until it is done or something ends the turn.

        Raises:
            ModelFailure, StorageFailure: what `Loop.run` raises.
        """
        ws, turn = self.ws, self.turn
        model = ws.ports.models.open(turn.model)
        window = ws.ports.models.about(turn.model).context_tokens
        loop = Loop(ws.ports, ws.gate, model, turn, self.offer, self.budget, self.spent, self.errand, window)
        return await loop.run()

    async def delegate(self, role_name: str, task: str) -> str:
        """Have another role work on a task; returns its report.

        Raises:
            NotFound: ROLE_NOT_FOUND. InvalidInput: ROLE_INVALID.
            EndTurn: a question waits, or the user stopped the work.
        """
        ws, session_id = self.ws, self.turn.session_id
        role = usable_role(ws, role_name)
        watch = RoleWatch(ws, session_id, role.name)

        def standing() -> Standing:
            return delegated(watch.role(), self.turn.standing())

        turn = replace(self.turn, standing=standing, model=model_name(ws, session_id, role.name))
        child = Speaker(ws, turn, self.surroundings, self.budget, self.spent, errand=ws.ports.ids.uuid7())
        text = f"The task of the {role.name}:\n\n{task}\n\nYour last message goes back as your report."
        ws.say(session_id, "system", text, for_model=True, delegate=child.errand)
        return _report(await child.work(), child.errand)

    def offer(self) -> tuple[str, Sequence[dict[str, Any]]]:
        """The system prompt of the next request, and the tools that it offers."""
        now = self.turn.standing()
        plan = self.approved_plan if now.mode is Mode.ACT else ""
        return system_prompt(now.role, now.mode, self.surroundings, plan, self._others(now)), self._tools(now)

    def _tools(self, now: Standing) -> Sequence[dict[str, Any]]:
        tools = (*offered(now.role.rights), *offered_mcp(self.turn.tools, now.role.rights, now.mode))
        if self.errand:
            tools = for_delegates(tools)
        names = tuple(tool.name for tool in tools)
        if names not in self._offers:
            self._offers[names] = [tool.schema() for tool in tools]
        return self._offers[names]

    def _others(self, now: Standing) -> Sequence[Role]:
        """The roles that a task could be handed to."""
        if self.errand or not may_use(now.role.rights, "delegate"):
            return ()
        fitting = (role for role in list_roles(self.ws)[0] if role.mode is now.mode or role.mode is Mode.PLAN)
        return [role for role in fitting if role.name != now.role.name]


def delegated(role: Role, above: Standing) -> Standing:
    """What is so for a delegate, whose parent stands as `above`."""
    rights = intersect(role.rights, above.role.rights)
    return replace(above, role=replace(role, rights=rights), is_delegate=True)


def _report(result: TurnResult, errand: str) -> str:
    text = part_of_report(result.text.strip() or "It said nothing.", errand)
    match result.kind:
        case "finished":
            return text
        case "refused" | "limit":
            return f"{text}\n\n[planact] It ended before it was done: {result.reason}"
        case "waiting" | "stopped" | "accepted" | "review":
            raise EndTurn(result.kind, result.reason)
        case _:
            assert_never(result.kind)
