"""The question whether one call may run: its effects, the reason to ask, and the rules that "always" would make."""

from collections.abc import Sequence
from typing import assert_never

from planact.base.text import capped, first_few, one_line, visible
from planact.base.web_address import page_host
from planact.model.answer import shown_value
from planact.model.question import Option, Question, QuestionAbout
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import CommandEffect, McpEffect, PageEffect, PathEffect
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)
from planact.plan.syntax.code_span import fenced, wrap
from planact.policy.commands import names_program_beyond
from planact.policy.context import Ask, Request
from planact.tools.calls.judged_call import ALLOW, ALWAYS, ALWAYS_READING, ALWAYS_SIMILAR, REJECT, STOP, JudgedCall
from planact.tools.edit.difference import difference
from planact.tools.tool import Args

MAX_RULES = 5
"""Most rules that one answer makes; users don't read more."""

MAX_COMMAND = 8_192
"""Characters of a command that are shown; a longer one is cut in the middle, and can't be allowed for always."""

_MAX_CHANGES = 20_000
_MAX_SUBJECT = 500
_MAX_NAME = 100
_NAMED = 3


def approval_question(judged: JudgedCall, changes: Sequence[Change] | None) -> Question:
    """Return the question; `changes` are those that the call would make to files."""
    assert isinstance(judged.verdict, Ask)
    request = judged.request
    is_contained = judged.runs_command and judged.confinement == "contain"
    contained = ". It would run where it can change and reach nothing" if is_contained else ""
    reason = f"{judged.verdict.reason}{contained}."
    once = _describe_yes(request, judged.confinement)
    made = "; ".join(sorted(map(str, judged.rules)))
    always = [Option(label="Always allow", value=ALWAYS, description=visible(f"from now on, {made}"))] if made else []
    if alike := "; ".join(sorted(map(str, judged.wider))):
        description = visible(f"from now on, {alike}; other options are asked about")
        always.append(Option(label="Always allow calls like this", value=ALWAYS_SIMILAR, description=description))
    if below := ", ".join(sorted(str(each).removeprefix("read below ") for each in judged.folders)):
        description = "by commands and tools, in this workspace and without a question; never files with credentials"
        label = f"Always allow reading below {below}"
        once = visible(f"in this session, other commands that only read may then read below {below}, too")
        always.append(Option(label=visible(label), value=ALWAYS_READING, description=description))
    title, why = visible(f"{_deed(request, changes or ())}?"), visible(f"{reason[:1].upper()}{reason[1:]}")
    return Question(
        name="approval",
        question=f"{title} {why}",
        title=title,
        reason=why,
        about=_about(request, changes or ()),
        context=_shown(request, judged.decoded.args, changes),
        counted_as=_kind(request),
        severity="major" if judged.decoded.tool.risk == "high" else "minor",
        options=(
            Option(label="Allow once", value=ALLOW, description=once, variant="primary"),
            *always,
            Option(label="Reject", value=REJECT),
            Option(label="Reject and stop", value=STOP, variant="danger"),
        ),
    )


def _describe_yes(request: Request, jail: Confinement) -> str:
    """Return the right that a yes to a command gives beyond its trial; empty for all others."""
    held = [each for each in request.commands if each.held_back]
    if not held:
        return ""
    if jail == "trial":
        paths = ", ".join(path for effect in held for path in effect.opens)
        return visible(f"it runs as before, and may use {paths}, of which nothing is put back")
    return "it runs as commands of the plan do: it sees your files, and has the network that your settings give these"


def _kind(request: Request) -> str:
    found = [touch.found for touch in request.touches if touch.found is not None]
    commands = request.commands
    if any(each.why_network or each.held_back or names_program_beyond(each.command) for each in commands) or any(
        each.traits & {"fetches", "loopback", "packages", "infrastructure"} for each in found
    ):
        return "network"
    if any("outside" in each.traits for each in found):
        return "outside"
    return (
        "command" if commands else "page" if any(isinstance(t.effect, PageEffect) for t in request.touches) else "call"
    )


def _deed(request: Request, changes: Sequence[Change]) -> str:
    """Return the call's act in a few words of Markdown: the files or the command, else the tool."""
    commands = request.commands
    read = [touch.place.shown for touch in request.touches if isinstance(touch.effect, PathEffect) and touch.place]
    if changes:
        deed = _deeds(changes)
    elif pages := [touch.effect.address for touch in request.touches if isinstance(touch.effect, PageEffect)]:
        deed = f"fetch a page of {_listed([_code(page_host(page)) for page in pages])}"
    elif len(commands) == 1:
        command = commands[0].command
        is_short = command == one_line(command, _MAX_NAME)
        deed = f"{'start' if commands[0].goes_on else 'run'} {_code(command) if is_short else 'this command'}"
    elif read and len(read) == len(request.touches):
        deed = f"read {_listed(list(map(_code, read)))}"
    else:
        return f"Use {request.tool}"
    return f"{deed[:1].upper()}{deed[1:]}"


def _about(request: Request, changes: Sequence[Change]) -> QuestionAbout:
    commands = request.commands
    if any(command.why_network for command in commands):
        return "network"
    return "change" if changes else "command" if commands else "call"


def _deeds(changes: Sequence[Change]) -> str:
    done: dict[str, dict[str, None]] = {}
    for change in changes:
        verb, what = _describe_change(change)
        done.setdefault(verb, {})[what] = None
    return " and ".join(f"{verb} {_listed(list(names))}" for verb, names in done.items())


def _describe_change(change: Change) -> tuple[str, str]:
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
        return first_few(names, _NAMED)
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _code(text: str) -> str:
    """Return `text` as a Markdown code span, in which no character is markup."""
    return wrap(one_line(visible(text), _MAX_NAME))


def _shown(request: Request, args: Args, changes: Sequence[Change] | None) -> str:
    """Return the call's act as Markdown: the difference that it makes, the exact command, else its arguments."""
    if changes is not None:
        return fenced(visible(difference(changes, _MAX_CHANGES)), "diff")
    commands = [touch for touch in request.touches if isinstance(touch.effect, CommandEffect)]
    if any(isinstance(touch.effect, McpEffect) for touch in request.touches):
        return fenced(visible(_all_arguments(args)))
    if not commands:
        return fenced(visible(describe(args, MAX_COMMAND)))
    texts: list[str] = []
    for touch in commands:
        assert isinstance(touch.effect, CommandEffect)
        where = f"in {touch.place.shown}:\n" if touch.place and touch.place.shown != "." else ""
        texts.append(f"{where}{capped(touch.effect.command, MAX_COMMAND)}")
    return fenced(visible("\n".join(texts)))


def _all_arguments(args: Args) -> str:
    """Return each argument under its name: none hides behind a long one, and no line of one looks like another."""
    values = args.model_dump()
    room = max(MAX_COMMAND // max(len(values), 1), _MAX_NAME)
    said = [f"{capped(name, _MAX_NAME)}: {capped(shown_value(value), room)}" for name, value in values.items()]
    return capped("\n".join(each.replace("\n", "\n    ") for each in said), 4 * MAX_COMMAND)


def subject_of(request: Request, args: Args) -> str:
    """Return one line for records: the command, the paths that the call touches, else its arguments."""
    paths = [touch.place.shown for touch in request.touches if isinstance(touch.effect, PathEffect) and touch.place]
    about = "; ".join(each.command for each in request.commands) or ", ".join(dict.fromkeys(paths)) or describe(args)
    return one_line(about, _MAX_SUBJECT)


def describe(args: Args, limit: int = 200) -> str:
    """Return the arguments for people: a lone value as it is, several by name."""
    values = args.model_dump(exclude_defaults=True)
    lines = [shown_value(value) for value in values.values()]
    text = lines[0] if len(lines) == 1 else "\n".join(f"{n}: {v}" for n, v in zip(values, lines, strict=True))
    return text if len(text) <= limit else f"{text[:limit]}…"
