"""What a server says of edits: new errors by what they say, never by their line, and nothing that isn't known."""

import asyncio
from collections.abc import Sequence

import pytest

from planact.adapters.language_servers import client, one_server
from planact.adapters.language_servers.problems import line_of
from planact.model.file import EditCheck, EditedText, FileCheck
from planact.model.settings import LanguageServer
from tests.fakes.world import World
from tests.language_servers.conftest import Yard

pytestmark = pytest.mark.slow


async def checked(world: World, before: str | None, after: str, path: str = "a.txt") -> EditCheck:
    """Have an edit checked, and wait for what becomes known of it in the end."""
    world.write(path, after)
    world.language_servers.check_edits("s", [EditedText(path, before, after)])
    return await known(world)


async def known(world: World) -> EditCheck:
    for _ in range(5_000):
        for check in await world.language_servers.news("s"):
            if check.new is not None or check.trouble:
                return check
        await asyncio.sleep(0.02)
    raise AssertionError("nothing became known")


def messages(check: EditCheck | FileCheck) -> Sequence[str]:
    found = check.new if isinstance(check, EditCheck) else check.problems
    return [problem.message.removeprefix("not good: ") for problem in found or ()]


@pytest.mark.parametrize("manner", ["versioned", "without-version", "stale", "pulled", "torn"])
def test_an_edit_is_told_by_what_it_made_new_and_what_is_gone(yard: Yard, manner: str) -> None:
    world = yard.world(manner)

    async def edits() -> None:
        first = await checked(world, "wrong 1\n", "\n\n\nwrong 1\nwrong 2\n")
        assert (messages(first), first.gone, first.server) == (["wrong 2"], 0, "scripted")
        assert first.new is not None
        assert [(each.path, each.line, each.severity, each.code) for each in first.new] == [
            ("a.txt", 5, "error", "bad")
        ]
        second = await checked(world, "\n\n\nwrong 1\nwrong 2\n", "wrong 1\n")
        assert (messages(second), second.gone) == ([], 1)
        third = await checked(world, "wrong 1\n", "wrong 1\nwrong 1\n")
        assert (messages(third), third.gone) == (["wrong 1"], 0)
        made = await checked(world, None, "wrong 3\n", "sub/new.txt")
        assert (messages(made), made.gone, made.path) == (["wrong 3"], 0, "sub/new.txt")

    yard.run(world, edits)


def test_a_server_that_can_not_read_the_project_says_of_no_file_that_it_has_no_errors(yard: Yard) -> None:
    settings = yard.settings("reads-project")
    named = {"gopls": settings.language_servers["scripted"], "scripted": LanguageServer(disabled=True)}
    world = World(yard.root, settings=settings.model_copy(update={"language_servers": named}))

    async def edits() -> None:
        first = await checked(world, "wrong 1\n", "unreadable\n")
        assert (first.new, first.trouble) == (None, "it can't read the project: no go.mod")
        (check,) = await world.language_servers.check({"a.txt": "unreadable\n"})
        assert (check.problems, check.trouble) == (None, first.trouble)
        second = await checked(world, "unreadable\n", "wrong 2\n")
        assert (messages(second), second.trouble) == (["wrong 2"], "")

    yard.run(world, edits)


def test_a_server_is_waited_for_once_it_has_answered_and_never_before(yard: Yard) -> None:
    world = yard.world("late")

    async def edits() -> None:
        servers, loop = world.language_servers, asyncio.get_running_loop()
        world.write("a.txt", "wrong 1\n")
        servers.check_edits("s", [EditedText("a.txt", "", "wrong 1\n")])
        begun = loop.time()
        assert await servers.news("s") == [EditCheck("a.txt", "scripted")]
        waited_cold = loop.time() - begun
        assert messages(await known(world)) == ["wrong 1"]
        servers.check_edits("s", [EditedText("a.txt", "wrong 1\n", "wrong 2\n")])
        begun = loop.time()
        assert await servers.news("s") == [EditCheck("a.txt", "scripted")]
        waited_warm = loop.time() - begun
        assert waited_cold < 1 < waited_warm
        assert not await servers.news("s")  # that it isn't known is said once
        assert not await servers.news("other")
        later = await known(world)
        assert (messages(later), later.gone) == (["wrong 2"], 1)
        assert not await servers.news("s")

    yard.run(world, edits)


def test_errors_of_an_edit_that_nobody_heard_of_are_told_after_the_next_one(yard: Yard) -> None:
    world = yard.world("late")

    async def edits() -> None:
        servers = world.language_servers
        text = "fine\n"
        assert messages(await checked(world, "", text)) == []
        for number in range(3):
            before, text = text, f"{text}wrong {number}\n"
            servers.check_edits("s", [EditedText("a.txt", before, text)])
            await asyncio.sleep(0.1)
        assert messages(await known(world)) == ["wrong 0", "wrong 1", "wrong 2"]

    yard.run(world, edits)


def test_a_question_for_problems_gets_all_of_them_and_no_file_without_a_server(yard: Yard) -> None:
    world = yard.world("versioned")
    found = yard.run(world, lambda: world.language_servers.check({"a.txt": "wrong\n", "b.txt": "", "c.md": "wrong\n"}))
    assert [(check.path, messages(check), check.problems is None) for check in found] == [
        ("a.txt", ["wrong"], False),
        ("b.txt", [], False),
    ]


@pytest.mark.parametrize(
    ("manner", "trouble"),
    [
        ("flood", "10,001 messages within a minute"),
        ("flood-errors", "it sent 50,"),
        ("garbage", "it sent no header of a message"),
        ("no-length", "it sent a header without a length"),
        ("huge", "it sent a message of more than 10,000,000 bytes"),
        ("deep", "it sent a message that is no JSON"),
        ("dies", "it ended, and said: I can't go on [31m"),
        ("silent", "it gave no answer to initialize within 1 s"),
        ("mute", "it said nothing within 1 s"),
    ],
)
def test_a_server_that_misbehaves_is_started_twice_and_told_once(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, manner: str, trouble: str
) -> None:
    if trouble.endswith("within 1 s"):
        monkeypatch.setattr(client, "_START_SECONDS", 1.0)
        monkeypatch.setattr(one_server, "_CHECK_SECONDS", 1.0)
    world = yard.world(manner)

    async def edits() -> None:
        check = await checked(world, "", "wrong\n")
        assert (check.new, trouble in check.trouble) == (None, True), check
        assert not yard.processes()
        world.language_servers.check_edits("s", [EditedText("a.txt", "wrong\n", "x\n")])
        assert not await world.language_servers.news("s")
        (asked,) = await world.language_servers.check({"a.txt": "x\n"})
        assert (asked.problems, trouble in asked.trouble) == (None, True)
        assert not yard.processes()

    yard.run(world, edits)


def test_a_server_that_dies_once_is_started_again_for_the_same_text(yard: Yard) -> None:
    world = yard.world("dies-once")
    assert messages(yard.run(world, lambda: checked(world, "", "wrong\n"))) == ["wrong"]


def test_lies_are_read_as_far_as_they_can_be(yard: Yard) -> None:
    world = yard.world("liar")
    (check,) = yard.run(world, lambda: world.language_servers.check({"a.txt": "x"}))
    assert check.problems is not None
    assert {problem.path for problem in check.problems} == {"a.txt"}
    assert (len(check.problems), check.problems[0].line, check.problems[0].severity) == (499, 1, "error")


@pytest.mark.parametrize("line", [pytest.param(int("9" * 4_300), id="long"), 2**31, -1, True, 1.5, "7"])
def test_a_line_that_is_no_number_of_the_protocol_is_none(line: object) -> None:
    assert line_of({"range": {"start": {"line": line}}}) == 0


def test_its_questions_are_answered_and_none_of_its_edits_is_made(yard: Yard) -> None:
    world = yard.world("asks", scripted={"depth": 3})
    said = messages(yard.run(world, lambda: checked(world, None, "x\n")))
    assert [line.partition(": ") for line in said] == [
        ("workspace/configuration", ": ", "[3, null]"),
        ("client/registerCapability", ": ", "null"),
        ("window/workDoneProgress/create", ": ", "null"),
        ("workspace/workspaceFolders", ": ", f'[{{"uri": "{yard.root.as_uri()}", "name": "ws"}}]'),
        (
            "workspace/applyEdit",
            ": ",
            '{"applied": false, "failureReason": "planact makes no edits of a server\'s own"}',
        ),
        ("window/showMessageRequest", ": ", "null"),
        ("workspace/executeSomething", ": ", '{"code": -32601, "message": "planact does no such thing"}'),
    ]
    assert world.read("a.txt") == "x\n"


def test_a_server_that_nobody_needs_ends_and_comes_back(yard: Yard) -> None:
    world = yard.world("versioned")
    object.__setattr__(world.language_servers._context, "idle_seconds", 0.3)

    async def edits() -> None:
        assert messages(await checked(world, "", "wrong 1\n")) == ["wrong 1"]
        assert yard.processes()
        for _ in range(2_000):
            await asyncio.sleep(0.05)
            if not yard.processes():
                break
        assert not world.language_servers.is_running()
        assert messages(await checked(world, "wrong 1\n", "wrong 2\n")) == ["wrong 2"]

    yard.run(world, edits)
    assert not yard.processes()
