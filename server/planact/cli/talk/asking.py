"""Questions in the conversation: shown above with what they are about, answered below."""

import asyncio
from collections.abc import Callable, Sequence

from planact.cli.leave import Choice, ask_leave
from planact.cli.prompt import forget_typed
from planact.cli.screen import fitted
from planact.cli.talk.drawn import Drawn
from planact.cli.talk.form import fill
from planact.cli.talk.panel import Field, Menu, Panel
from planact.model.question import NobodyThere, Question, QuestionSet, Shown
from planact.workflows.review_edits import Difference, may_reject

_STYLES = {"critical": "bold red", "major": "bold yellow", "minor": "bold"}


class Asking:
    """Implements `FormAsker`. `panel` is what waits for an answer now; `on_change` is called when it is another one."""

    def __init__(self, drawn: Drawn, on_change: Callable[[], None]) -> None:
        self.panel: Panel | None = None
        self._drawn = drawn
        self._on_change = on_change
        self._one = asyncio.Lock()
        self._is_left = False

    async def ask(self, asked: QuestionSet, problem: str, difference: Difference) -> Shown:
        """Ask; one question after the other, if there are several. `difference` says what would become of a file."""
        async with self._one:
            if self._is_left:
                return NobodyThere()
            if problem:
                self.tell(f"! {problem}")
            forget_typed()
            self._drawn.asked_here.add(asked.id)
            try:
                return await (ask_leave(self, asked, difference) if may_reject(asked) else fill(self, asked))
            except EOFError:
                return NobodyThere()

    def leave(self) -> bool:
        """The user leaves: what is asked stays open, and nothing more is asked. Whether something was."""
        self._is_left = True
        if self.panel is None or self.panel.answer.done():
            return False
        self.panel.answer.set_exception(EOFError())
        return True

    def introduce(self, question: Question, place: str) -> None:
        """See `FormAsker`."""
        severity = "" if question.severity == "minor" else f"{question.severity.capitalize()} · "
        number = f"({place}) " if place else ""
        self._drawn.say(f"? {number}{severity}{question.question}", _STYLES[question.severity])
        if question.context:
            self._drawn.markdown(question.context, "  ")

    def tell(self, text: str) -> None:
        """See `FormAsker`."""
        self._drawn.say(f"  {text}", "red" if text.startswith("!") else "")

    def compare(self, title: str, difference: str) -> None:
        """See `FormAsker`."""
        self._drawn.say(title, "bold")
        self._drawn.diff(difference)

    async def choose(self, title: str, choices: Sequence[Choice], at: int | None) -> int:
        """See `FormAsker`."""
        (place,) = await self._marked(Menu(title, choices, at, frozenset(), several=False))
        self._echo(title, choices[place].label)
        return place

    async def choose_several(self, title: str, choices: Sequence[Choice], marked: frozenset[int]) -> frozenset[int]:
        """See `FormAsker`."""
        chosen = await self._marked(Menu(title, choices, None, marked, several=True))
        self._echo(title, ", ".join(choices[place].label for place in sorted(chosen)) or "none")
        return chosen

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        """See `FormAsker`."""
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
        self._drawn.say(f"  → {about}{answer}", "dim" if title else "bold")

    async def _marked(self, menu: Menu) -> frozenset[int]:
        try:
            self._put(menu)
            return await menu.answer
        finally:
            self._put(None)

    def _put(self, panel: Panel | None) -> None:
        self.panel = panel
        self._on_change()
