"""What a call does at the moment, in a few words for people."""

from collections.abc import Mapping

from planact.base.text import one_line

_LONGEST = 120

_VERBS: Mapping[str, str] = {
    "read_file": "Reading",
    "get_file_info": "Looking at",
    "read_output": "Reading an output",
    "list_directory": "Listing",
    "find_files": "Searching",
    "search_code": "Searching",
    "search_symbol": "Looking up",
    "find_definition": "Looking up",
    "find_references": "Looking up",
    "get_diagnostics": "Checking the problems of",
    "create_file": "Creating",
    "update_file": "Changing",
    "rename_symbol": "Renaming in",
    "code_action": "Changing",
    "rename_file": "Renaming",
    "delete_file": "Deleting",
    "make_directory": "Making the folder",
    "execute_command": "Running",
    "start_command": "Starting",
    "stop_command": "Stopping a command",
    "fetch_page": "Fetching",
    "ask_user": "Asking you",
    "write_plan": "Writing the plan",
    "exit_plan_mode": "Showing you the plan",
    "delegate": "Handing out a task",
}
_ALONE = ("ask_user", "write_plan", "exit_plan_mode", "delegate", "read_output", "stop_command")
"""Tools whose arguments say nothing to people."""

_WHOLE = ("", ".", "{}")


def doing(tool: str, about: str) -> str:
    """Return for example "Reading src/cart.py"; `about` is what the call is for (`question.subject_of`)."""
    if tool not in _VERBS:
        return f"Using {tool}"
    what = one_line(about.partition("\n")[0], _LONGEST)
    if tool in _ALONE:
        return _VERBS[tool]
    if what in _WHOLE:
        return f"{_VERBS[tool]} the folder".replace("Checking the problems of the folder", "Checking the problems")
    return f"{_VERBS[tool]} {what}"
