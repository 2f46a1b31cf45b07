import base64
import json
import logging
from pathlib import Path
from urllib.parse import quote

import pytest

from planact.adapters.observe.redact import RedactedFormatter, Redactor
from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.events import SqliteEvents
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.questions import SqliteQuestions
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.model.chat.message import REDACTED, Message, Session, ToolCall
from planact.model.plan import StepStatus
from planact.model.plan_records import Approval
from planact.model.question import Question, QuestionSet
from planact.model.runs.execution import CheckResult, Execution, StepRecord
from planact.model.runs.journal import Event
from tests.fakes.clock import FakeClock

# Put together here, so that nobody's scanner takes them for real ones.
PEM = "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEow+/=\nabc\n-----END " + "RSA PRIVATE KEY-----"
SECRETS = {
    "openai": "sk-" + "proj-Ab3dEf6hIj9kLm2nOp5q",
    "anthropic": "sk-" + "ant-api03-Ab3dEf6hIj9kLm2nOp5q",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": "ghp" + "_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
    "github fine-grained": "github" + "_pat_11ABCDEFG0123456789_abcdefghij",
    "gitlab": "glpat" + "-Ab3dEf6hIj9kLm2nOp5q",
    "slack": "xoxb" + "-1234567890-abcdefghij",
    "google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "hugging face": "hf" + "_Ab3dEf6hIj9kLm2nOp5qRs8t",
    "stripe": "sk" + "_live_Ab3dEf6hIj9kLm2nOp5q",
    "gitlab deploy": "gldt" + "-Ab3dEf6hIj9kLm2nOp5q",
    "npm": "npm" + "_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d",
    "pypi": "pypi" + "-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDA",
    "docker": "dckr" + "_pat_Ab3dEf6hIj9kLm2nOp5qRs8",
    "digital ocean": "dop" + "_v1_0123456789abcdef0123456789abcdef",
    "groq": "gsk" + "_Ab3dEf6hIj9kLm2nOp5qRs8t",
    "xai": "xai" + "-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
    "replicate": "r8" + "_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
    "google oauth": "ya29" + ".a0AfH6SMBx0123456789abcdef",
    "vault": "hvs" + ".CAESIJ0123456789abcdefghij",
    "sendgrid": "SG" + ".Ab3dEf6hIj9kLm2nOp5q.Rs8tUv1wXy4z",
    "telegram": "123456789" + ":AAAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zA",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("around", ["{}", "key is {}, ok", '{{"key": "{}"}}', "({})", "'{}'\n", "KEY={}"])
def test_a_key_is_taken_out_wherever_it_stands(secret: str, around: str) -> None:
    assert Redactor({}).text(around.format(secret)) == around.format(REDACTED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"a\n{PEM}\nb", f"a\n{REDACTED}\nb"),
        (PEM.partition("-----END")[0], REDACTED),
        ("-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\nlQ\n-----END PGP PRIVATE KEY BLOCK-----", REDACTED),
        ("https://0123456789abcdef0123@host/x", f"https://{REDACTED}@host/x"),
        ("https://s3/x?X-Amz-Signature=0a1b2c3d&y=1", f"https://s3/x?X-Amz-Signature={REDACTED}&y=1"),
        ("https://hooks.slack.com/services/T00/B00/abcdef0123456789", f"https://hooks.slack.com/services/{REDACTED}"),
        ("aws_secret_access_key = wJalr0UtnFEMI", f"aws_secret_access_key = {REDACTED}"),
        ("AccountKey=abcd0123+/==;x", f"AccountKey={REDACTED};x"),
        ('{"token": "8f14e45fceea167a5a36"}', f'{{"token": "{REDACTED}"}}'),
        (
            r"{\"a\": \"{\\\"password\\\": \\\"hunter2\\\"}\"}",
            rf"{{\"a\": \"{{\\\"password\\\": \\\"{REDACTED}\\\"}}\"}}",
        ),
        (r'{"x": "\u0070assword=hunter2"}', f'{{"x": "password={REDACTED}"}}'),
        (r"https:\/\/me:hunter2@host", f"https://me:{REDACTED}@host"),
        ("Authorization: Bearer abc.def-1", f"Authorization: Bearer {REDACTED}"),
        ("authorization: Basic dTpw", f"authorization: Basic {REDACTED}"),
        ('curl -H "Authorization: token abcdef12" x', f'curl -H "Authorization: token {REDACTED}" x'),
        ('{"Authorization": "abcdef12"}', f'{{"Authorization": "{REDACTED}"}}'),
        ("x-api-key: abcdef12", f"x-api-key: {REDACTED}"),
        ("https://user:pa55@host/x", f"https://user:{REDACTED}@host/x"),
        ("postgres://u:p%40ss@db:5432/x", f"postgres://u:{REDACTED}@db:5432/x"),
        ("https://h/x?a=1&access_token=abcd1234&b=2", f"https://h/x?a=1&access_token={REDACTED}&b=2"),
        ("PASSWORD=hunter2 make", f"PASSWORD={REDACTED} make"),
        ("--password=hunter2", f"--password={REDACTED}"),
        ("DB_PASSWORD=correcthorse", f"DB_PASSWORD={REDACTED}"),
        ("password = 'correct horse'", f"password = '{REDACTED}'"),
        ("client_secret: ab12cd34", f"client_secret: {REDACTED}"),
        ('"api_key": "ab12cd34"', f'"api_key": "{REDACTED}"'),
    ],
)
def test_a_secret_is_known_by_what_stands_before_it(text: str, expected: str) -> None:
    assert Redactor({}).text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "def login(password: str = '') -> None: ...",
        "password = get_password()",
        "connect(password=password, token=self.token)",
        'password=os.environ["DB_PASSWORD"]',
        "PASSWORD=$DB_PASSWORD",
        "password: ${{ secrets.DB }}",
        "password: the one you chose",
        "max_tokens: 100000",
        "https://host:8080/a@b",
        "task-force sk-1 AKIA eyJ risk-assessment-of-the-whole-thing",
        "sha256 3b1f5d0c9e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c",
        "01900000-0000-7000-8000-000000000001",
        "Authorization is needed",
        "for token in tokens: token = parser.next_token()",
        r"C:\users\u0041 and \/regex\/ and caf\u00e9",
        "glob-patterns-are-matched-against-names r8_short fw_update_the_firmware",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor({}).text(text) == text


def test_the_very_values_of_the_environments_secrets_are_known() -> None:
    environment = {"MY_API_KEY": "plain0looking", "SSH_TOKEN": "/run/token", "SHORT_SECRET": "abc", "PATH": "0looking0"}
    text = Redactor(environment).text("plain0looking /run/token abc 0looking0")
    assert text == f"{REDACTED} /run/token abc 0looking0"


@pytest.mark.parametrize(
    "value", ["plain0looking0value", 'quo"ted\\back/slash', "päss w0rd with ümlauts", "a+b/c=d&e0123"]
)
def test_a_known_value_is_found_in_each_of_its_disguises(value: str) -> None:
    redactor = Redactor({"MY_TOKEN": value})
    forms = [
        value,
        json.dumps(value),
        json.dumps(json.dumps(value)),
        json.dumps(value, ensure_ascii=False),
        quote(value, safe=""),
    ]
    for before in ("", "u", "us", "user:"):
        for coded in (base64.b64encode, base64.urlsafe_b64encode):
            forms.append(coded(f"{before}{value}, and more".encode()).decode())
    for form in forms:
        redacted = redactor.text(f"<{form}>")
        assert REDACTED in redacted, form
        assert len(redacted) - len(REDACTED) < 40, redacted  # what is left is around it


def test_secrets_in_settings_are_learnt_by_their_names() -> None:
    redactor = Redactor({})
    redactor.learn(
        {"api_key": "first0key", "temperature": 1, "headers": {"x-access-token": "second0key"}, "model": "third0key"}
    )
    assert redactor.text("first0key second0key third0key") == f"{REDACTED} {REDACTED} third0key"


def test_a_secret_is_taken_out_of_what_was_seen_before_it_was_known() -> None:
    redactor = Redactor({})
    assert redactor.text("plain0looking") == "plain0looking"
    redactor.learn_key("plain0looking")
    assert redactor.text("plain0looking") == REDACTED


@pytest.mark.parametrize(
    "name",
    [
        "DB_PASS",
        "GITHUB_PAT",
        "PGPASSWORD",
        "npm_config__authToken",
        "SIGNING_KEY",
        "SENTRY_DSN",
        "SERVICE_CREDENTIALS",
    ],
)
def test_a_variable_is_secret_by_its_name(name: str) -> None:
    assert Redactor({name: "looks0like0nothing"}).text("looks0like0nothing") == REDACTED


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KEYBOARD", "qwerty-us"),
        ("PWD", "/home/me/x"),
        ("MAX_TOKENS", "100000000"),
        ("AUTHOR", "me@host.org"),
        ("API_KEY_SOURCE", "keychain"),
        ("COMPASS", "north-west"),
        ("MONKEY", "chimpanzee-1"),
    ],
)
def test_other_variables_are_not(name: str, value: str) -> None:
    assert Redactor({name: value}).text(value) == value


def test_what_is_logged_holds_no_secret_tracebacks_included(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("tests.observe.log")
    handler = logging.StreamHandler()
    handler.setFormatter(RedactedFormatter("! %(message)s", Redactor({"A_TOKEN": "plain0looking"}).text))
    log.addHandler(handler)
    try:
        int("plain0looking")
    except ValueError:
        log.exception("it failed with %s", "plain0looking")
    told = capsys.readouterr().err
    assert ("plain0looking" in told, told.count(REDACTED), "Traceback" in told) == (False, 3, True)


def test_json_within_a_text_is_read_so_that_no_escape_hides_a_secret() -> None:
    arguments = json.dumps({"password": 'p"ss w0rd', "list": [{"db_secret": "\n\n\n"}], "n": 1})
    redacted = Redactor({}).data({"arguments": arguments})
    assert json.loads(redacted["arguments"]) == {"password": REDACTED, "list": [{"db_secret": REDACTED}], "n": 1}
    deep = "[" * 50_000
    assert Redactor({}).data([deep, "{not json"]) == [deep, "{not json"]


def test_data_stays_data_and_a_field_is_judged_by_its_name() -> None:
    data = {"password": "x", "db_password": "y", "n": [1, None, ("sk-" + "a" * 20, True)], "tokens": 3, "secret": ""}
    assert Redactor({}).data(data) == {
        "password": REDACTED,
        "db_password": REDACTED,
        "n": [1, None, [REDACTED, True]],
        "tokens": 3,
        "secret": "",
    }


@pytest.mark.parametrize("secret", [*SECRETS.values(), "password=hunter2", "Authorization: Bearer abcdef", PEM])
def test_a_json_text_stays_json(secret: str) -> None:
    text = json.dumps({"arguments": json.dumps({"text": f"a {secret} b", "password": "hunter2!"})})
    redacted = Redactor({}).text(text)
    assert "hunter2" not in redacted
    assert set(json.loads(json.loads(redacted)["arguments"])) == {"text", "password"}


@pytest.mark.timeout(100)  # quadratic would take hours
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a-",
        "password",
        "password: ",
        'password="',
        "eyJ",
        "http://",
        "authorization ",
        "?token",
        "token: '",
        "\\",
        "\\u0041",
        '\\"',
        "secret=",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_redacting_takes_linear_time(piece: str) -> None:
    Redactor({}).text(piece * (2_000_000 // len(piece)))


def test_no_secret_reaches_the_disk(tmp_path: Path) -> None:
    everything = " ".join([*SECRETS.values(), "password=hunter2", "https://u:hunter2@h/", PEM])
    redactor, clock, reports = Redactor({}), FakeClock(), []
    database = Database(tmp_path / "state", clock, redactor.data)
    (tmp_path / "app").mkdir()
    records = WorkspaceRecords(tmp_path / "app", clock, redactor.text, reports.append)
    sessions = SqliteSessions(database, Transcripts(records, reports.append))
    questions = SqliteQuestions(database)
    ask = Question(question=everything, default=everything)
    question = QuestionSet(id="q1", session_id="s1", questions=(ask,), created_at="t", subject=everything)
    call = ToolCall(id="c", name="execute_command", arguments=json.dumps({"command": everything}))
    check = CheckResult(command=everything, exit_code=0, output=everything, passed=True)
    step = StepRecord(step_number=1, action=everything, status=StepStatus.DONE, output=everything, checks=(check,))

    sessions.put(Session(id="s1", title=everything))
    sessions.add_message(Message(id="m1", session_id="s1", role="tool", content=everything, tool_calls=(call,)))
    SqliteJournal(database, clock).append("s1", "e1", "call_started", {"output": [everything]})
    SqliteEvents(database, reports.append).record(
        Event(kind="tool_called", session_id="s1", time="t", data={"x": everything})
    )
    questions.put(question)
    questions.resolve(question.model_copy(update={"status": "answered", "answers": {"answer": everything}}))
    SqliteApprovals(database).approve(Approval("p", "a.plan", "h", everything, "t"))
    records.put_execution(Execution(id="e1", session_id="s1", goal=everything, steps=(step,)))

    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert stored.count(REDACTED.encode()) > 100
    assert [secret for secret in (*SECRETS.values(), "hunter2", "MIIEow") if secret.encode() in stored] == []
    # The question is still found by what it is about, although its secret isn't stored.
    adopted = questions.claim("s1", "agent", everything)
    assert adopted is not None
    assert adopted.subject == everything
    assert questions.claim("s1", "agent", everything.replace("hunter2", "hunter3")) is None
    database.close()
    assert reports == []
