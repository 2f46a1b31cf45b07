"""The server answers `initialize` before it imports litellm, which takes seconds."""

import asyncio
import time

from tests.lsp.raw_client import RawClient, until
from tests.real.rig import MODEL, PLANACT, Project


async def test_initialize_is_answered_before_litellm_is_imported(project: Project) -> None:
    process = await asyncio.create_subprocess_exec(
        str(PLANACT),
        "serve",
        cwd=project.root,
        env=project.environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    client = RawClient(process)
    try:
        options = {"settings": {"model": MODEL, "modelEndpoint": "http://127.0.0.1:9/v1"}}
        params = {"processId": None, "rootUri": project.root.as_uri(), "capabilities": {}}
        client.send(id=0, method="initialize", params={**params, "initializationOptions": options})
        assert "capabilities" in (await client.answer(0))["result"]
        answered = time.monotonic()
        client.send(method="initialized", params={})

        def imported() -> list[float]:
            return [entry["time"] for entry in project.audit() if entry["event"] == "import"]

        await until(lambda: bool(imported()))
        assert min(imported()) > answered
        assert project.reached() == set()
        await client.leave()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        process._transport.close()
