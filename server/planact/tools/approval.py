"""The question whether one call may run: what exactly it would do, why it is asked, and what "always" would allow."""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import assert_never

from planact.base.text import capped, one_line
from planact.model.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)
from planact.model.effect import CommandEffect, PathEffect
from planact.model.question import Option, Question, Severity
from planact.model.rule import Allowed
from planact.plan.code_span import fenced, wrap
from planact.policy.standing import Request
from planact.tools.edit.difference import difference
from planact.tools.spec import Args

ALLOW, ALWAYS, REJECT, STOP = "allow_once", "always_allow", "reject_once", "reject_and_stop"

MAX_RULES = 5
"""How many rules one answer can make; more than that nobody reads."""

MAX_COMMAND = 8_192
"""Characters of a command that are shown; a longer one loses its middle, and can't be allowed for always."""

_MAX_CHANGES = 20_000
_MAX_SUBJECT = 500
_MAX_NAME = 100
_NAMED = 3
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")


def approval_question(
    request: Request,
    changes: Sequence[Change] | None,
    reason: str,
    shown: str,
    rules: Iterable[Allowed],
    severity: Severity,
) -> Question:
    """The question; `changes` are what it would do to files, `shown` is what the user says yes to, and `rules` those
    that "always" would make, if any.
    """
    made = "; ".join(sorted(map(str, rules)))
    always = [Option(label="Always allow", value=ALWAYS, description=visible(f"from now on, {made}"))] if made else []
    return Question(
        name="approval",
        question=visible(f"{_deed(request, changes or ())}? {reason[:1].upper()}{reason[1:]}"),
        context=shown,
        severity=severity,
        options=(
            Option(label="Allow once", value=ALLOW, variant="primary"),
            *always,
            Option(label="Reject", value=REJECT),
            Option(label="Reject and stop", value=STOP, variant="danger"),
        ),
    )


def _deed(request: Request, changes: Sequence[Change]) -> str:
    """What the call would do, in a few words of Markdown: to which files, or the command; and by which tool."""
    commands = [touch.effect for touch in request.touches if isinstance(touch.effect, CommandEffect)]
    read = [touch.place.shown for touch in request.touches if isinstance(touch.effect, PathEffect) and touch.place]
    if changes:
        deed = _deeds(changes)
    elif len(commands) == 1:
        command = commands[0].command
        is_short = command == one_line(command, _MAX_NAME)
        deed = f"{'start' if commands[0].goes_on else 'run'} {_code(command) if is_short else 'this command'}"
    elif read and len(read) == len(request.touches):
        deed = f"read {_listed(list(map(_code, read)))}"
    else:
        return f"Use {request.tool}"
    return f"{deed[:1].upper()}{deed[1:]} ({request.tool})"


def _deeds(changes: Sequence[Change]) -> str:
    done: dict[str, dict[str, None]] = {}
    for change in changes:
        verb, what = _told(change)
        done.setdefault(verb, {})[what] = None
    return " and ".join(f"{verb} {_listed(list(names))}" for verb, names in done.items())


def _told(change: Change) -> tuple[str, str]:
    name = _code(change.place.shown)
    match change:
        case ReplaceText() | RestoreFile():
            return "change", name
        case CreateFile():
            return "create", name
        case RenameFile(target=target):
            return "rename", f"{name} to {_code(target.shown)}"
        case DeleteFile():
            return "delete", name
        case MakeDirectory():
            return "make the folder", name
        case _:
            assert_never(change)


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _code(text: str) -> str:
    """As Markdown writes it: nothing in it is taken for anything else."""
    return wrap(one_line(visible(text), _MAX_NAME))


def show_call(request: Request, args: Args, changes: Sequence[Change] | None) -> str:
    """What the call would do, as Markdown: the difference it makes, the exact command, else its arguments."""
    if changes is not None:
        return fenced(visible(difference(changes, _MAX_CHANGES)), "diff")
    commands = [touch for touch in request.touches if isinstance(touch.effect, CommandEffect)]
    if not commands:
        return fenced(visible(describe(args, MAX_COMMAND)))
    texts: list[str] = []
    for touch in commands:
        assert isinstance(touch.effect, CommandEffect)
        where = f"in {touch.place.shown}:\n" if touch.place and touch.place.shown != "." else ""
        texts.append(f"{where}{capped(touch.effect.command, MAX_COMMAND)}")
    return fenced(visible("\n".join(texts)))


def subject_of(request: Request, args: Args) -> str:
    """What the call is about, in one line for records: the command, the paths that it touches, else its arguments."""
    effects = [touch.effect for touch in request.touches]
    commands = [effect.command for effect in effects if isinstance(effect, CommandEffect)]
    paths = [touch.place.shown for touch in request.touches if isinstance(touch.effect, PathEffect) and touch.place]
    about = "; ".join(commands) or ", ".join(dict.fromkeys(paths)) or describe(args)
    return one_line(about, _MAX_SUBJECT)


def describe(args: Args, limit: int = 200) -> str:
    """The arguments for people: a lone value as it is, several by name."""
    values = args.model_dump(exclude_defaults=True)
    lines = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values.values()]
    text = lines[0] if len(lines) == 1 else "\n".join(f"{n}: {v}" for n, v in zip(values, lines, strict=True))
    return text if len(text) <= limit else f"{text[:limit]}…"


def visible(text: str) -> str:
    """`text` with what is invisible, reorders it or looks like a blank spelled out: nobody says yes to another."""
    return "".join(
        f"\\u{ord(each):04x}" if each not in " \n\t" and unicodedata.category(each) in _UNSEEN else each
        for each in text
    )
