"""Secrets in the settings of MCP servers, which may say them in their answers and errors."""

from typing import Any

import pytest

from planact.app.secrets import Secrets
from planact.model.settings import McpServer, McpSettings, Settings

SECRET = "9f3kq27xw1"


@pytest.mark.parametrize(
    "started",
    [
        {"command": "x", "env": {"API_TOKEN": SECRET}},
        {"url": "https://x.example", "headers": {"X-Api-Key": SECRET}},
        {"url": "https://x.example", "headers": {"authorization": f"Bearer {SECRET}"}},
        {"url": f"https://x.example/mcp?exampleApiKey={SECRET}"},
        {"command": "x", "args": ["--api-key", SECRET]},
        {"command": "x", "args": [f"--api-key={SECRET}"]},
        {"command": "x", "args": ["run", "-e", f"API_TOKEN={SECRET}"]},
        {"command": "x", "args": ["remote", f"https://x.example/mcp?key={SECRET}&a=b"]},
        {"command": "x", "args": ["remote", "--header", f"Authorization: Bearer {SECRET}"]},
        {"command": "x", "args": ["remote", f"--header=X-Api-Key: {SECRET}"]},
        {"command": "x", "args": [f"postgresql://someone:{SECRET}@db.example/data"]},
    ],
)
def test_what_a_server_is_started_with_is_known_wherever_it_stands(started: dict[str, Any]) -> None:
    secrets = Secrets({})
    told = f"unknown user {SECRET}"
    assert SECRET in secrets.redact(told)
    secrets.learn(Settings(mcp=McpSettings(servers={"it": McpServer.model_validate(started)})))
    assert SECRET not in secrets.redact(told)


def test_the_other_words_of_a_server_are_no_secrets() -> None:
    secrets = Secrets({})
    words = ["-y", "some-package@1.2.3", "--port", "80801234", "https://x.example:8443/a?page=11223344", "C:\\data\\1"]
    secrets.learn(Settings(mcp=McpSettings(servers={"it": McpServer(command="x", args=words)})))
    told = " ".join(words)
    assert secrets.redact(told) == told
