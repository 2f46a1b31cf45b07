"""What a command line would do, as far as can be told before it runs.

Reading classes are given only where every part of the line is positively known; what isn't is `unknown`.
"""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span

CommandClass = Literal["local-read", "net-read", "daemon-read", "unknown", "mutating"]
"""From the mildest to the strictest; a line is as strict as its strictest part."""

CommandTrait = Literal["outside", "fetches", "secret", "plain", "configured"]
"""What policy weighs besides the class: `outside` reads a path outside the workspace, `fetches` gets what a URL names,
`secret` prints or makes credentials, `plain` means every program is among the few that run without any jail.
`configured`: files of the workspace may steer what some program starts or whom it asks.
"""


@dataclass(frozen=True, slots=True)
class Classification:
    """The judgement of one command line.

    Attributes:
        rule: what decided, such as `git log` or `flag`; stable words for programs.
        reason: a sentence for people and models that names the construct.
        span: the part of the line that decided, in code points.
        programs: the names that would be run, in order.
        reads: paths it names for reading, relative to the workspace where they lie in it, else absolute; those that
            only running can tell are missing.
        begins: beginnings of paths of which only running can tell the rest, likewise.
    """

    cls: CommandClass
    rule: str
    reason: str
    span: Span
    traits: frozenset[CommandTrait] = frozenset()
    programs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a parser found, for comparing parsers: spans in bytes of UTF-8.

    Attributes:
        commands: for each simple command the spans of its words.
        assignments: spans of `name=value`, wherever they stand.
        redirects: the operator and the span of its word, `(0, 0)` for here-documents.
        tests: spans of `[[ … ]]`.
    """

    commands: frozenset[tuple[tuple[int, int], ...]]
    assignments: frozenset[tuple[int, int]]
    redirects: frozenset[tuple[str, int, int]]
    tests: frozenset[tuple[int, int]]
