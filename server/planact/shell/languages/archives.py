"""Archives that are only listed or printed, databases that are only queried, and a clock that is only asked."""

import re

from planact.shell.table import CallRefused, CommandCall, Judge

_PRINTS = ("-c", "--stdout", "--to-stdout", "-dc", "-cd")
_LISTS = ("-l", "--list", "-t", "--test", *_PRINTS)
_UNZIP_LISTS = ("-l", "-t", "-c", "-v", "-p", "-Z", "-Z1", "-h")
_DOT = re.compile(
    r"\.(schema|tables|databases|indexes|indices|fullschema|dbinfo|stats|show|dump)( [\w%.-]+)*\Z|\.headers? on\Z"
)
_QUERY = re.compile(
    r"\s*(?:(?:select|explain|with|values)\b|pragma\s+\w+\s*(?:\(\s*'?\w+'?\s*\))?\s*;?\s*\Z)", re.IGNORECASE
)
_ACTS = re.compile(
    r"writefile|load_extension|\bedit\s*\(|fts3_tokenizer|attach|vacuum|insert|update|delete|replace\s+into|create|drop|"
    r"alter|\n\s*\.",
    re.IGNORECASE,
)


def check_listing(call: CommandCall, _judge: Judge) -> None:
    """Without one of these options the program would make or replace files; of several operations the last counts."""
    printing = _PRINTS if call.has("-d", "--decompress") else _LISTS
    if not call.has(*(_UNZIP_LISTS if call.command.name == "unzip" else printing)):
        raise CallRefused("archive", f"`{call.name.text}` without an option that only prints", call.name, "mutating")


def check_tar(call: CommandCall, _judge: Judge) -> None:
    """Listing, in today's or the oldest spelling of options; a colon in the name would mean another machine."""
    arguments = call.arguments
    is_listing = call.has("-t", "--list")
    if not call.options and arguments and arguments[0].is_exact and re.fullmatch(r"t[vzjJ]*f", arguments[0].text):
        is_listing = len(arguments) > 1
        archives = arguments[1:2]
    else:
        archives = tuple(call.values("-f", "--file"))
    if call.has("--version") and not call.arguments:
        return
    if not is_listing or any(":" in word.text or not word.is_exact for word in archives):
        raise CallRefused("archive", "`tar` that doesn't only list", call.name)


def check_sqlite(call: CommandCall, _judge: Judge) -> None:
    """A query by one statement, in a database opened for reading; without a statement it would read commands."""
    if call.has("-version", "--version") and not call.arguments:  # it would open a file all the same
        return
    statement = call.arguments[1].text if len(call.arguments) == 2 and call.arguments[1].is_exact else ""
    is_query = _DOT.match(statement) or (_QUERY.match(statement) and not _ACTS.search(statement))
    if not call.has("-readonly", "--readonly") or not is_query:
        raise CallRefused("sqlite", "`sqlite3` without -readonly and one query", call.name)


def check_date(call: CommandCall, _judge: Judge) -> None:
    """A word that isn't a format would set the clock."""
    for word in call.arguments:
        if not word.text.startswith("+"):
            raise CallRefused("date", "`date` with this word sets the clock", word)


def check_yq(call: CommandCall, _judge: Judge) -> None:
    """Expressions may call programs in some versions."""
    for word in call.arguments[:2]:
        if "system" in word.text or not word.is_exact:
            raise CallRefused("yq", "this yq expression may change files or run programs", word)
