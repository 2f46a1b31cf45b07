"""Facts for the linter of plans: which files exist, and which commands can run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from planact.plan.lint_context import ChangedFile, LintContext
from planact.plan.rules import lint
from planact.plan.rules.check_commands import commands_to_judge
from planact.plan.rules.missing_file import files_to_look_up
from planact.plan.syntax.tree import PlanProblem, PlanTree
from planact.policy.commands import is_denied
from planact.tools.registry import planned_tools
from planact.workflows.workspace import Workspace

_KEPT = 20_000
_LONGEST = 8_192
_FEW = 20


class Linter:
    """Lints the plans of a process. Remembers what bash says of a command, since most stay as they are."""

    def __init__(self) -> None:
        self._syntax_error: Callable[[bytes], tuple[int, int] | None] | None = None
        self._faults: dict[str, str] = {}

    def lint(
        self,
        ws: Workspace | None,
        tree: PlanTree,
        changed: Iterable[ChangedFile] = (),
        missing: frozenset[str] | None = None,
        also_changed: Iterable[ChangedFile] = (),
    ) -> tuple[PlanProblem, ...]:
        """All problems of a plan; without a workspace, those that can be told from its text. `changed` and
        `also_changed`: files that have changed since planning, if the caller has looked (see `check_freshness`);
        `missing`: those that aren't there (see `missing_files`), None = look now.
        """
        if ws is None:
            return lint(tree, LintContext(planned_tools()))
        missing = missing_files(ws, tree) if missing is None else missing
        context = self._surroundings(ws, tree, changed, missing)
        return lint(tree, replace(context, also_changed=tuple(also_changed)))

    def _surroundings(
        self, ws: Workspace, tree: PlanTree, changed: Iterable[ChangedFile], missing: frozenset[str]
    ) -> LintContext:
        commands = tuple(commands_to_judge(tree))
        deny = frozenset(ws.settings.commands.deny)
        return LintContext(
            tools=planned_tools(),
            missing_files=missing,
            # Another shell reads them otherwise.
            unreadable_commands={} if ws.platform == "Windows" else self._unreadable(commands),
            denied_commands=frozenset(command for command in commands if is_denied(command, None, deny))
            if deny
            else (),
            changed_files={file.path: file for file in changed},
        )

    def _unreadable(self, commands: Iterable[str]) -> Mapping[str, str]:
        found = {command: self._fault(command) for command in commands}
        return {command: fault for command, fault in found.items() if fault}

    def _fault(self, command: str) -> str:
        if command not in self._faults:
            if len(self._faults) >= _KEPT:
                self._faults.clear()
            self._faults[command] = self._parsed(command)
        return self._faults[command]

    def _parsed(self, command: str) -> str:
        if self._syntax_error is None:
            from planact.shell.parse.bash import BashParser  # loaded with the first check, not with the server

            self._syntax_error = BashParser().syntax_error
        data = command.encode(errors="replace")
        error = self._syntax_error(data) if len(data) <= _LONGEST else None
        if error is None:
            return ""
        at = data[slice(*error)].decode(errors="replace").strip()
        return f"syntax error at {at[:40]!r}" if at else "syntax error"


def missing_files(ws: Workspace, tree: PlanTree) -> frozenset[str]:
    """The files that the plan names and that are neither on disk nor in the editor. May be called from any thread."""
    exists = ws.ports.files.exists
    paths = [path for path in files_to_look_up(tree) if not exists(path)]
    return frozenset(paths) - _open_ones(ws, paths)


def _open_ones(ws: Workspace, paths: Sequence[str]) -> frozenset[str]:
    """Return the paths that are open in the editor and not on disk yet. One lookup takes a while, and many take no
    longer than a few; a plan for a new project names only files of this kind.
    """
    editor, files = ws.ports.editor, ws.ports.files
    if len(paths) > _FEW:
        unsaved = editor.unsaved(files.resolve("."))
        return frozenset(path for path in paths if path in unsaved)
    return frozenset(path for path in paths if editor.buffer(files.resolve(path)) is not None)
