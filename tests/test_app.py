import asyncio
from pathlib import Path

from planact.app.compose import App
from planact.model.notice import Notice
from planact.workflows.workspace import Stopped


class Mute:
    """An editor that shows nothing."""

    def notify(self, notice: Notice) -> None:
        pass


def test_work_that_began_before_the_settings_changed_can_be_stopped(tmp_path: Path) -> None:
    app = App({}, tmp_path, lambda root, files, change_disk: Mute(), {})  # type: ignore[arg-type,return-value]
    before = app.workspace(tmp_path)
    app.settings.editor = {"approval": "acceptEdits"}
    now = app.workspace(tmp_path)
    assert (before.settings.approval, now.settings.approval) == ("ask", "acceptEdits")

    async def begin_and_stop() -> tuple[bool, bool]:
        work = asyncio.ensure_future(before.work("session", asyncio.sleep(600)))
        await asyncio.sleep(0.01)
        stopped = await now.stop("session")
        return stopped, isinstance((await asyncio.gather(work, return_exceptions=True))[0], Stopped)

    assert asyncio.run(asyncio.wait_for(begin_and_stop(), 180)) == (True, True)
