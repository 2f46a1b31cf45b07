"""Rendering with colours: only this module turns texts of others into cells of a terminal.

Texts are cleaned twice, before they are read as Markdown and after, since Markdown can spell any character.
"""

import io
from collections.abc import Iterable
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown
from rich.segment import Segment
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from planact.cli.output.own_marks import APART, is_like_own
from planact.cli.output.screen import printable

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_TAB = 4
_THEME = Theme({"markdown.code": "cyan", "markdown.link": "default", "markdown.link_url": "underline"})


class _PlainHeading(Heading):
    """A heading that is aligned left, where rich centres it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text.assemble(self.text, style="bold")


class _CodeAsItIs(CodeBlock):
    """Code without a background and without a margin, which users would copy along; a diff in its colours."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = str(self.text).rstrip()
        if self.lexer_name == "diff":
            yield _diff(text)
            return
        yield Syntax(
            text, self.lexer_name, theme="ansi_dark", background_color="default", word_wrap=True, tab_size=_TAB
        )


class _Safe(Markdown):
    elements: ClassVar = {
        **Markdown.elements,
        "heading_open": _PlainHeading,
        "fence": _CodeAsItIs,
        "code_block": _CodeAsItIs,
    }

    def __init__(self, text: str) -> None:
        super().__init__(text, code_theme="ansi_dark", hyperlinks=False)
        for token in self.parsed:  # HTML is shown as text, where rich would leave it out
            token.type = "code_block" if token.type == "html_block" else token.type
            for child in token.children or ():
                child.type = "text" if child.type == "html_inline" else child.type


def markdown(text: str, width: int) -> list[str]:
    """Return Markdown as coloured lines. Links aren't clickable: their targets are shown. A line that begins like one
    of planact's own is set apart.
    """
    return _set_apart(_Safe(printable(text)), width)


def diff(text: str, width: int) -> list[str]:
    """Return a unified diff as coloured lines."""
    return _lines(_diff(printable(text)), width)


def styled(text: str, style: str, width: int) -> list[str]:
    """Return plain text as lines in one style of rich, such as `bold red`. Where one is too long and wraps, a further
    line that begins like one of planact's own is set apart.
    """
    lines: list[str] = []
    for line in printable(text).rstrip().split("\n"):
        lines += _set_apart(Text(line, style=style), width, after=1) or [""]
    return lines


def _diff(text: str) -> Text:
    shown = Text()
    for line in text.splitlines():
        style = "bold" if line.startswith(("+++", "---")) else _DIFF_STYLES.get(line[:1], "")
        shown.append(f"{line}\n", style)
    shown.rstrip()
    return shown


def _set_apart(shown: RenderableType, width: int, after: int = 0) -> list[str]:
    lines = _lines(shown, width)
    if any(map(is_like_own, lines[after:])):
        lines = _lines(shown, width - len(APART))
    return lines[:after] + [f"{APART}{line}" if is_like_own(line) else line for line in lines[after:]]


def _lines(shown: RenderableType, width: int) -> list[str]:
    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        color_system="standard",
        width=max(width, 20),
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        tab_size=_TAB,
        theme=_THEME,
        _environ={},
    )
    rendered = ["".join(_cells(line)).rstrip() for line in console.render_lines(shown, console.options, pad=False)]
    while rendered and not rendered[-1]:
        rendered.pop()
    return rendered


def _cells(line: Iterable[Segment]) -> Iterable[str]:
    """Yield the parts of a line: text without control characters, styled, without links."""
    for segment in line:
        if not segment.control:
            text = printable(segment.text.replace("\n", ""))
            style = segment.style or Style.null()
            yield style.update_link(None).render(text)
