"""Read a text file, or lines of it, as the user sees it."""

from pydantic import Field

from planact.base.filetext import indent, line_ending
from planact.base.span import line_spans
from planact.model.effect import Effect, PathEffect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool

MAX_LINES = 2_000
MAX_LINE = 2_000


class ReadFileArgs(Args):
    """Lines count from 1; `last_line` is included."""

    path: str
    first_line: int = Field(default=1, ge=1)
    last_line: int | None = Field(default=None, ge=1)


def _effects(args: ReadFileArgs) -> tuple[Effect, ...]:
    return (PathEffect("read", args.path),)


async def _run(args: ReadFileArgs, permit: Permit) -> str:
    file = permit.read(args.path)
    lines = line_spans(file.text)
    last = min(args.last_line or len(lines), len(lines), args.first_line + MAX_LINES - 1)
    shown = [file.text[span.start : span.end] for span in lines[args.first_line - 1 : last]]
    numbered = (
        f"{number}\t{line if len(line) <= MAX_LINE else line[:MAX_LINE] + '…'}"
        for number, line in enumerate(shown, args.first_line)
    )
    state = "unsaved in the editor" if file.version is not None and not file.sha256 else f"sha256 {file.sha256[:12]}"
    bom = " with BOM" if file.has_bom else ""
    header = (
        f"{args.path}: lines {args.first_line}-{last} of {len(lines)}, {file.encoding}{bom}, "
        f"{line_ending(file.text)}, indent {indent(file.text)}, {state}"
    )
    return "\n".join((header, *numbered))


READ_FILE = Tool(
    name="read_file",
    summary="Read a text file or some of its lines, each as `number<TAB>text`; the number is not in the file.",
    args=ReadFileArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=_effects,
    run=_run,
)
