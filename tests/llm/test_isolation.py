"""What a process with a model reads and whom it talks to, seen from inside a child process."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from tests.fakes.loopback_model import LoopbackModel, Say

CHILD = """
import asyncio, json, os, sys
reached = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        reached.append(f"{address[0]}:{address[1]}" if isinstance(address, tuple) else str(address))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        reached.append(str(arguments[0]))
sys.addaudithook(watch)
from pathlib import Path
from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.model.chat.message import ModelRequest
from planact.model.settings import Settings
lazy = "litellm" not in sys.modules

async def main():
    loader = LitellmLoader(dict(os.environ))
    settings = Settings(model_endpoint=sys.argv[1])
    model = ModelSource(settings.of_model, loader, ModelTable({}), Path.cwd()).open("openai/gpt-4o")
    tools = [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}]
    ticks = 0
    loading = asyncio.ensure_future(loader.ready())
    while not loading.done():
        await asyncio.sleep(0.01)
        ticks += 1
    stream = model.stream(ModelRequest([{"role": "user", "content": "hello"}], tools))
    *_, reply = [item async for item in stream]
    await asyncio.sleep(0.2)
    names = {"OPENAI_API_BASE", "OPENAI_BASE_URL", "http_proxy", "OPENAI_API_KEY"}
    environment = {name: os.environ[name] for name in sorted(names & set(os.environ))}
    print(json.dumps({
        "text": reply.text, "reached": sorted(set(reached)), "lazy": lazy, "ticks": ticks, "environment": environment,
    }))
    sys.stdout.flush()
    os._exit(0)

asyncio.run(main())
"""


def run_child(code: str, *arguments: str, folder: Path, environment: dict[str, str] | None = None) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 1, "something else was printed"
    result: dict[str, Any] = json.loads(lines[0])
    return result


def test_nothing_is_reached_but_the_model_and_the_loop_goes_on_while_it_loads(tmp_path: Path) -> None:
    with LoopbackModel(lambda _: Say("hello")) as model:
        result = run_child(CHILD, model.url, folder=tmp_path, environment={"OPENAI_API_KEY": "sk-mine-0123456789"})
    address = model.url.removeprefix("http://").removesuffix("/v1")
    ticks = result.pop("ticks")
    assert result == {
        "text": "hello",
        "reached": [address],
        "lazy": True,
        "environment": {"OPENAI_API_KEY": "sk-mine-0123456789"},
    }
    assert ticks > 20


def test_a_proxy_of_the_environment_is_used_but_not_for_a_model_of_this_machine(tmp_path: Path) -> None:
    with LoopbackModel(lambda _: Say("hello")) as proxy:
        address = proxy.url.removeprefix("http://").removesuffix("/v1")
        environment = {"OPENAI_API_KEY": "sk-mine-0123456789", "http_proxy": f"http://{address}"}
        by_proxy = run_child(CHILD, "http://model.invalid/v1", folder=tmp_path, environment=environment)
        own = [environment, environment | {"no_proxy": ""}, environment | {"no_proxy": "model.invalid"}]
        directly = [run_child(CHILD, proxy.url, folder=tmp_path, environment=each) for each in own]
    assert {(each["text"], *each["reached"]) for each in (by_proxy, *directly)} == {("hello", address)}
    paths = [request.path for request in proxy.requests]
    assert paths == ["http://model.invalid/v1/chat/completions", *["/v1/chat/completions"] * 3]


def hostile_repository(folder: Path, url: str) -> dict[str, str]:
    """A repository with its own idea of the endpoint, whose virtual environment planact runs in."""
    lines = [f"OPENAI_API_BASE={url}", f"OPENAI_BASE_URL={url}", f"http_proxy={url}", "OPENAI_API_KEY=sk-theirs"]
    (folder / ".env").write_text("\n".join(lines), "utf-8")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "site-packages").symlink_to(sysconfig.get_path("purelib"))
    server = Path(__file__).parents[2] / "server"
    return {"PYTHONPATH": os.pathsep.join([str(folder / ".venv" / "site-packages"), str(server)])}


def test_a_hostile_env_file_changes_neither_endpoint_nor_key(tmp_path: Path) -> None:
    with LoopbackModel(lambda _: Say("mine")) as mine, LoopbackModel(lambda _: Say("theirs")) as theirs:
        environment = hostile_repository(tmp_path, theirs.url) | {"OPENAI_API_KEY": "sk-mine-0123456789"}
        result = run_child(CHILD, mine.url, folder=tmp_path, environment=environment)
    assert (result["text"], result["environment"]) == ("mine", {"OPENAI_API_KEY": "sk-mine-0123456789"})
    assert [request.key for request in mine.requests] == ["sk-mine-0123456789"]
    assert theirs.requests == []


def test_the_hostile_env_file_would_be_read_by_litellm_as_it_comes(tmp_path: Path) -> None:
    environment = hostile_repository(tmp_path, "http://127.0.0.1:9/v1") | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    code = """
import json, litellm, os, sys
print(json.dumps({"base": os.environ["OPENAI_API_BASE"]}))
sys.stdout.flush()
os._exit(0)
"""
    assert run_child(code, folder=tmp_path, environment=environment) == {"base": "http://127.0.0.1:9/v1"}


def test_a_scripted_model_is_played_without_litellm(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("scenes: [{turns: [{say: hello}]}]", "utf-8")
    code = """
import asyncio, json, sys
from pathlib import Path
from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.model.chat.message import ModelRequest
from planact.model.settings import Settings

async def main():
    model = ModelSource(Settings().of_model, LitellmLoader({}), ModelTable({}), Path.cwd()).open("scripted:script.yaml")
    *_, reply = [item async for item in model.stream(ModelRequest([{"role": "user", "content": "hi"}], []))]
    heavy = [name for name in ("litellm", "openai", "httpx", "aiohttp") if name in sys.modules]
    print(json.dumps({"text": reply.text, "heavy": heavy}))

asyncio.run(main())
"""
    assert run_child(code, folder=tmp_path) == {"text": "hello", "heavy": []}
