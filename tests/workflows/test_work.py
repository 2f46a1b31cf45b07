"""The one job that a session may have: it keeps the session until it has put things in order."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import Conflict
from planact.tools.shielded import run_shielded
from tests.workflows.scene import Scene


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_session_is_busy_until_its_work_has_ended_however_often_it_is_cancelled(
    tmp_path: Path, times: int, turns: int
) -> None:
    async def main() -> None:
        may_end = asyncio.Event()
        order: list[str] = []

        async def recover_runs() -> None:
            await may_end.wait()
            order.append("in order")

        async def job() -> None:
            try:
                order.append("begun")
                await asyncio.sleep(600)
            finally:
                await run_shielded(recover_runs())

        working = asyncio.ensure_future(it.ws.work(it.session_id, job()))
        for _ in range(turns):  # also before it has begun
            await asyncio.sleep(0)
        for _ in range(times):
            working.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(Conflict):
            it.ws.check_idle(it.session_id)
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await working
        it.ws.check_idle(it.session_id)
        assert order == ["begun", "in order"]

    it = Scene(tmp_path)
    asyncio.run(main())
