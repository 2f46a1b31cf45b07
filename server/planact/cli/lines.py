"""Commands that answer standard input line by line: what a line says, or which line can't be read and why."""

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from planact.base.errors import InvalidInput


def texts(stream: BinaryIO, key: str, example: str, *, is_json: bool) -> Iterator[str]:
    """The text of each line that isn't empty: the line itself, or in JSON the value of `key` in its object.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, naming the line; `example` says what one should look like.
    """
    for number, line in enumerate(stream, start=1):
        if line.strip():
            yield _text(line.rstrip(b"\r\n"), number, key, example, is_json=is_json)


def _text(line: bytes, number: int, key: str, example: str, *, is_json: bool) -> str:
    try:
        read = json.loads(line) if is_json else line.decode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} cannot be read: {error}", example) from error
    text = read.get(key) if isinstance(read, Mapping) else read
    if not isinstance(text, str) or (is_json and not isinstance(read, Mapping)):
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} has no {key}", example)
    return text
