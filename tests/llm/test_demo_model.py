"""The demo model: in any folder it plans a small change, asks, makes it, and leaves nothing when it is rolled back."""

from pathlib import Path

import pytest

from planact.model.chat.language_model import DEMO_MODEL
from tests.lsp.commands.planact_client import planact_client


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {".planact"}


pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("brought", [(), ("planact-demo.md",), ("planact-demo.md", "planact-demo-demo.md")])
async def test_it_plays_in_any_folder_as_often_as_one_likes(tmp_path: Path, brought: tuple[str, ...]) -> None:
    for name in brought:
        (tmp_path / name).write_text("mine\n")
    async with planact_client(tmp_path, settings={"model": DEMO_MODEL}) as client:
        made = await client.do("generatePlan", request="Whatever I write")
        running = client.begin("executePlan", uri=made.uri)
        await client.answer(await client.question(1), execute=True)
        await client.answer(await client.question(2), greeting="Ahoj 👋")
        assert (await running).status == "success"
        (new,) = names(tmp_path) - {*brought}
        assert client.text(new) == (
            "# Ahoj 👋\n\nThis file was planned, approved and written with planact.\n\n- the demo model\n"
        )
        taken_back = client.begin("rollBack", uri=made.uri)
        await client.answer(await client.question(3), roll_back=True)
        await taken_back
        assert names(tmp_path) == {*brought}
        assert [(tmp_path / name).read_text() for name in brought] == ["mine\n"] * len(brought)


async def test_what_is_no_work_is_answered_too(tmp_path: Path) -> None:
    async with planact_client(tmp_path, settings={"model": DEMO_MODEL}) as client:
        await client.do("newSession", mode="act")
        assert "Switch to Plan" in (await client.do("sendMessage", text="do it")).text
        assert names(tmp_path) == set()
