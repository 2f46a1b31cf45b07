"""What goes wrong names the thing, the cause and the next step, and ends with the code that scripts rely on."""

import json
import re
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import MODEL, Program, without_rights

_FULL = Path("/dev/full")

TABLE = [
    # words, model, exit code, error code, what the message must name
    (("plan", "x"), "", 6, "MODEL_NOT_CHOSEN", "PLANACT_MODEL"),
    (("plan", "x"), "scripted:nowhere.yaml", 2, "CONFIG_INVALID", "there is no model script"),
    (("plan", "Be overloaded"), MODEL, 6, "MODEL_OVERLOADED", "too much to do"),
    (("plan", "Nobody knows this"), MODEL, 6, "MODEL_SCRIPT_MISMATCH", "Nobody knows this"),
    (("plan",), MODEL, 2, "INVALID_ARGUMENTS", "no request"),
    (("plan", "x", "--colour"), MODEL, 2, "INVALID_ARGUMENTS", "--colour"),
    (("dance",), MODEL, 2, "INVALID_ARGUMENTS", "there is no command 'dance'"),
    (("plans",), MODEL, 2, "INVALID_ARGUMENTS", "did you mean 'plan'"),
    (("plan", "deletes"), MODEL, 2, "INVALID_ARGUMENTS", "did you mean 'plan delete'"),
    (("plan", "shows", "8h5z"), MODEL, 2, "INVALID_ARGUMENTS", "did you mean 'plan show'"),
    (
        ("template",),
        MODEL,
        2,
        "INVALID_ARGUMENTS",
        "planact template goes with one of: create, delete, list, show, use",
    ),
    (("policy",), MODEL, 2, "INVALID_ARGUMENTS", "See: planact policy --help"),
    ((), MODEL, 2, "INVALID_ARGUMENTS", "COMMAND"),
    (("sessions", "--", "x"), MODEL, 2, "INVALID_ARGUMENTS", "sessions"),
    (("plan", "x", "--cwd", "nowhere"), MODEL, 2, "NO_WORKSPACE", "nowhere"),
    (("plan", "x", "--cwd", "greeting.txt"), MODEL, 2, "NO_WORKSPACE", "greeting.txt"),
    (("plan", "x", "--answers", "nowhere.yaml"), MODEL, 2, "CONFIG_INVALID", "there is no answers file nowhere.yaml"),
    (("plan", "x", "--answers", "greeting.txt"), MODEL, 2, "CONFIG_INVALID", "greeting.txt"),
    (("act", "--yes"), MODEL, 1, "PLAN_NOT_FOUND", "no plan"),
    (("act", "plan_x", "--yes"), MODEL, 1, "PLAN_NOT_FOUND", "plan_x"),
    (("act", "gone.plan"), MODEL, 1, "PLAN_NOT_FOUND", "gone.plan"),
    (("act", "../gone.plan"), MODEL, 1, "PATH_OUTSIDE_WORKSPACE", "../gone.plan"),
    (("act", "--step", "one"), MODEL, 2, "INVALID_ARGUMENTS", "one"),
    (("chat", "--session", "s1", "hi"), MODEL, 1, "SESSION_NOT_FOUND", "s1"),
    (("chat", "--continue", "hi"), MODEL, 1, "SESSION_NOT_FOUND", "no session"),
    (("answer", "q1", "yes"), MODEL, 1, "QUESTION_NOT_OPEN", "q1"),
    (("answer", "q1", "--value", "yes"), MODEL, 2, "INVALID_ARGUMENTS", "yes"),
    (("demo", "--model", "x"), MODEL, 2, "INVALID_ARGUMENTS", "--model"),
]


@pytest.mark.parametrize(("words", "model", "code", "error", "named"), TABLE)
def test_each_failure_has_its_code(
    planact: Program, words: tuple[str, ...], model: str, code: int, error: str, named: str
) -> None:
    cut = words.index("--") if "--" in words else len(words)
    as_json = planact.run(*words[:cut], "--json", *words[cut:], model=model)
    told = as_json.json["error"]
    assert (as_json.code, told["code"], bool(told["hint"])) == (code, error, True), as_json
    as_text = planact.run(*words, model=model)
    assert (as_text.code, as_text.out) == (code, "")
    assert re.search(rf"^[^\n]*{re.escape(told['message'].splitlines()[0][:40])}", as_text.err, re.MULTILINE)
    assert as_text.err.rstrip().endswith(f"[{error}]")
    assert named in told["message"] + told["hint"]
    assert "Traceback" not in as_text.err


@pytest.mark.parametrize("words", [("plan", "x", "--json"), ("doctor", "--json")])
def test_an_endpoint_without_a_scheme_is_told_as_such(planact: Program, words: tuple[str, ...]) -> None:
    planact.variables["PLANACT_MODEL_ENDPOINT"] = "localhost:8000/v1"
    ran = planact.run(*words, model="openai/of-ones-own")
    assert (ran.code != 0, "doesn't begin with http:// or https://" in ran.out) == (True, True), ran


def test_a_refused_connection_is_told_after_the_retries(planact: Program) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    planact.variables |= {
        "PLANACT_MODEL_ENDPOINT": f"http://127.0.0.1:{port}/v1",
        "OPENAI_API_KEY": "sk-test-0123456789",
    }
    ran = planact.run("plan", "x", "--json", model="openai/gpt-4o")
    assert (ran.code, ran.json["error"]["code"]) == (6, "MODEL_UNAVAILABLE"), ran
    assert f"127.0.0.1:{port}" in ran.json["error"]["message"]
    assert "sk-test" not in ran.out + ran.err


def test_settings_that_do_not_count_are_reported_and_work_goes_on(planact: Program) -> None:
    planact.variables["PLANACT_MODELL"] = "x"
    ran = planact.run("chat", "What does it say?")
    assert (ran.code, ran.out) == (0, "It says hello.\n")
    assert "did you mean PLANACT_MODEL?" in ran.err


def test_a_hostile_folder_loosens_nothing(planact: Program) -> None:
    (planact.folder / ".env").write_text("PLANACT_APPROVAL=acceptAll\nPLANACT_MODEL=openai/evil\n")
    (planact.folder / ".planact").mkdir()
    (planact.folder / ".planact" / "config.toml").write_text('approval = "acceptAll"\nmodel = "openai/evil"\n')
    ran = planact.run("chat", "--mode", "act", "Replace the greeting")
    assert (ran.code, planact.greeting) == (3, "hello\n")
    assert planact.run("trust").out.startswith("Trusted: ")
    assert planact.run("chat", "--mode", "act", "Replace the greeting").code == 0


def test_a_folder_without_a_configuration_can_be_trusted(planact: Program) -> None:
    ran = planact.run("trust")
    assert (ran.code, "it has no configuration of its own" in ran.out) == (0, True)
    assert planact.run("trust", "--json").json["fingerprint"] == ""


@pytest.mark.parametrize("command", ["sessions", "questions"])
def test_state_that_cannot_be_read_is_not_an_empty_one(planact: Program, command: str) -> None:
    (planact.home / "file").write_text("")
    planact.variables["XDG_STATE_HOME"] = str(planact.home / "file")
    ran = planact.run(command, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "STORAGE_UNWRITABLE")
    assert str(planact.home / "file") in ran.json["error"]["message"]


def test_an_attempt_without_a_model_leaves_nothing_behind(planact: Program) -> None:
    (planact.folder / "a.plan").write_text("# Goal\n## Steps\n- [ ] 1. Do it\n")
    for words in ("plan x", "planandact x", "chat x", "chat --mode act x", "act a.plan"):
        assert planact.run(*words.split(), model="").code == 6, words
    assert planact.run("sessions", "--json").json == {"sessions": []}
    assert planact.run("events").out == ""
    assert sorted(path.name for path in planact.folder.iterdir()) == ["a.plan", "greeting.txt"]


def test_a_message_that_ends_in_a_question_gets_no_full_stop(planact: Program) -> None:
    told = "there is no command 'plans'; did you mean 'plan'? See: planact --help. [INVALID_ARGUMENTS]\n"
    assert planact.run("plans").err == told


@pytest.mark.parametrize(
    ("closed", "code", "told"), [("<&-", 2, "there is no request"), (">&-", 2, "no request"), ("2>&-", 2, "")]
)
def test_what_is_closed_for_the_program_is_as_good_as_empty(
    planact: Program, closed: str, code: int, told: str
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f'"$0" -m planact chat {closed} {"" if closed == "<&-" else "</dev/null"}', sys.executable],
        cwd=planact.folder,
        env=planact.environment(),
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert (ran.returncode, ran.stdout, told in ran.stderr, "INTERNAL" in ran.stderr) == (code, "", True, False)
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", r"caf\xe9 \u2713"), ("cp1252", r"café \u2713")])
def test_what_an_encoding_cannot_say_is_spelled_out(planact: Program, encoding: str, shown: str) -> None:
    """Output goes into pipes and files in the code page of the machine, which lacks most characters."""
    (planact.folder / "a.plan").write_text("# caf\u00e9 \u2713\n\n## Steps\n- [ ] 1. Do it\n", "utf-8")
    command = [sys.executable, "-m", "planact", "plan", "show", "a.plan"]
    environment = planact.environment("") | {"PYTHONIOENCODING": encoding}
    ran = subprocess.run(command, cwd=planact.folder, env=environment, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert shown in ran.stdout.decode(encoding)


def test_events_stay_json_where_an_encoding_lacks_their_characters(planact: Program) -> None:
    name = "caf\u00e9 \u2713.plan"
    (planact.folder / name).write_text("# A\n\n## Steps\n- [ ] 1. Do it\n", "utf-8")
    hash_ = planact.run("plan", "show", name, "--json").json["plan_hash"]
    assert planact.run("plan", "approve", name, "--hash", hash_).code == 0
    command = [sys.executable, "-m", "planact", "events", "--json"]
    environment = planact.environment("") | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, cwd=planact.folder, env=environment, capture_output=True, check=True)
    assert name in [json.loads(line)["data"].get("path") for line in ran.stdout.splitlines()]


@pytest.mark.skipif(sys.platform != "linux", reason="gives up root's rights by Linux's own call")
def test_a_home_that_the_user_may_not_enter_keeps_nobody_from_work(planact: Program, tmp_path: Path) -> None:
    """As with `sudo -u` and in containers, which leave HOME as it was."""
    planact.variables |= {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    planact.home.chmod(0)
    try:
        for words in (["plan", "Greet safely"], ["act", "--yes"]):
            process = planact.start(*words, preexec_fn=without_rights)
            _, err = process.communicate(timeout=planact.seconds)
            assert (process.returncode, "INTERNAL_ERROR" in err) == (0, False), err
    finally:
        planact.home.chmod(0o700)
    assert planact.greeting == "goodbye\n"


@pytest.mark.skipif(sys.platform != "linux", reason="gives up root's rights by Linux's own call")
def test_settings_in_a_home_that_the_user_may_not_enter_are_asked_for_elsewhere(
    planact: Program, tmp_path: Path
) -> None:
    planact.variables |= {"XDG_STATE_HOME": str(tmp_path / "state")}
    planact.home.chmod(0)
    try:
        process = planact.start("plan", "Greet safely", preexec_fn=without_rights)
        _, err = process.communicate(timeout=planact.seconds)
    finally:
        planact.home.chmod(0o700)
    assert (process.returncode, "XDG_CONFIG_HOME" in err, "[CONFIG_INVALID]" in err) == (2, True, True), err


@pytest.mark.parametrize("home", ["/", ""])
def test_the_folder_is_named_in_full_where_the_home_is_no_place_of_the_users(planact: Program, home: str) -> None:
    """As `env -i` and some containers have it."""
    planact.variables |= {"XDG_STATE_HOME": str(planact.home), "XDG_CONFIG_HOME": str(planact.home), "HOME": home}
    ran = planact.run("plan", "What does it say?")
    assert ran.err.splitlines()[0] == f"planact · plan · {planact.folder}"


NO_HOME = """
import pwd, sys
def no(user): raise KeyError("uid not found")
pwd.getpwuid = no
from planact.__main__ import main
main()
"""


INTERRUPTED_IMPORT = """
import os, signal, sys, time
class PanicException(BaseException): pass
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "planact.cli.engine":
            try:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(60)
            except KeyboardInterrupt:
                raise KIND("it could not be imported") from None
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
from planact.__main__ import main
main()
"""


@pytest.mark.parametrize("kind", ["PanicException", "ImportError"])
def test_an_interrupt_that_a_module_takes_for_its_own_failure_ends_the_program_quietly(
    planact: Program, kind: str
) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT.replace("KIND", kind), "plan", "list"]
    ran = subprocess.run(
        command, cwd=planact.folder, env=planact.environment(), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="each user has a home there")
def test_a_user_without_a_home_is_told_what_to_set(planact: Program) -> None:
    command = [sys.executable, "-c", NO_HOME, "plan", "Greet safely"]
    environment = planact.environment()
    del environment["HOME"]
    ran = subprocess.run(command, cwd=planact.folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "your home folder is unknown: HOME is not set. Set HOME to a folder that you can write. [CONFIG_INVALID]\n"
    )


def test_a_role_that_can_not_be_used_is_told_where_work_suffers_from_it(planact: Program) -> None:
    planact.plan("Greet safely")
    file = planact.home / ".config/planact/roles/actor.md"
    file.parent.mkdir(parents=True)
    file.write_text("no front matter")
    ran = planact.run("act", "--yes")
    assert (ran.code, planact.greeting) == (1, "hello\n")
    assert re.search(rf"The role file {re.escape(str(file))} is not used: .*\[ROLE_INVALID\]", ran.err)
    found = planact.run("doctor")
    assert (found.code, f"the role file {file} is not used" in found.out) == (1, True)


def test_no_model_is_asked_while_what_the_user_has_set_can_not_be_read(planact: Program) -> None:
    """It may be a limit, or where the conversation may go."""
    causes = {
        'commands.deny = ["ls"': "config.toml is not used: ",
        'modelEndpoint = ["http://127.0.0.1:1/v1"]': "modelEndpoint in ",
        'commands.deny = "ls"': "commands.deny in ",
        "commands = 5": "no setting named 'commands' in ",
    }
    plan = planact.plan("Greet safely")
    file = planact.home / ".config/planact/config.toml"
    file.parent.mkdir(parents=True)
    for text, cause in causes.items():
        file.write_text(text)
        for words in (["plan", "Greet again"], ["act", plan, "--yes"]):
            ran = planact.run(*words)
            assert (ran.code, planact.greeting) == (2, "hello\n"), ran
            assert (cause in ran.err, "[CONFIG_INVALID]" in ran.err) == (True, True), ran
        assert (planact.run("plan", "list").code, planact.run("doctor").code) == (0, 1), text
    file.write_text("reasoningEfort = 'low'")
    assert planact.run("act", plan, "--yes").code == 0


@pytest.mark.skipif(not _FULL.exists(), reason="needs Linux's device that is always full")
def test_output_that_finds_no_space_is_a_failure(planact: Program) -> None:
    for words in ("plan list", "plan list --json", f"plan show {planact.plan()}", "events", "--help", "--version"):
        with _FULL.open("w") as full:
            process = planact.start(*words.split(), stdout=full)
            _, err = process.communicate("", timeout=planact.seconds)
        found = (process.returncode, "can't be written: No space left" in err, "Traceback" in err)
        assert found == (1, True, False), (words, err)


@pytest.mark.skipif(not _FULL.exists(), reason="needs Linux's device that is always full")
def test_a_log_that_finds_no_space_spoils_no_result(planact: Program) -> None:
    with _FULL.open("w") as full:
        process = planact.start("plan", "Greet safely", stderr=full)
        out, _ = process.communicate("", timeout=planact.seconds)
    assert (process.returncode, "Say goodbye" in out) == (0, True)


def test_an_interrupt_while_the_program_starts_ends_it_quietly(planact: Program) -> None:
    program = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "planact.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
from planact.__main__ import main
sys.argv = ["planact", "plan", "list"]
main()
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=planact.folder, env=planact.environment(), capture_output=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


@pytest.mark.skipif(sys.platform != "linux", reason="only there the limit counts")
@pytest.mark.parametrize("megabytes", [130, 200])
def test_a_lack_of_memory_is_told_and_not_taken_for_a_broken_installation(planact: Program, megabytes: int) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000, megabytes * 1_000_000))

    planact.variables["OPENAI_API_KEY"] = "none"
    process = planact.start("plan", "Greet", model="openai/gpt-4o", preexec_fn=limited)
    out, err = process.communicate("", timeout=planact.seconds)
    assert (process.returncode in (1, 6), out) == (True, ""), err
    told = f"memory ran out (the limit is {megabytes} MB, and litellm needs more than 400 MB)."
    hint = "Close other programs or raise the limit (`ulimit -v`), then start planact again."
    assert err.endswith(f"{told} {hint} [OUT_OF_MEMORY]\n"), err
