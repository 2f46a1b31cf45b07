"""What was begun comes to its end, and is written down, whoever wants it to stop and however often."""

import asyncio

import pytest

from planact.tools.shielded import run_shielded


@pytest.mark.parametrize("times", [1, 2, 3])
def test_work_ends_before_its_cancellation_is_raised_however_often_it_comes(times: int) -> None:
    async def main() -> None:
        written = []
        may_end = asyncio.Event()

        async def work() -> None:
            await may_end.wait()
            written.append("finished")

        task = asyncio.ensure_future(run_shielded(work()))
        await asyncio.sleep(0)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        assert (task.done(), written) == (False, [])
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert written == ["finished"]

    asyncio.run(main())
