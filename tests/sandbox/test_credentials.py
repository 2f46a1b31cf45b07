"""Files that usually hold credentials are out of reach of commands that read or are unknown, however they are named."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from planact.model.rights.command import CommandResult
from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
PROFILES = [(rung, profile) for rung in RUNGS for profile in ("local-read", "contain")]
HELD = [
    (rung, profile) for rung, profile in PROFILES if profile == "local-read" or rung in ("landlock 7", "landlock 4")
]
MARKER = "s3cr3t-marker"

WAYS = (
    "cat .env",
    "cat ./.env",
    "cat src/../.env",
    "cat WORK/.env",
    "cat .en*",
    "cat .e?v",
    "cat .{env,envrc}",
    "cat $(printf '.%s' env)",
    "x=.env; cat $x",
    "grep -r s3cr3t . --include=.env",
    "grep -rh s3cr3t .",
    "find . -name .env -exec cat {} +",
    "find . -name '.e*' | xargs cat",
    "git grep --no-index s3cr3t",
    "git diff --no-index /dev/null .env",
    "git hash-object -w .env; git cat-file -p $(git hash-object .env)",
    "cat notes.txt",
    "cat linked/token.pem",
    "cat deep/er/keys/../keys/a.key",
    "cat deep/*/*/*",
    "cat hard",
    "cat deep/hard",
    "cat /proc/self/cwd/.env",
    "cat /proc/self/root/WORK/.env",
    "cat /proc/$$/cwd/.env",
    "cd deep && cat ../.env",
    "cat < .env",
    "echo $(<.env)",
    "read -r a < .env; echo $a",
    "mapfile -t a < .env; echo ${a[@]}",
    "source .env; . ./.env; set",
    "tar -cf - .env* certs 2>&1",
    "tar -cf - .env | tar -xOf -",
    "python3 -c 'print(open(\".env\").read())'",
    "python3 -c 'import os; print(os.read(os.open(\"WORK/.env\", os.O_RDONLY), 99))'",
    "perl -pe 1 .env",
    "awk 1 .env",
    "sed -n p .env",
    "dd if=.env 2>&1",
    "cp .env $HOME/x; cat $HOME/x",
    "ln .env $HOME/y; cat $HOME/y",
    "ln -s WORK/.env $HOME/z; cat $HOME/z",
    "mv .env f2; cat f2; mv f2 .env",
    "base64 .env | base64 -d",
    "diff .env /dev/null",
    "od -c .env | tr -d ' \\n'; xxd -p .env; strings .env",
    "cat .aws/credentials .ENV .env.local certs/server.pem .npmrc",
    "ls .aws; cat .aws/*",
    "exec 3< .env; cat <&3",
    "bash -c 'cat .env'; sh .env; env -S 'cat .env'",
)
"""Each would show the marker if it could open one of the files."""

NAMES = (
    *(".env", ".ENV", ".env.local", ".npmrc", ".envrc", "certs/server.pem", "linked.d/token.pem", "deep/er/keys/a.key"),
    *(".aws/credentials", "deep/er/keys/id_rsa"),
)


def fill(work: Path) -> None:
    for name in NAMES:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(f"export TOKEN={MARKER}\n")
    (work / "notes.txt").symlink_to(".env")
    (work / "linked").symlink_to("linked.d")
    os.link(work / ".env", work / "hard")
    os.link(work / ".env", work / "deep/hard")
    (work / "deep/plain.txt").write_text("plain\n")


async def outputs(rung: str | None, profile: Confinement, commands: Iterable[str]) -> dict[str, CommandResult]:
    yard = Yard.make()
    try:
        fill(yard.workspace)
        runner = yard.runner(RUNGS[rung] if rung else None, profile)
        return {name: await yard.run(runner, name.replace("WORK", str(yard.workspace))) for name in commands}
    finally:
        yard.remove()


@pytest.mark.parametrize(("rung", "profile"), HELD)
def test_no_way_to_name_a_file_with_credentials_opens_it(rung: str, profile: Confinement) -> None:
    assert len(WAYS) >= 30
    found = as_ordinary_user(lambda: outputs(rung, profile, WAYS))
    assert [name for name, result in found.items() if "s3cr3t" in result.output] == []


def test_without_a_jail_each_of_them_shows_it() -> None:
    found = as_ordinary_user(lambda: outputs(None, "local-read", WAYS))
    assert [
        name for name, result in found.items() if MARKER not in result.output and "73337263" not in result.output
    ] == []


BESIDE = (
    "cat f deep/plain.txt",
    "ls -la .env deep/er/keys",
    "git status --short .env",
    "grep -r plain deep/plain.txt",
    "cat src/inner.py",
    "stat .env",
    "ls",
    "cd deep && ls er",
    "python3 -c 'import ssl; ssl.create_default_context().load_verify_locations(\"cacert.pem\")' || ls cacert.pem",
)


@pytest.mark.parametrize(("rung", "profile"), HELD)
def test_what_lies_beside_such_a_file_can_be_used(rung: str, profile: Confinement) -> None:
    async def run() -> list[str]:
        yard = Yard.make()
        try:
            fill(yard.workspace)
            (yard.workspace / "cacert.pem").write_text("public\n")
            runner = yard.runner(RUNGS[rung], profile)
            return [name for name in (*BESIDE, "cat cacert.pem") if (await yard.run(runner, name)).exit_code != 0]
        finally:
            yard.remove()

    assert as_ordinary_user(run) == []


APPEARING = {
    "new": "echo s3cr3t > deep/.env",
    "in a new folder": "mkdir deep/new && echo s3cr3t > deep/new/x.key",
    "renamed": "mv deep/plain.txt deep/plain.key",
    "a folder renamed": "mkdir deep/x && echo s3cr3t > deep/x/config && mv deep/x deep/.aws",
    "moved in": "mkdir out && echo s3cr3t > out/a.pem && mv out deep/out",
    "linked": "echo s3cr3t > deep/.env && ln deep/.env deep/notes",
    "with the time set back": "touch -r deep t && echo s3cr3t > deep/.env && touch -r t deep",
    "a folder nobody may list": "mkdir deep/shut && echo s3cr3t > deep/shut/.env && chmod 300 deep/shut",
}


@pytest.mark.parametrize("rung", RUNGS)
def test_a_file_that_appears_between_two_commands_is_hidden_from_the_next(rung: str) -> None:
    async def run(appear: str) -> tuple[str, str]:
        yard = Yard.make()
        try:
            (yard.workspace / "deep").mkdir()
            (yard.workspace / "deep/plain.txt").write_text("s3cr3t\n")
            reader, writer = yard.runner(RUNGS[rung], "local-read"), yard.runner(None, "act")
            before = await yard.run(reader, "cat deep/*")
            assert (await yard.run(writer, appear)).exit_code == 0
            await yard.run(writer, "[ -e deep/plain.txt ] && rm deep/plain.txt")
            look = "cat deep/* deep/*/* deep/.env deep/.aws/config deep/shut/.env"
            return before.output, (await yard.run(reader, look)).output
        finally:
            yard.remove()

    for name, appear in APPEARING.items():
        before, after = as_ordinary_user(lambda: run(appear))  # noqa: B023 - called at once
        assert ("s3cr3t" in before, "s3cr3t" in after) == (True, False), name


@pytest.mark.parametrize("rung", RUNGS)
def test_ten_thousand_files_beside_it_stay_readable(rung: str) -> None:
    async def run() -> tuple[int | None, str]:
        yard = Yard.make()
        try:
            fill(yard.workspace)
            for number in range(10_000):
                (yard.workspace / f"many-{number}").write_text("x\n")
            runner = yard.runner(RUNGS[rung], "local-read")
            result = await yard.run(runner, "cat many-* | wc -l; cat .env", 60)
            return result.exit_code, result.output
        finally:
            yard.remove()

    exit_code, output = as_ordinary_user(run)
    assert (exit_code, output.split()[0], MARKER in output) == (1, "10000", False)


@pytest.mark.parametrize("rung", RUNGS)
def test_of_a_folder_with_too_many_such_files_nothing_is_opened(rung: str) -> None:
    async def run() -> list[str]:
        yard = Yard.make()
        try:
            (yard.workspace / "certs").mkdir()
            for number in range(1_200):
                (yard.workspace / f"certs/{number}.pem").write_text(f"{MARKER}\n")
            (yard.workspace / "certs/plain").write_text("plain\n")
            runner = yard.runner(RUNGS[rung], "local-read")
            return [(await yard.run(runner, name)).output for name in ("cat certs/*.pem", "cat certs/plain", "cat f")]
        finally:
            yard.remove()

    pems, plain, beside = as_ordinary_user(run)
    assert (MARKER in pems, "plain\n" in plain, beside.startswith("f\n")) == (False, False, True)


@pytest.mark.parametrize("rung", RUNGS)
def test_commands_with_the_users_keys_see_none_of_the_workspaces(rung: str) -> None:
    async def run() -> tuple[str, str]:
        yard = Yard.make()
        try:
            fill(yard.workspace)
            runner = yard.runner(RUNGS[rung], "net-read")
            texts = [await yard.run(runner, f"cat {name}") for name in (".env", f"{yard.home}/.aws/credentials")]
            return texts[0].output, texts[1].output
        finally:
            yard.remove()

    own, keys = as_ordinary_user(run)
    assert (MARKER in own, keys) == (False, "secret\n")


def test_the_result_says_which_file_is_hidden() -> None:
    rung = next(iter(RUNGS))
    found = as_ordinary_user(
        lambda: outputs(rung, "local-read", ("cat f .env", "grep -r TOKEN deep", "cat f", "cat x > f"))
    )
    assert [(result.hidden, bool(result.refusal)) for result in found.values()] == [
        ((".env",), False),
        (("deep/er/keys/a.key", "deep/er/keys/id_rsa", "deep/hard"), False),
        ((), False),
        ((), True),
    ]


@pytest.mark.parametrize(("rung", "profile"), HELD)
def test_what_planact_writes_down_itself_is_not_searched(rung: str, profile: Confinement) -> None:
    async def run() -> CommandResult:
        yard = Yard.make()
        try:
            for path in ("sessions/s.jsonl", "executions/e.json", "plans/a.plan"):
                (yard.workspace / ".planact" / path).parent.mkdir(parents=True, exist_ok=True)
                (yard.workspace / ".planact" / path).write_text("needle\n")
            runner = yard.runner(RUNGS[rung], profile)
            return await yard.run(runner, "grep -rn needle . ; test $? -lt 3 && cat .planact/sessions/s.jsonl")
        finally:
            yard.remove()

    result = as_ordinary_user(run)
    assert result.output.count("needle\n") == 1
    assert "./.planact/plans/a.plan:1:needle\n" in result.output
    assert (result.exit_code, result.refusal) == (1, "")
