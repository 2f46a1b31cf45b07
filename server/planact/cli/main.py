"""The command line: reads it, runs one command and leaves with its exit code.

With `--json` standard output carries exactly one JSON object: the result, or `{"error": {code, message, hint}}`. Only
commands that read lines answer each with one. With `--json-lines` it carries the events as they happen, each as JSON on
a line of its own, and the same object as the last line.
Progress and next steps go to standard error either way. Exit codes: 0 done, 1 failed, 2 usage, 3 waiting for an answer,
4 a refusal ended the turn, 5 stale or invalid plan, 6 model unavailable, 130 interrupted.
"""

import difflib
import io
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import NoReturn

from planact.base.errors import InvalidInput, PlanactError, StorageFailure
from planact.base.memory import unexpected_failure
from planact.cli.command import CliCommand, Exit, Invocation, Result, failure
from planact.cli.commands import COMMANDS
from planact.cli.output.screen import printable, put_error, put_out
from planact.cli.parser import command_parser, command_tree, see_help, subcommands

_TAKES_VALUE = {"--model", "--planner-model", "--actor-model", "--cwd", "--answers"}

_MOST_WORDS = 4
"""Most words of a subcommand with its arguments, as in `plan restore ID N`."""


def run_program(words: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Run the program and end the process at once: litellm's threads would delay a normal exit by seconds."""
    _open_closed()
    _print_anything()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _Interrupts())
    code = main(words, environment)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            continue  # the reader is gone
    os._exit(code)


class _Interrupts:
    """Handler of Ctrl-C that raises KeyboardInterrupt, as Python's own, and keeps that it did: modules that are being
    imported raise something else instead, and pydantic's a BaseException.
    """

    def __init__(self) -> None:
        self.is_interrupted = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        self.is_interrupted = True
        raise KeyboardInterrupt


def _is_interrupted() -> bool:
    handler = signal.getsignal(signal.SIGINT)
    return isinstance(handler, _Interrupts) and handler.is_interrupted


def _open_closed() -> None:
    """Open the null device for each standard stream that the parent process left closed, as schedulers do. Python has
    None for a closed stream, and the next opened file would get its descriptor.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free descriptor, which is this one
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _print_anything() -> None:
    """Have standard output spell out what its encoding has no character for, as standard error does: a code page or
    ASCII lacks most of them, and none has half a character.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Where another file has taken the place of the one that it was opened for, it can't tell its position.
        with suppress(OSError):
            sys.stdout.reconfigure(errors="backslashreplace")


def main(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the program and return its exit code."""
    options = words[: words.index("--")] if "--" in words else words
    is_json = "--json" in options or "--json-lines" in options
    at_exit: list[Callable[[], None]] = []
    try:
        command, call = _parse(words, environment)
        at_exit = call.at_exit
        result = command.run(call)
    except SystemExit:  # argparse printed help or the version
        result = Result(Exit.DONE, {})
    except PlanactError as error:
        result = failure(error)
    except BrokenPipeError:
        return Exit.FAILED
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or _is_interrupted():
            result = Result(Exit.INTERRUPTED, {"interrupted": True})
        elif isinstance(error, Exception):
            logging.getLogger(__name__).debug("unexpected", exc_info=True)
            result = failure(unexpected_failure(error, "Run it again with PLANACT_LOG_LEVEL=debug to see where."))
        else:
            raise
    result = _print(result, is_json=is_json)
    for close in at_exit:
        close()
    return result.code


def _parse(words: Sequence[str], environment: Mapping[str, str]) -> tuple[CliCommand, Invocation]:
    cut = words.index("--") if "--" in words else len(words)
    head, text = _joined(words[:cut]), list(words[cut + 1 :])
    parser = command_parser()
    if not head:
        parser.print_help(sys.stderr)
    options = parser.parse_args(head)
    options.json = options.json or options.json_lines
    command = next(command for command in COMMANDS if command.name == options.command)
    if text:
        if not hasattr(options, "text"):
            raise InvalidInput(
                "INVALID_ARGUMENTS", f"planact {command.name} takes no text after --", see_help(command.name)
            )
        options.text += text
    return command, Invocation(options, environment, command_tree)


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words with the two words of a subcommand joined: `plan list` is the subcommand, not a request "list".

    Raises:
        InvalidInput: INVALID_ARGUMENTS, if the first word is no command.
    """
    names = {command.name for command in COMMANDS}
    for place, word in enumerate(words):
        if word.startswith("-") or (place > 0 and words[place - 1] in _TAKES_VALUE):
            continue
        second = _next_word(words, place + 1)
        pair = f"{word} {words[second]}" if second is not None else ""
        if pair in names:
            return [*words[:place], pair, *(w for at, w in enumerate(words) if at > place and at != second)]
        if word not in names:
            below = [name.removeprefix(f"{word} ") for name in names if name.startswith(f"{word} ")]
            if below and not {"-h", "--help"}.isdisjoint(words):
                print(f"usage: planact {word} SUBCOMMAND …\n\n{subcommands(word)}")
                raise SystemExit
            if below:
                message = f"planact {word} goes with one of: {', '.join(sorted(below))}"
                raise InvalidInput("INVALID_ARGUMENTS", message, see_help(word))
            near = difflib.get_close_matches(word, names, 1)
            message = f"there is no command {word!r}{f'; did you mean {near[0]!r}?' if near else ''}"
            raise InvalidInput("INVALID_ARGUMENTS", message, see_help(""))
        _check_spelling(pair, names, words[place:])
        return list(words)
    return list(words)


def _check_spelling(pair: str, names: Collection[str], words: Sequence[str]) -> None:
    """Raise for a misspelled subcommand such as `plan shows 8h5z`; a request has more words, or is quoted as one."""
    near = difflib.get_close_matches(pair, [name for name in names if " " in name], 1, cutoff=0.85)
    if near and sum(not word.startswith("-") for word in words) <= _MOST_WORDS:
        message = f"there is no command {pair!r}; did you mean {near[0]!r}?"
        raise InvalidInput(
            "INVALID_ARGUMENTS", message, f"To say it to the agent: planact {pair.partition(' ')[0]} -- …"
        )


def _next_word(words: Sequence[str], start: int) -> int | None:
    """Return the index of the next word that is neither an option nor the value of one."""
    for place in range(start, len(words)):
        if not words[place].startswith("-") and words[place - 1] not in _TAKES_VALUE:
            return place
    return None


def _print(result: Result, *, is_json: bool) -> Result:
    """Return the result that counts: another one where it can't be written."""
    try:
        # A command that answers line by line leaves the data empty.
        if is_json and (result.data or (result.code and not result.is_seen)):
            put_out(json.dumps(result.data, ensure_ascii=True))
        elif not is_json and result.text and not (result.is_seen and sys.stdout.isatty() and sys.stderr.isatty()):
            put_out(printable(result.text))  # before the lines on standard error
        else:
            put_out("", end="")  # what argparse printed
    except BrokenPipeError:
        return result
    except StorageFailure as unwritten:
        failed = failure(unwritten)
        code = Exit.INTERRUPTED if result.code is Exit.INTERRUPTED else failed.code  # by the end of the terminal, too
        result, is_json = replace(failed, code=code, next_step=result.next_step), False
    if (error := result.data.get("error")) and not is_json:
        put_error(_error_line(error))
    if result.next_step:
        put_error(f"{printable(result.next_step)}\n")
    return result


def _error_line(error: Mapping[str, str]) -> str:
    sentences = [
        part if part.endswith("?") else f"{part.rstrip('.')}." for part in (error["message"], error["hint"]) if part
    ]
    return printable(f"{' '.join(sentences)} [{error['code']}]\n")
