"""Read a text file, or lines of it, as the user sees it."""

from collections.abc import Iterator, Sequence
from itertools import islice

from pydantic import Field

from planact.base.errors import InvalidInput
from planact.base.filetext import FileText, indent, line_ending
from planact.base.notebook import cells_as_text
from planact.base.span import lines_of
from planact.base.text import counted
from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.reading.images import read_image
from planact.tools.reading.named_definition import definition_of
from planact.tools.reading.pdf import read_pages
from planact.tools.tool import Args, Tool

NOTEBOOK_SUFFIX = ".ipynb"

MAX_LINES = 2_000
MAX_LINE = 2_000
MAX_READ_CHARACTERS = 60_000
"""Of one result; the model reads on where it needs more."""


class ReadFileArgs(Args):
    """Lines count from 1; `last_line` is included. They or `symbol` are named."""

    path: str
    symbol: str = Field(default="", max_length=200, description="`Class.method`: only the lines of its definition")
    first_line: int = Field(default=1, ge=1, description="from 1")
    last_line: int | None = Field(default=None, ge=1, description="included; without it, as far as fits")
    pages: str = Field(default="", pattern=r"^([0-9]+(-[0-9]+)?)?$", description="of a PDF file: `3` or `3-7`")


async def _run(args: ReadFileArgs, permit: Permit) -> str:
    pages = await read_pages(args.path, args.pages, MAX_READ_CHARACTERS, permit)
    if pages is not None:
        return pages
    if args.pages:
        raise InvalidInput("INVALID_ARGUMENTS", f"{args.path} has no pages: it is no PDF file", "Name lines.")
    if (image := await read_image(args.path, permit)) is not None:
        return image
    try:
        file = await permit.read(args.path)
    except InvalidInput as error:
        image = await read_image(args.path, permit, is_binary=True) if error.code == "FILE_BINARY" else None
        if image is None:
            raise
        return image
    if args.symbol:
        if args.first_line > 1 or args.last_line is not None:
            raise InvalidInput("INVALID_ARGUMENTS", "a symbol and lines were named", "Name one of them.")
        found = definition_of(args.symbol, await permit.definitions(args.path, file), args.path)
        args = args.model_copy(update={"first_line": found.first_line, "last_line": found.last_line})
    names_lines = args.first_line > 1 or args.last_line is not None
    if args.path.endswith(NOTEBOOK_SUFFIX) and not names_lines and (cells := cells_as_text(file.text)) is not None:
        return "\n".join(_notebook(args.path, file, cells))
    lines = _lines(file.text)
    if not args.first_line <= min(args.last_line or len(lines), len(lines)):
        message = f"{args.path} has {len(lines)} lines, and {args.first_line} to {args.last_line or 'the end'} is none"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Name lines that are there.")
    shown = [*_numbered(lines[: args.last_line], args.first_line)]
    last = args.first_line + len(shown) - 1
    more = [f"… read on from line {last + 1}"] if last < min(args.last_line or len(lines), len(lines)) else []
    return "\n".join((_header(args, file, last, len(lines)), *shown, *more))


def _notebook(path: str, file: FileText, cells: Sequence[str]) -> Iterator[str]:
    count = counted(len(cells), "cell")
    yield f"{path}: notebook, {count}, {_state(file)}; edits are of its JSON, which you read by naming lines"
    room = MAX_READ_CHARACTERS
    for number, cell in enumerate(cells, 1):
        shown = cell if len(cell) <= room else f"{cell[:room]}…" if number == 1 else ""
        if not shown:
            yield f"… {counted(len(cells) - number + 1, 'more cell')}; name lines to read on in the JSON"
            return
        room -= len(shown)
        yield shown


def _state(file: FileText) -> str:
    return "unsaved in the editor" if file.version is not None and not file.sha256 else f"sha256 {file.sha256[:12]}"


def _lines(text: str) -> Sequence[str]:
    """The lines as people count them: a line end at the end begins no further one."""
    lines = lines_of(text)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _numbered(lines: Sequence[str], first: int) -> Iterator[str]:
    room = MAX_READ_CHARACTERS
    for number, line in islice(enumerate(lines, 1), first - 1, first - 1 + MAX_LINES):
        more = f"[… {len(line) - MAX_LINE} more characters; search_code shows those that match]"
        shown = f"{number}\t{line if len(line) <= MAX_LINE else line[:MAX_LINE] + more}"
        room -= len(shown)
        if room < 0:
            return
        yield shown


def _header(args: ReadFileArgs, file: FileText, last: int, count: int) -> str:
    bom = " with BOM" if file.has_bom else ""
    end = "" if file.text.endswith(("\n", "\r")) else ", no line end at the end"
    return (
        f"{args.path}: lines {args.first_line}-{last} of {count}, {file.encoding}{bom}, "
        f"{line_ending(file.text)}{end}, indent {indent(file.text)}, {_state(file)}"
    )


READ_FILE = Tool(
    name="read_file",
    summary=(
        "Read a text file or some of its lines, each as `number<TAB>text`; the number is not in the file. "
        "A long one comes in parts: go on behind the last line that you have. Notebooks are shown as cells. "
        "`symbol` reads one definition. Of PDF files you get the text, and you see images."
    ),
    args=ReadFileArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=lambda args: (PathEffect("read", args.path),),
    run=_run,
)
