"""What the tests of the plan language suppose of the world."""

from dataclasses import replace

from planact.model.rights.permission import Permission
from planact.plan.lint_context import LintContext, ToolFact

READ, WRITE, CREATE = Permission.READ_FILES, Permission.WRITE_FILES, Permission.CREATE_FILES
FACTS = (
    ToolFact("read_file", "Read a file.", frozenset({READ}), "low"),
    ToolFact("update_file", "Change a file.", frozenset({READ, WRITE}), "medium"),
    ToolFact("create_file", "Write a new file.", frozenset({WRITE, CREATE}), "medium"),
    ToolFact("delete_file", "Delete a file.", frozenset({READ, Permission.DELETE_FILES}), "high"),
    ToolFact("execute_command", "Run a command.", frozenset({Permission.EXECUTE_COMMANDS}), "high"),
)
AROUND = LintContext({tool.name: tool for tool in FACTS})
"""Tools, and nothing wrong with files and commands."""

GONE = replace(
    AROUND,
    missing_files=frozenset({"gone.py", "new.py", "src/new.py", "gone/"}),
    unreadable_commands={"echo 'a": 'syntax error at "\'a"'},
    denied_commands=frozenset({"rm -rf x"}),
)
"""Files that aren't there, and commands that can't run."""
