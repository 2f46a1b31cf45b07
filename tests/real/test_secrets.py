"""Secrets that come by in a run of the real server are in nothing that planact keeps: state, records, logs."""

import asyncio
import base64
import json
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.fakes.loopback_model import Call, Fault, LoopbackModel, Say, last_user, results, turn
from tests.lsp.editor_client import failure
from tests.real.rig import KEY, Project, real_client, settings_of

# Put together here, so that nobody's scanner takes them for real ones. All are told apart by their ends.
ENVIRONMENT = {"MY_SERVICE_TOKEN": "plain0looking0in0the0environment", "DB_PASSWORD": 'quo"ted\\back/slash-in-9'}
PEM_BODY = "MIIEowIBAAKCAQEAfile0pem0body"
SECRETS = {
    "a message": "sk-" + "ant-api03-user0message0000",
    "an answer": "hf" + "_assistant0text0000000000",
    "a thought": "glpat" + "-reasoning00000000000",
    "a question": "xoxb" + "-0000000000-ask0user",
    "an argument with escapes": "npm" + "_escaped0argument000000000000",
    "a path": "gsk" + "_path0of0a0file0000000000",
    "a file": "AKIA" + "FILE0EXAMPLE0KEY",
    "a key in a file": PEM_BODY,
    "an address in a file": "address0in0file",
    "output": "glpat" + "-output0of0command000",
    "JSON within JSON": "json0within0json0pass",
    "an error of a command": "error0of0command",
    "an error of the provider": "sk-" + "provider0error00000000",
    "the environment": ENVIRONMENT["MY_SERVICE_TOKEN"],
    "the environment, with quotes": "ted\\back/slash",
    "the environment, with quotes, in JSON": "ted\\\\back/slash",
    "the environment in base64": base64.b64encode(b"user:" + ENVIRONMENT["MY_SERVICE_TOKEN"].encode()).decode()[8:40],
    "the key in use": KEY,
}
IN_THE_PLAN = "ghp" + "_text0of0the0plan000000000000000000"

DOTENV = f"""AWS_ACCESS_KEY_ID={SECRETS["a file"]}
DATABASE_URL=postgres://app:{SECRETS["an address in a file"]}@db/x
KEY="-----BEGIN PRIVATE KEY-----
{PEM_BODY}
-----END PRIVATE KEY-----"
"""
RESULT = {"content": [{"type": "text", "text": json.dumps({"password": SECRETS["JSON within JSON"]})}]}
WITH_USER = base64.b64encode(b"user:" + ENVIRONMENT["MY_SERVICE_TOKEN"].encode()).decode()
SAYS_ALL = f"""cat result.json; echo {SECRETS["output"]}
echo {ENVIRONMENT["MY_SERVICE_TOKEN"]} {WITH_USER}
echo '{ENVIRONMENT["DB_PASSWORD"]}'
echo "fatal: unable to access 'https://me:{SECRETS["an error of a command"]}@host/x.git'" >&2; exit 3"""
GOAL = "Look around"


def escaped(text: str) -> str:
    """JSON that a model may send, with a letter of each word escaped."""
    return json.dumps(text).replace("0", "\\u0030", 2).replace("n", "\\u006e", 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root, home = tmp_path / "work", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (tmp_path / "tmp").mkdir()
    (root / ".env").write_text(DOTENV)
    (root / "result.json").write_text(json.dumps(RESULT))
    project = Project(root, home, tmp_path / "audit.log")
    project.commit("A project with secrets")
    return project


def kept(project: Project) -> Iterator[tuple[Path, bytes]]:
    """Every file that planact made: state, records, temporary ones. Plans are the user's."""
    for folder in (project.home, project.root / ".planact", project.root.parent / "tmp"):
        for path in folder.rglob("*"):
            try:
                if path.is_file() and path.suffix != ".plan":
                    yield path, path.read_bytes()
            except FileNotFoundError:
                continue  # temporary


def leaks(project: Project) -> set[tuple[str, str]]:
    files = [(path.name, data, unescaped(data)) for path, data in kept(project)]
    return {
        (name, what)
        for name, *forms in files
        for what, one in SECRETS.items()
        if any(one.encode() in form for form in forms)
    }


def unescaped(data: bytes) -> bytes:
    return re.sub(rb"\\+u00([0-7][0-9a-fA-F])", lambda match: bytes([int(match[1], 16)]), data)


class Talkative:
    """A model that gets every secret to be spoken of, and looks at each request what is on disk by then."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.leaks: set[tuple[str, str]] = set()

    def __call__(self, request: dict[str, Any]) -> Say | Fault:
        self.leaks |= leaks(self.project)
        said, asked = last_user(request), turn(request)
        if "Carry out step 1" in said:
            end = Fault(401, f"Incorrect API key provided: {SECRETS['an error of the provider']}", "invalid_api_key")
            return self._act(asked, end if "with" in said else Say(f"I saw {ENVIRONMENT['DB_PASSWORD']}."))
        if asked:
            return Say(f"Done: {SECRETS['an answer']}", reasoning=SECRETS["a thought"])
        step = {"action": GOAL, "reason": "to see", "files": [], "validation_checks": ["cat result.json"]}
        plan = {"goal": GOAL, "analysis": f"The key is {IN_THE_PLAN}.", "steps": [step]}
        return Say(calls=[Call("write_plan", json.dumps(plan).replace("ghp_", "\\u0067hp_"), "call_plan")])

    def _act(self, asked: int, end: Say | Fault) -> Say | Fault:
        options = [{"label": "Yes", "value": "yes"}, {"label": "No", "value": "no"}]
        question = {"name": "key", "question": f"Is {SECRETS['a question']} right?", "options": options}
        calls = [
            Call("read_file", {"path": ".env"}),
            Call("execute_command", {"command": SAYS_ALL}),
            Call("read_file", {"path": f"{SECRETS['a path']}.txt"}),
            Call("search_code", f'{{"pattern": {escaped(SECRETS["an argument with escapes"])}}}'),
            Call("search_code", f'{{"pattern": {escaped(SECRETS["an argument with escapes"])}, "x": ["broken'),
            Call("ask_user", {"questions": [question]}),
        ]
        if asked < len(calls):
            return Say(calls=[Call(calls[asked].name, calls[asked].arguments, f"call_{asked}")])
        return end


async def allow(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
    assert params.actions
    return params.actions[0]


async def test_nothing_that_is_kept_or_logged_holds_a_secret(project: Project) -> None:
    environment = project.environment(TMPDIR=str(project.root.parent / "tmp"), **ENVIRONMENT)
    talkative = Talkative(project)
    with LoopbackModel(talkative) as model:
        settings = {**settings_of(model), "logLevel": "debug"}
        async with real_client(project, settings, environment) as client:
            client.on_question = allow
            made = await client.run("generatePlan", request=f"Plan it with {SECRETS['a message']}")
            shown = await client.run("showPlan", plan_id=made["plan_id"])
            ran = await client.run("executePlan", plan_id=made["plan_id"], approve_hash=shown["plan_hash"])
            assert ran["status"] == "success", ran
            await client.run("setMode", mode="act")
            worked = client.run("sendMessage", text=f"Carry out step 1 with {SECRETS['a message']}")
            assert (await failure(worked))[0] == "MODEL_KEY_REFUSED"
            talkative.leaks |= leaks(project)  # the write-ahead log is there, and holds everything
            modes = {path: stat.S_IMODE(path.stat().st_mode) for path in state_of(project)}
            told = "\n".join(message.message for message in client.log_messages)
        assert client._server is not None
        assert client._server.stderr is not None
        stderr = (await asyncio.wait_for(client._server.stderr.read(), 180)).decode()
    assert_all_came_by(model)
    assert talkative.leaks | leaks(project) == set()
    assert [what for what, one in {**SECRETS, "": IN_THE_PLAN}.items() if one in told + stderr] == []
    assert "execute_command" in told

    # What only the plan says is in the plan, and in the images that can bring it back.
    assert IN_THE_PLAN in (project.root / made["path"]).read_text()
    assert {path.name for path, data in kept(project) if IN_THE_PLAN.encode() in data} <= {"state.db", "state.db-wal"}
    (state,) = project.home.rglob("state.db")
    with closing(sqlite3.connect(state)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        rows = [row for name in tables - {"images"} for row in database.execute(f"SELECT * FROM {name}")]
    assert len(rows) > 40
    assert [row for row in rows if IN_THE_PLAN in str(row)] == []
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}


def state_of(project: Project) -> list[Path]:
    (state,) = project.home.rglob("state.db")
    return [state.parent, *state.parent.rglob("*")]


def assert_all_came_by(model: LoopbackModel) -> None:
    """Else nothing could have leaked: the model saw each secret, or said it."""
    seen = json.dumps([received.json for received in model.requests], ensure_ascii=False)
    shown = results(model.requests[-1].json)
    for what in (
        "a message",
        "a file",
        "a key in a file",
        "an address in a file",
        "output",
        "the environment",
    ):
        assert SECRETS[what] in seen, what
    assert any(WITH_USER in text and ENVIRONMENT["DB_PASSWORD"] in text for text in shown), shown
    assert any(SECRETS["JSON within JSON"] in text for text in shown)
