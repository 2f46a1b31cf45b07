"""Commands on the user's comments in a plan document."""

import asyncio

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OnePlan
from planact.lsp.server import PlanactServer
from planact.workflows.plans.comment import comment_plan, places_for_comments


class CommentPlan(OnePlan):
    """Write a comment to the planner below what stands in a `line`, from 0."""

    line: int = Field(ge=0)
    text: str = Field(min_length=1, max_length=10_000)


class PlanCommented(FrozenModel):
    """The first `line` of the comment, from 0. An open document isn't saved by it."""

    uri: str
    path: str
    line: int


class CommentRange(FrozenModel):
    """Lines from 0, both ends included."""

    start: int
    end: int


class CommentRanges(FrozenModel):
    """Where comments can be put; none while the plan may not be revised."""

    ranges: tuple[CommentRange, ...]


async def handle_comment_plan(ls: PlanactServer, arguments: CommentPlan) -> PlanCommented:
    """Write the user's comment into a plan document."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    line = await comment_plan(ws, document, arguments.line, arguments.text)
    return PlanCommented(uri=host_of(ls).workspaces.uri(ws, document.path), path=document.path, line=line)


async def handle_list_comment_ranges(ls: PlanactServer, arguments: OnePlan) -> CommentRanges:
    """List the places of a plan document where a comment can be put."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    found = await asyncio.to_thread(places_for_comments, ws, document)
    return CommentRanges(ranges=tuple(CommentRange(start=start, end=end) for start, end in found))
