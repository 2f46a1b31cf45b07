"""A question set as menus and fields, answered by somebody who knows what they will be asked."""

from collections.abc import Callable, Sequence
from typing import Any

from planact.cli.chat.form import fill_form
from planact.cli.output.prompt import MenuItem
from planact.model.question import Answered, Question, QuestionSet

ROLES = {"oneOf": [{"const": "dev", "title": "Developer"}, {"const": "ops", "title": "Operator"}], "default": "dev"}
PERSON = {
    "type": "object",
    "required": ["name", "role"],
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "role": {"type": "string", **ROLES},
        "days": {
            "type": "array",
            "items": {"oneOf": [{"const": 1, "title": "Monday"}, {"const": 2, "title": "Tuesday"}]},
        },
        "lead": {"type": "boolean", "default": False},
    },
}
PACES = {"oneOf": [{"const": 1, "title": "At leisure"}, {"const": 2, "title": "In haste"}], "default": 2}


class Person:
    """Chooses and writes what was said beforehand: a label, labels or a text, None = what is marked or filled in."""

    def __init__(self, *says: Any) -> None:
        self.says = list(says)
        self.told: list[str] = []

    def introduce(self, question: Question, place: str) -> None:
        self.told.append(question.question)

    def show_message(self, text: str) -> None:
        self.told.append(text)

    def compare(self, title: str, difference: str) -> None:
        raise AssertionError(title)

    async def choose(self, title: str, choices: Sequence[MenuItem], at: int | None) -> int:
        labels, said = [choice.label for choice in choices], self.says.pop(0)
        if said is None:
            assert at is not None, title
            return at
        return labels.index(said)

    async def choose_several(self, title: str, choices: Sequence[MenuItem], marked: frozenset[int]) -> frozenset[int]:
        labels, said = [choice.label for choice in choices], self.says.pop(0)
        return marked if said is None else frozenset(map(labels.index, said))

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        said = self.says.pop(0)
        text = default if said is None else str(said)
        if problem := problem_of(text):
            self.told.append(problem)
            return await self.write(title, hint, default, problem_of)
        return text


async def test_named_values_lists_of_objects_and_defaults_are_asked_field_by_field() -> None:
    asked = QuestionSet(
        id="q",
        session_id="s",
        created_at="",
        questions=(
            Question.model_validate({"name": "pace", "question": "How fast?", "schema": PACES}),
            Question.model_validate({"name": "who", "question": "Who?", "schema": {"type": "array", "items": PERSON}}),
            Question.model_validate(
                {"name": "title", "question": "Which?", "schema": {"type": "string", "default": "T"}}
            ),
        ),
    )
    first = ("Add one", "A", "Ada", "Operator", ["Monday", "Tuesday"], "Yes")
    second = ("Add one", "Alan", None, [], None)
    person = Person(None, *first, *second, "No more", None, "Send the answers")
    assert await fill_form(person, asked) == Answered(
        {
            "pace": 2,
            "who": [
                {"name": "Ada", "role": "ops", "days": [1, 2], "lead": True},
                {"name": "Alan", "role": "dev", "days": [], "lead": False},
            ],
            "title": "T",
        }
    )
    assert person.says == []
    assert [each for each in person.told if "too short" in each] != []
