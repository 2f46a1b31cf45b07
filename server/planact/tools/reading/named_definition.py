"""The one definition in a file that a name means."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from planact.base.errors import InvalidInput
from planact.base.text import first_few, parts_of_name
from planact.model.symbol import Definition

_SHOWN = 20


def definition_of(name: str, known: Sequence[Definition] | None, path: str) -> Definition:
    """Return the definition among those of the file at `path`; one of them is enough where several have the same lines.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, where none or several fit, with the names that there are.
    """
    if known is None:
        message = f"the names in {path} can't be told: not a language that is known, or too large"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Name lines; search_code finds them.")
    found = _fitting(parts_of_name(name), known)
    if len({(each.first_line, each.last_line) for each in found}) == 1:
        return found[0]
    if found:
        hint = f"Name lines: {_listed(found)}."
        raise InvalidInput("INVALID_ARGUMENTS", f"{path} defines {name} {len(found)} times", hint)
    near = _near(parts_of_name(name)[-1], known)
    hint = f"Names like it: {_listed(near)}." if near else f"It defines {_listed(known)}." if known else "Name lines."
    raise InvalidInput("INVALID_ARGUMENTS", f"{path} doesn't define {name}", hint)


def _fitting(parts: Sequence[str], known: Sequence[Definition]) -> Sequence[Definition]:
    """Return the definitions that a name means: by all that is around them, by a part of it, else by their heads, which
    name the type of a method that stands outside of it.
    """
    whole = [each for each in known if each.names == tuple(parts)]
    inner = [each for each in known if each.names[-len(parts) :] == tuple(parts)]
    named = [each for each in known if each.names[-1] == parts[-1] and each.words.issuperset(parts[:-1])]
    return whole or inner or named


def _near(name: str, known: Sequence[Definition]) -> Sequence[Definition]:
    lasts = dict.fromkeys(each.names[-1] for each in known)
    alike = {last.lower(): last for last in lasts}
    near = {alike[close] for close in get_close_matches(name.lower(), alike, n=5)}
    return [each for each in known if each.names[-1] in near]


def _listed(definitions: Iterable[Definition]) -> str:
    return first_few([f"{'.'.join(each.names)} ({each.first_line}-{each.last_line})" for each in definitions], _SHOWN)
