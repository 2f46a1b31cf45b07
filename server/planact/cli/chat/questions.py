"""Questions in the conversation: printed above with their context, answered below."""

import asyncio
from collections.abc import Callable, Sequence

from planact.cli.chat.form import fill_form
from planact.cli.chat.output import ChatOutput
from planact.cli.chat.panel import Field, Menu, Panel
from planact.cli.output.own_marks import set_apart
from planact.cli.output.prompt import MenuItem, ask_approval, discard_typed
from planact.cli.output.screen import fitted
from planact.model.question import NobodyThere, Question, QuestionSet, Shown
from planact.workflows.history.review_edits import EditDiff, may_reject

_STYLES = {"critical": "bold red", "major": "bold yellow", "minor": "bold"}


class ChatQuestions:
    """Implements `FormPrompt`. `panel` is the menu or field that waits for an answer; `on_change` is called when it
    changes.
    """

    def __init__(self, chat_output: ChatOutput, on_change: Callable[[], None]) -> None:
        self.panel: Panel | None = None
        self._chat_output = chat_output
        self._on_change = on_change
        self._one = asyncio.Lock()
        self._is_left = False

    async def ask(self, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
        """Ask the questions one after the other. `difference` returns the unified diff of a proposed edit."""
        async with self._one:
            if self._is_left:
                return NobodyThere()
            if problem:
                self.show_message(f"! {problem}")
            discard_typed()
            self._chat_output.asked_here.add(asked.id)
            try:
                return await (ask_approval(self, asked, difference) if may_reject(asked) else fill_form(self, asked))
            except EOFError:
                return NobodyThere()

    def leave(self) -> bool:
        """Leave the open question unanswered and ask no other. Return whether a question was open."""
        self._is_left = True
        if self.panel is None or self.panel.answer.done():
            return False
        self.panel.answer.set_exception(EOFError())
        return True

    def introduce(self, question: Question, place: str) -> None:
        severity = "" if question.severity == "minor" else f"{question.severity.capitalize()} · "
        number = f"({place}) " if place else ""
        self._chat_output.say(f"? {number}{severity}{set_apart(question.question)}", _STYLES[question.severity])
        if question.context:
            self._chat_output.markdown(question.context, "  ")

    def show_message(self, text: str) -> None:
        self._chat_output.say(f"  {text}", "red" if text.startswith("!") else "")

    def compare(self, title: str, difference: str) -> None:
        self._chat_output.say(title, "bold")
        self._chat_output.diff(difference)

    async def choose(self, title: str, choices: Sequence[MenuItem], at: int | None) -> int:
        (place,) = await self._marked(Menu(title, choices, at, frozenset(), several=False))
        self._echo(title, choices[place].label)
        return place

    async def choose_several(self, title: str, choices: Sequence[MenuItem], marked: frozenset[int]) -> frozenset[int]:
        chosen = await self._marked(Menu(title, choices, None, marked, several=True))
        self._echo(title, ", ".join(choices[place].label for place in sorted(chosen)) or "none")
        return chosen

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        field = Field(title, hint, default, problem_of)
        try:
            self._put(field)
            written = await field.answer
        finally:
            self._put(None)
        self._echo(title, fitted(written) or "left out")
        return written

    def _echo(self, title: str, answer: str) -> None:
        about = f"{fitted(title)}: " if title else ""
        self._chat_output.say(f"  → {about}{answer}", "dim" if title else "bold")

    async def _marked(self, menu: Menu) -> frozenset[int]:
        try:
            self._put(menu)
            return await menu.answer
        finally:
            self._put(None)

    def _put(self, panel: Panel | None) -> None:
        self.panel = panel
        self._on_change()
