"""Reading tool calls folded into one line. Pure."""

from planact.base.text import counted
from planact.cli.output.line_view import main_argument
from planact.model.notice import ToolNotice
from planact.tools.registry import BY_NAME


class FoldedCalls:
    """Counts of the reading calls since the last other line."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._searches = 0
        self._others = 0
        self._commands = 0
        self._contained = 0

    def take(self, notice: ToolNotice) -> bool:
        """Count a call, and return True, if it reads, searches, or runs a command in a jail without write access.

        Refused calls and other calls return False.
        """
        tool = BY_NAME.get(notice.tool)
        if notice.code or tool is None:
            return False
        if notice.confinement == "contain":
            self._contained += 1
        elif notice.confinement not in (None, "act"):
            self._commands += 1
        elif tool.category not in ("read", "search"):
            return False
        elif tool.category == "search":
            self._searches += 1
        elif notice.tool == "read_file":
            self._files.add(main_argument(notice.text))
        else:
            self._others += 1
        return True

    def text(self) -> str:
        """Return the line; empty if no call was counted."""
        parts = (
            f"read {counted(len(self._files), 'file')}" if self._files else "",
            counted(self._searches, "search") if self._searches else "",
            f"{counted(self._others, 'look')} around" if self._others else "",
            counted(self._commands, "command") if self._commands else "",
            f"{self._contained} contained" if self._contained else "",
        )
        return " · ".join(part for part in parts if part)
