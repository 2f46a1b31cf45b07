"""Run one turn for the role in force: its model, system prompt and tools, as they are at each request."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planact.agent.budget import TurnBudget, TurnSpent
from planact.agent.loop import Prompt, TurnLoop, TurnResult
from planact.agent.prompt import PromptContext, system_prompt
from planact.model.rights.permission import Mode, Role
from planact.policy.context import PolicyContext
from planact.policy.rights import DELEGATING, can_only_read, delegate_role, may_use
from planact.tools.mcp.tools import usable_mcp_tools
from planact.tools.registry import for_delegates, tools_for
from planact.tools.tool import Tool
from planact.tools.turn import Turn
from planact.workflows.sessions.instructions import nested_instructions
from planact.workflows.sessions.roles import find_role, list_roles
from planact.workflows.workspace import Workspace


@dataclass(slots=True)
class TurnRunner:
    """One turn of the session's role, or of a delegate.

    Attributes:
        mcp_tools: tools of MCP servers, by name, the same for the whole turn.
        approved_plan: text that is pinned in Act, before the messages of the run.
        subtask_id: id of the task that was delegated; empty = the session's own role works.
    """

    ws: Workspace
    turn: Turn
    prompt_context: PromptContext
    budget: TurnBudget
    spent: TurnSpent
    mcp_tools: Mapping[str, Tool[Any]]
    approved_plan: str = ""
    subtask_id: str = ""
    _touched: set[str] = field(default_factory=set)
    _schemas: dict[tuple[str, ...], Sequence[dict[str, Any]]] = field(default_factory=dict)

    async def run(self) -> TurnResult:
        """Work until the model is done or the turn ends otherwise. Raises as `TurnLoop.run`."""
        ports, turn = self.ws.ports, self.turn
        loop = TurnLoop(
            ports,
            self.ws.gate.with_tools(self.mcp_tools),
            ports.models.open(turn.model),
            turn,
            self.prepare_request,
            self.find_instructions,
            self.is_reading_role,
            self.budget,
            self.spent,
            self.subtask_id,
            ports.models.about(turn.model).context_tokens,
        )
        return await loop.run()

    def prepare_request(self) -> Prompt:
        """Return the prompt of the next request, by the rights of this moment."""
        context = self.turn.policy_context()
        system = system_prompt(context.role, context.mode, self.prompt_context, self._delegates(context))
        plan = self.approved_plan if context.mode is Mode.ACT else ""
        return Prompt(system, self._tool_schemas(context), plan)

    async def find_instructions(self) -> Sequence[tuple[str, str]]:
        """Return the instructions of folders with files that the turn has read or changed since the last request."""
        touched = {*self.turn.trace.read, *self.turn.trace.changed} - self._touched
        self._touched |= touched
        return await asyncio.to_thread(nested_instructions, self.ws, touched) if touched else ()

    def is_reading_role(self, name: str) -> bool:
        """Return whether a task of the role `name` would change nothing, by the rights of this moment."""
        role, context = find_role(self.ws, name), self.turn.policy_context()
        return isinstance(role, Role) and can_only_read(delegate_role(role, context.role, context.mode).rights)

    def _tool_schemas(self, context: PolicyContext) -> Sequence[dict[str, Any]]:
        rights = context.role.rights
        tools = (*tools_for(rights), *usable_mcp_tools(self.mcp_tools, rights, context.mode))
        if self.subtask_id:
            tools = for_delegates(tools)
        names = tuple(tool.name for tool in tools)
        if names not in self._schemas:
            self._schemas[names] = [tool.schema() for tool in tools]
        return self._schemas[names]

    def _delegates(self, context: PolicyContext) -> Sequence[Role]:
        """Return the roles that a task can be delegated to."""
        if self.subtask_id or not may_use(context.role.rights, DELEGATING):
            return ()
        mine, named = context.role, context.role.delegates
        fitting = (role for role in list_roles(self.ws)[0] if role.mode is context.mode or role.mode is Mode.PLAN)
        return [role for role in fitting if role.name != mine.name and (named is None or role.name in named)]
