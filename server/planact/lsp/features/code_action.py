"""`textDocument/codeAction`: in plans, fixes, and the lenses again for editors without them; in other files, requests
to plan and to ask.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document, workspace_edit
from planact.lsp.documents.plan_actions import command_of
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.actions import actions
from planact.plan.ide.fixes import fixes, listings, problems_at, renumbering
from planact.plan.ide.source_file import Fault, source_actions
from planact.plan.plan_actions import PlanState
from planact.plan.syntax.tree import Fix, PlanProblem
from planact.workflows.plans.implied_files import implied_in_tree

KIND = "source.planact"
MAX_FIXES = 100
"""Problems of a selection that get fixes: a plan of thousands of steps would give more than a person reads."""

_KINDS = [KIND, types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=_KINDS))
    async def on_code_action(
        ls: PlanactServer, params: types.CodeActionParams
    ) -> list[types.CodeAction] | list[types.Command]:
        document = ls.documents.get(params.text_document.uri)
        if document is None:
            return []
        found = await (_actions(ls, document, params) if document.is_plan else _in_source(ls, document, params))
        if not ls.client.code_action_literals:
            return [action.command for action in found if action.command]
        return [action for action in found if _is_wanted(str(action.kind), params.context.only)]


def _is_wanted(kind: str, wanted: Sequence[types.CodeActionKind | str] | None) -> bool:
    names = [str(getattr(each, "value", each)) for each in wanted or ()]
    return wanted is None or any(kind == name or kind.startswith(f"{name}.") for name in names)


async def _actions(ls: PlanactServer, document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
    problems = await host_of(ls).problems.of(document)
    state = await host_of(ls).plan_state(document, document.plan)
    offered = list(_all_actions(ls, document, params, problems, state))
    if not state.is_at_rest:
        return offered
    try:
        ws, path = await host_of(ls).workspaces.locate(document.uri)
        implied = await asyncio.to_thread(implied_in_tree, ws, path, document.plan)
    except PlanactError:
        return offered
    found = islice(listings(document.plan, implied, document.index.span(params.range)), MAX_FIXES)
    return [*(_edit(ls, document, fix, types.CodeActionKind.QuickFix, []) for fix in found), *offered]


def _all_actions(
    ls: PlanactServer,
    document: Document,
    params: types.CodeActionParams,
    problems: Sequence[PlanProblem],
    state: PlanState,
) -> Iterator[types.CodeAction]:
    """Yield fixes first, since the user asked at a problem."""
    tree, selection = document.plan, document.index.span(params.range)
    offered = tuple(islice(fixes(problems, selection), MAX_FIXES))
    for problem, fix in offered:
        mended = _same(document, problem, params.context.diagnostics)
        yield _edit(ls, document, fix, types.CodeActionKind.QuickFix, mended)
    touched = tuple(islice(problems_at(problems, selection), MAX_FIXES))
    for offer in actions(tree, state, selection):
        command = command_of(offer, document)
        here = [problem for problem in touched if problem.code == offer.problem_code]
        mended = [each for problem in here for each in _same(document, problem, params.context.diagnostics)]
        kind = types.CodeActionKind.QuickFix if here else KIND
        yield types.CodeAction(command.title, kind=kind, diagnostics=mended or None, command=command)
    for fix in renumbering(tree, selection) if state.is_at_rest else ():
        if all(fix.edits != mending.edits for _, mending in offered):
            yield _edit(ls, document, fix, types.CodeActionKind.RefactorRewrite, [])


async def _in_source(ls: PlanactServer, document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the actions in files other than plans, at problems of other language servers, too."""
    try:
        ws, path = await host_of(ls).workspaces.locate(document.uri)
    except PlanactError:
        return []
    return list(_source_actions(host_of(ls).workspaces.uri(ws, ""), path, params))


def _source_actions(folder: str, path: str, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    reported = [each for each in params.context.diagnostics if each.source != "planact"]
    faults = [
        Fault(each.range.start.line + 1, each.message, each.source or "", str(each.code or "")) for each in reported
    ]
    start, end = params.range.start, params.range.end
    last = end.line if end.character or end.line == start.line else end.line - 1
    has_selection = start != end
    for action in source_actions(path, (start.line + 1, last + 1), faults, has_selection=has_selection):
        payload = {"folder": folder, **action.arguments}
        command = types.Command(action.title, action.command, arguments=[payload])
        kind = types.CodeActionKind.QuickFix if action.kind == "fix" else types.CodeActionKind.RefactorRewrite
        yield types.CodeAction(
            action.title, kind=kind, diagnostics=reported if action.kind == "fix" else None, command=command
        )


def _same(document: Document, problem: PlanProblem, diagnostics: Sequence[types.Diagnostic]) -> list[types.Diagnostic]:
    """Return the client's diagnostics for the problem."""
    at = document.index.range(problem.span)
    return [each for each in diagnostics if each.code == problem.code and each.range == at]


def _edit(
    ls: PlanactServer, document: Document, fix: Fix, kind: str, mended: Sequence[types.Diagnostic]
) -> types.CodeAction:
    edit = workspace_edit([(document, fix.edits)], has_versions=ls.client.document_changes)
    return types.CodeAction(
        fix.title, kind=kind, diagnostics=mended or None, is_preferred=fix.is_preferred or None, edit=edit
    )
