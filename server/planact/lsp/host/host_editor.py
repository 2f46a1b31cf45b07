"""The client's editor for one workspace folder, which also keeps progress, lenses and freshness up to date."""

from collections.abc import Callable
from pathlib import Path

from planact.app.compose import App, ApplyToDisk
from planact.lsp.editor.lsp_editor import LspEditor
from planact.lsp.host.folders import Folders
from planact.lsp.host.freshness import Freshness
from planact.lsp.host.work_display import WorkDisplay
from planact.lsp.server import PlanactServer
from planact.model.notice import ExecutionProgress, ModeNotice, Notice, PlanNotice, QuestionNotice, WorkChanged
from planact.model.question import ProposedEdit, QuestionSet, Shown
from planact.workflows.history.review_edits import edit_difference
from planact.workflows.plans.question_in_plan import remove_question, write_question


class HostEditor(LspEditor):
    """The Editor port of one folder.

    Args:
        root: the folder as the client names it.
        apply_to_disk: changes files that aren't open.
        at_rest: called with the folder when work in it has ended.
    """

    def __init__(
        self,
        server: PlanactServer,
        app: App,
        root: Path,
        apply_to_disk: ApplyToDisk,
        *,
        display: WorkDisplay,
        freshness: Freshness,
        folders: Folders,
        at_rest: Callable[[Path], None],
    ) -> None:
        super().__init__(server, root, apply_to_disk, app.secrets.redact)
        self._app = app
        self._display = display
        self._freshness = freshness
        self._folders = folders
        self._at_rest = at_rest

    def tell(self, notice: Notice) -> None:
        super().tell(notice)
        if isinstance(notice, ExecutionProgress | PlanNotice):
            self._freshness.touched_all()  # changes by the run itself don't make the plan outdated
        match notice:
            case ExecutionProgress(execution=execution, text=text):
                self._display.report(execution.session_id, text)
                self._display.refresh()
            case WorkChanged(is_running=False):
                self._at_rest(self._root)
            case ModeNotice() | PlanNotice() | QuestionNotice():
                self._display.refresh()
            case _:
                pass

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        self._display.refresh()
        return await super().show(question, problem)

    def folder_label(self) -> str:
        return self._folders.label(self._root)

    async def write_in_plan(self, question: QuestionSet) -> str:
        return await write_question(self._app.seen(self._root), question)

    def difference(self, edit: ProposedEdit) -> str:
        return edit_difference(self._app.seen(self._root), edit)

    async def take_back(self, ended: QuestionSet) -> None:
        await remove_question(self._app.seen(self._root), ended)
