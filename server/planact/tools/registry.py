"""All built-in tools."""

from collections.abc import Sequence
from typing import Any

from planact.model.rights.permission import Rights
from planact.plan.lint_context import ToolFact
from planact.policy.rights import may_use
from planact.tools.builtin.ask_user import ASK_USER
from planact.tools.builtin.commands.execute_command import EXECUTE_COMMAND
from planact.tools.builtin.commands.read_output import READ_OUTPUT
from planact.tools.builtin.commands.start_command import START_COMMAND
from planact.tools.builtin.commands.stop_command import STOP_COMMAND
from planact.tools.builtin.create_file import CREATE_FILE
from planact.tools.builtin.delegate import DELEGATE
from planact.tools.builtin.delete_file import DELETE_FILE
from planact.tools.builtin.exit_plan_mode import EXIT_PLAN_MODE
from planact.tools.builtin.get_diagnostics import GET_DIAGNOSTICS
from planact.tools.builtin.get_file_info import GET_FILE_INFO
from planact.tools.builtin.list_directory import LIST_DIRECTORY
from planact.tools.builtin.make_directory import MAKE_DIRECTORY
from planact.tools.builtin.read_file import READ_FILE
from planact.tools.builtin.rename_file import RENAME_FILE
from planact.tools.builtin.search.find_files import FIND_FILES
from planact.tools.builtin.search.search_code import SEARCH_CODE
from planact.tools.builtin.search.search_symbol import SEARCH_SYMBOL
from planact.tools.builtin.symbols.code_action import CODE_ACTION
from planact.tools.builtin.symbols.find_definition import FIND_DEFINITION
from planact.tools.builtin.symbols.find_references import FIND_REFERENCES
from planact.tools.builtin.symbols.rename_symbol import RENAME_SYMBOL
from planact.tools.builtin.update_file import UPDATE_FILE
from planact.tools.builtin.web.fetch_page import FETCH_PAGE
from planact.tools.builtin.write_plan import WRITE_PLAN
from planact.tools.tool import Tool

TOOLS: tuple[Tool[Any], ...] = (
    READ_FILE,
    LIST_DIRECTORY,
    FIND_FILES,
    SEARCH_CODE,
    SEARCH_SYMBOL,
    FIND_DEFINITION,
    FIND_REFERENCES,
    GET_DIAGNOSTICS,
    GET_FILE_INFO,
    CREATE_FILE,
    UPDATE_FILE,
    RENAME_SYMBOL,
    CODE_ACTION,
    RENAME_FILE,
    DELETE_FILE,
    MAKE_DIRECTORY,
    EXECUTE_COMMAND,
    START_COMMAND,
    READ_OUTPUT,
    STOP_COMMAND,
    FETCH_PAGE,
    ASK_USER,
    WRITE_PLAN,
    EXIT_PLAN_MODE,
    DELEGATE,
)

BY_NAME: dict[str, Tool[Any]] = {tool.name: tool for tool in TOOLS}


def tools_for(rights: Rights) -> tuple[Tool[Any], ...]:
    """Return the tools that rights cover, in the order of `TOOLS` so that requests share their beginning.

    An offer is a courtesy to the model: what may run, the gate decides.
    """
    return tuple(tool for tool in TOOLS if may_use(rights, tool.name))


def for_delegates(tools: Sequence[Tool[Any]]) -> tuple[Tool[Any], ...]:
    """Return the tools that a delegate may be offered."""
    return tuple(tool for tool in tools if tool not in (DELEGATE, EXIT_PLAN_MODE))


def planned_tools() -> dict[str, ToolFact]:
    """Return the tools that a plan's steps can name, by name."""
    others = (WRITE_PLAN.name, EXIT_PLAN_MODE.name, DELEGATE.name)
    return {
        tool.name: ToolFact(tool.name, tool.summary, tool.required_permissions, tool.risk)
        for tool in TOOLS
        if tool.name not in others
    }
