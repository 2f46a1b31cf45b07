import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import Conflict, InvalidInput
from planact.model.notice import QuestionNotice
from planact.model.question import (
    MOMENTARY,
    Answered,
    DeclinedByUser,
    Dismissed,
    NobodyThere,
    Option,
    Question,
    QuestionSet,
    Shown,
)
from planact.tools.turn import EndTurn
from planact.workflows.chat.send_message import send_message
from planact.workflows.questions.check_answer import MAX_ANSWER, answer_problem
from planact.workflows.questions.service import QuestionService
from planact.workflows.sessions.manage import new_session
from tests.fakes.store import MemoryQuestions
from tests.fakes.world import World, answer, call, calls
from tests.workflows.scene import until

YES_NO = (Option(label="Yes", value=True), Option(label="No", value=False))
GO = Question(name="go", question="Go?", options=YES_NO)
COLOUR = Question(name="colour", question="Which colour?")


@dataclass
class Asker:
    """A service in a world, with one session."""

    world: World
    session_id: str

    async def ask(
        self, *questions: Question, subject: str = "it", service: QuestionService | None = None
    ) -> QuestionSet:
        return await (service or self.world.ws.questions).ask(self.session_id, questions or (GO,), "confirm", subject)

    def ask_shown(self, *shown: Shown, question: Question = GO) -> QuestionSet:
        self.world.editor.answers += shown
        return asyncio.run(self.ask(question))

    def resolved(self) -> list[str]:
        return [n.question.status for n in self.world.editor.notices if isinstance(n, QuestionNotice)]

    async def shown(self, times: int = 1) -> str:
        """Wait until a question was shown so often; its id."""
        await until(lambda: len(self.world.editor.asked) >= times)
        return self.world.editor.asked[-1].id


@pytest.fixture
def service(tmp_path: Path) -> Asker:
    world = World(tmp_path)
    return Asker(world, new_session(world.ws).id)


# --- the three ends


def test_a_question_is_kept_before_it_is_shown_and_ends_with_the_answer(service: Asker) -> None:
    ended = service.ask_shown(answer(go=True))
    assert (ended.status, ended.answers, ended.assumed) == ("answered", {"go": True}, False)
    steps = service.world.log("questions", "editor.show", "events", "sessions.add_message")
    assert [step for step in steps if step[1] != "mode_entered"] == [
        ("questions.put", ended.id),
        ("events.record", "question_asked"),
        ("sessions.add_message", "question"),
        ("editor.show", "confirm"),
        ("questions.resolve", "answered"),
        ("events.record", "question_resolved"),
        ("sessions.add_message", "text"),
    ]
    told = service.world.store.sessions.messages(service.session_id)[-1]
    assert (told.role, told.metadata["question_answer"]) == ("user", {"question_id": ended.id, "answers": {"go": True}})
    assert service.resolved() == ["answered"]


def test_declining_ends_it_without_an_answer(service: Asker) -> None:
    ended = service.ask_shown(DeclinedByUser())
    assert (ended.status, ended.answers) == ("declined", {})


def test_defaults_that_nobody_gave_are_told_as_such(service: Asker) -> None:
    assert service.ask_shown(Answered({"go": False}, assumed=True)).assumed


def test_with_nobody_there_it_stays_open(service: Asker) -> None:
    with pytest.raises(EndTurn) as end:
        service.ask_shown(NobodyThere())
    assert end.value.kind == "waiting"
    assert [question.status for question in service.world.ws.questions.open()] == ["open"]


def test_dismissing_it_leaves_it_open_until_somebody_answers(service: Asker) -> None:
    async def scene() -> QuestionSet:
        service.world.editor.answers.append(Dismissed())
        asking = asyncio.ensure_future(service.ask())
        question_id = await service.shown()
        await asyncio.sleep(0.05)
        assert not asking.done()
        service.world.ws.questions.answer(question_id, {"go": True})
        return await asyncio.wait_for(asking, 180)

    assert asyncio.run(scene()).answers == {"go": True}


def test_a_bad_answer_is_told_why_and_the_question_stays_open(service: Asker) -> None:
    ended = service.ask_shown(answer(go="yes"), Answered({}), answer(go=1), answer(go=True))
    assert ended.answers == {"go": True}
    assert service.world.editor.problems == [
        "",
        "'yes' is not among the choices for 'go': true, false",
        "the answer to 'go' is missing",
        "'1' is not among the choices for 'go': true, false",
    ]
    assert service.resolved() == ["answered"]


def test_several_choices_are_a_list_in_which_each_is_one_that_was_offered(service: Asker) -> None:
    options = (Option(label="A", value="a"), Option(label="B", value="b"))
    places = Question(name="go", question="Where?", options=options, schema={"type": "array", "minItems": 1})
    ended = service.ask_shown(
        answer(go=["a", "c"]), answer(go="a"), answer(go=[]), answer(go=["b", "a"]), question=places
    )
    assert ended.answers == {"go": ["b", "a"]}
    assert service.world.editor.problems == [
        "",
        """'["a", "c"]' is not among the choices for 'go': a, b""",
        "go: 'a' is not of type 'array'",
        "go: [] should be non-empty",
    ]


def test_the_first_of_two_answers_wins(service: Asker) -> None:
    async def scene() -> QuestionSet:
        asking = asyncio.ensure_future(service.ask())
        question_id = await service.shown()
        service.world.ws.questions.answer(question_id, {"go": True})
        for late in (
            lambda: service.world.ws.questions.answer(question_id, {"go": False}),
            lambda: service.world.ws.questions.decline(question_id),
            lambda: service.world.ws.questions.cancel(question_id, "late"),
        ):
            with pytest.raises(Conflict) as conflict:
                late()
            assert conflict.value.code == "QUESTION_NOT_OPEN"
        return await asking

    assert asyncio.run(scene()).answers == {"go": True}


def test_an_answer_that_comes_a_moment_too_late_is_no_failure(service: Asker) -> None:
    class Contended(MemoryQuestions):
        """Another process ends the question just before this one does."""

        def resolve(self, question: QuestionSet) -> bool:
            super().resolve(question.model_copy(update={"answers": {"go": False}}))
            return False

    questions = Contended(service.world.store.log)
    object.__setattr__(service.world.ports, "questions", questions)
    assert service.ask_shown(answer(go=True)).answers == {"go": False}


def test_a_message_instead_of_an_answer_cancels_the_question_and_is_told_so(tmp_path: Path) -> None:
    from planact.model.chat.message import Reply

    ask = call("ask_user", questions=[{"name": "colour", "question": "Which colour?"}])
    world = World(tmp_path, [calls(ask), Reply("fine")])
    service = Asker(world, new_session(world.ws).id)

    async def scene() -> None:
        working = asyncio.ensure_future(send_message(world.ws, service.session_id, "begin"))
        await service.shown()
        assert await send_message(world.ws, service.session_id, "forget it") is None
        result = await working
        assert result is not None
        assert result.text == "fine"

    asyncio.run(scene())
    assert service.resolved() == ["cancelled"]
    told, said = world.model.requests[1].messages[-2:]
    assert "did not answer but wrote a message" in told["content"]
    assert said["content"] == "forget it"


def test_stopping_cancels_the_question(tmp_path: Path) -> None:
    world = World(tmp_path, [calls(call("ask_user", questions=[{"question": "Which colour?"}]))])
    service = Asker(world, new_session(world.ws).id)

    async def scene() -> None:
        working = asyncio.ensure_future(send_message(world.ws, service.session_id, "begin"))
        await service.shown()
        assert await world.ws.stop(service.session_id)
        result = await working
        assert result is not None
        assert result.kind == "stopped"

    asyncio.run(scene())
    assert (service.resolved(), list(world.ws.questions.open())) == (["cancelled"], [])


# --- several processes, and restarts


def test_an_answer_by_another_process_is_noticed(service: Asker) -> None:
    async def scene() -> QuestionSet:
        asking = asyncio.ensure_future(service.ask())
        question_id = await service.shown()
        other = QuestionService(service.world.ports)
        other.answer(question_id, {"go": False})
        return await asyncio.wait_for(asking, 180)

    assert asyncio.run(scene()).answers == {"go": False}


def test_a_question_keeps_its_id_over_a_restart(service: Asker) -> None:
    async def scene() -> tuple[str, QuestionSet]:
        asking = asyncio.ensure_future(service.ask())
        before = await service.shown()
        asking.cancel()
        await asyncio.wait([asking])
        service.world.editor.answers.append(answer(go=True))
        return before, await service.ask(service=QuestionService(service.world.ports))

    before, ended = asyncio.run(scene())
    assert (ended.id, ended.answers) == (before, {"go": True})


def test_what_nobody_takes_up_again_ends_with_the_process_that_asked_it(service: Asker) -> None:
    async def scene() -> list[str]:
        world, other = service.world, QuestionService(service.world.ports)
        asking = asyncio.ensure_future(service.ask(subject=f"{MOMENTARY}it"))
        question_id = await service.shown()
        open_while_asked = [each.id for each in other.open()]
        world.store.session_holders.clear()  # as the operating system does when the process is killed
        assert (open_while_asked, [*other.open()]) == ([question_id], [])
        await asyncio.wait_for(asking, 180)
        ended = world.ports.questions.get(question_id)
        return [ended.status, ended.reason]

    assert asyncio.run(scene()) == ["cancelled", "the process that asked it was killed"]


def test_an_answer_given_while_nobody_waited_counts_once(service: Asker) -> None:
    async def scene() -> None:
        asking = asyncio.ensure_future(service.ask())
        before = await service.shown()
        asking.cancel()
        await asyncio.wait([asking])
        QuestionService(service.world.ports).answer(before, {"go": True})
        again = await service.ask(service=QuestionService(service.world.ports))
        assert (again.id, again.answers, len(service.world.editor.asked)) == (before, {"go": True}, 1)
        service.world.editor.answers.append(answer(go=False))
        third = await service.ask()
        assert (third.id != before, third.answers) == (True, {"go": False})

    asyncio.run(scene())


def test_an_answer_counts_for_nothing_else(service: Asker) -> None:
    async def scene() -> None:
        asking = asyncio.ensure_future(service.ask(subject="this"))
        before = await service.shown()
        asking.cancel()
        await asyncio.wait([asking])
        service.world.ws.questions.answer(before, {"go": True})
        service.world.editor.answers.append(answer(go=False))
        assert (await service.ask(subject="that")).answers == {"go": False}

    asyncio.run(scene())


def test_showing_it_again_answers_it_for_whoever_waits(service: Asker) -> None:
    async def scene() -> QuestionSet:
        asking = asyncio.ensure_future(service.ask())
        await service.shown()
        service.world.editor.answers += [answer(go="maybe"), answer(go=True)]
        shown = await service.world.ws.questions.show_again(service.world.editor.asked[0])
        assert shown.status == "answered"
        return await asyncio.wait_for(asking, 180)

    assert asyncio.run(scene()).answers == {"go": True}


# --- what an answer may be


def problem(question: Question, answers: Mapping[str, Any]) -> str:
    asked = QuestionSet(id="q", session_id="s", questions=(question,), created_at="")
    return answer_problem(asked, answers)


NUMBER = Question(name="n", question="How many?", schema={"type": "integer", "minimum": 1})
PATTERN = Question(name="n", question="?", schema={"type": "object", "properties": {"pattern": {"type": "string"}}})
CUSTOM = Question(name="c", question="?", options=(Option(label="A", value="a"),), allow_custom=True)
NESTED = Question(name="v", question="?", options=(Option(label="A", value={"a": [1]}),))


@pytest.mark.parametrize(
    ("question", "answers", "is_fine"),
    [
        (GO, {"go": True}, True),
        (GO, {"go": 1}, False),
        (GO, {"go": "true"}, False),
        (GO, {"go": None}, False),
        (GO, {}, False),
        (GO, {"go": True, "other": True}, False),
        (NESTED, {"v": {"a": [1]}}, True),
        (NESTED, {"v": {"a": [True]}}, False),
        (CUSTOM, {"c": "a"}, True),
        (CUSTOM, {"c": "something else"}, True),
        (CUSTOM, {"c": " "}, False),
        (CUSTOM, {"c": {"no": "text"}}, False),
        (COLOUR, {"colour": "blue"}, True),
        (COLOUR, {"colour": ""}, False),
        (COLOUR, {"colour": 3}, False),
        (COLOUR, {"colour": "x" * MAX_ANSWER}, False),
        (NUMBER, {"n": 3}, True),
        (NUMBER, {"n": 0}, False),
        (NUMBER, {"n": True}, False),
        (NUMBER, {"n": "3"}, False),
        (PATTERN, {"n": {"pattern": "x"}}, True),
    ],
)
def test_answers_are_checked(question: Question, answers: dict[str, Any], is_fine: bool) -> None:
    assert (problem(question, answers) == "") is is_fine


HOSTILE_SCHEMAS: Sequence[Mapping[str, Any]] = [
    {"$ref": "http://127.0.0.1:9/schema.json"},
    {"$dynamicRef": "#x"},
    {"$ref": "#"},
    {"pattern": "(a+)+$"},
    {"properties": {"x": {"items": {"anyOf": [{"pattern": "(a|a)*$"}]}}}},
    {"patternProperties": {"(a+)+$": {}}},
    {"propertyNames": {"pattern": "(a+)+$"}},
    {"type": "a sort of text"},
    {"enum": list(range(10_000))},
    {"$defs": {"a": {"$ref": "file:///etc/passwd"}}},
]


@pytest.mark.parametrize("schema", HOSTILE_SCHEMAS)
def test_a_hostile_schema_is_refused_before_anybody_is_asked(service: Asker, schema: dict[str, Any]) -> None:
    question = Question(name="n", question="?", schema=schema)
    begun = time.process_time()
    with pytest.raises(InvalidInput) as failure:
        service.ask_shown(answer(n="a" * 40 + "!"), question=question)
    assert failure.value.code == "INVALID_ARGUMENTS"
    assert time.process_time() - begun < 1
    assert service.world.editor.asked == []
    assert list(service.world.ws.questions.open()) == []


def test_a_deeply_nested_schema_is_checked_in_no_time() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(100):
        schema = {"anyOf": [schema, {"type": "integer"}]}
    begun = time.process_time()
    assert problem(Question(name="n", question="?", schema=schema), {"n": [1]}) != ""
    assert time.process_time() - begun < 1
