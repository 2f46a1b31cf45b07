"""Names and arguments as other agents' tools have them, read as ours where only one thing can be meant.

What is unsure stays as it was sent, and is refused for not fitting. Arguments of MCP tools are never looked at.
"""

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from planact.base.text import word_set
from planact.tools.calls import meant_plan
from planact.tools.tool import Tool

_NAMES = {
    "read_file": "read view view_file open_file cat",
    "list_directory": "ls list list_dir list_files",
    "find_files": "glob find_file file_search search_file find_by_name",
    "search_code": "grep grep_search search search_files search_file_content rg ripgrep",
    "create_file": "write write_file new_file save_file",
    "update_file": "edit edit_file str_replace replace replace_in_file replace_string_in_file search_replace "
    "multi_edit apply_patch patch",
    "rename_file": "rename move move_file mv",
    "delete_file": "delete remove_file",
    "make_directory": "mkdir make_dir create_directory create_folder",
    "execute_command": "bash shell sh terminal run run_command run_terminal_cmd run_in_terminal run_shell_command exec "
    "exec_command local_shell",
    "ask_user": "ask ask_question ask_user_question",
    "fetch_page": "fetch fetch_url fetch_webpage web_fetch webfetch read_url read_web_page",
    "get_diagnostics": "diagnostics get_problems get_errors",
}
_KEYS = {
    "path": "file file_path filename target_file target_path relative_workspace_path directory dir folder source from "
    "old_path",
    "content": "contents text file_text",
    "old": "old_string old_str old_text search",
    "new": "new_string new_str new_text replace replacement",
    "patch": "input patch_text",
    "command": "cmd script",
    "directory": "cwd workdir working_directory",
    "pattern": "query regex",
    "glob": "include file_pattern",
    "first_line": "start_line line_start",
    "last_line": "end_line line_end",
    "url": "uri address link",
    "new_path": "destination target to",
}
_STEP = ("action", "reason", "tools_needed", "files", "expected_outcome", "validation_checks", "estimated_time")
_REASONS = word_set("description explanation justification goal instruction instructions")
"""Keys that say why a call is made, which changes nothing about it."""

_BESIDE = word_set("background isbackground runinbackground")
"""Keys that ask for a command that goes on beside the work."""

_FIRST, _COUNT = word_set("offset"), word_set("limit maxlines numlines linecount")
"""Keys that name lines by the first of them and their count."""

_SPACE = re.compile(r"(?:functions|tools|default_api)[.:]")
_END = "<|"
"""Begins what servers leave of the form in which a model writes calls, as in `read_file<|channel|>commentary`."""

_SHELL = re.compile(r"(?:/(?:usr/)?bin/)?(?:ba|z|da)?sh")


@dataclass(frozen=True, slots=True)
class Meant:
    """Arguments as JSON that may fit a tool, and what was read otherwise than it was sent, for the model."""

    arguments: str
    notes: tuple[str, ...]


def find_tool(name: str, tools: Mapping[str, Tool[Any]]) -> Tool[Any] | None:
    """Return the tool that `name` means: its own name, the same in another case or spelling, or that of another agent's
    tool for the same. A tool of an MCP server goes by its own name alone.
    """
    if name in tools:
        return tools[name]
    bare = _bare(_SPACE.sub("", name.partition(_END)[0], count=1))
    known = {**_aliases(), **{_bare(each): each for each, tool in tools.items() if tool.parameters is None}}
    return tools.get(known.get(bare, ""))


def read_as_meant(tool: Tool[Any], arguments: str) -> Meant | None:
    """Return the arguments of a call in the form that the schema of `tool` asks for; None = nothing is known of them,
    which also holds for a tool of an MCP server.
    """
    data = _from_json(arguments)
    if isinstance(data, str):
        data = _from_json(data)
    if tool.parameters is not None or not isinstance(data, dict):
        return None
    notes: list[str] = []
    fields = tool.args.model_fields
    data = _renamed(data, fields, notes)
    if "edits" in fields and not data.get("edits"):
        data = _as_edits(data, notes)
    if "edits" in fields and isinstance(edits := _parsed(data.get("edits"), list), list):
        data["edits"] = [_renamed(each, ("old", "new", "replace_all"), notes) for each in edits]
    if "steps" in fields:
        data = data | {key: _as_steps(value, notes) for key, value in data.items() if key == "steps"}
    if "first_line" in fields:
        data = _as_lines(data, notes)
    if "command" in fields or "path" in fields:
        data = {key: value for key, value in data.items() if key not in _REASONS or key in fields}
    if "command" in fields:
        data = {key: value for key, value in data.items() if value is not False or not asks_to_go_on(key)}
        data = data | {key: _command_line(value) for key, value in data.items() if key == "command"}
    if tool.category in ("read", "search"):
        # One that says again, and otherwise, what is said already isn't left out: it is refused.
        unknown = [key for key in data if not any(_bare(key) in _spellings(field) for field in fields)]
        notes += [f"{tool.name} has no `{key}`, which was left out" for key in unknown]
        data = {key: value for key, value in data.items() if key not in unknown}
    schema = tool.args.model_json_schema()
    fitted = _fitted(data, schema, schema.get("$defs", {}))
    return Meant(json.dumps(fitted, ensure_ascii=False), tuple(dict.fromkeys(notes)))


def asks_to_go_on(key: str) -> bool:
    """The key is one by which other agents' tools start a command beside the work."""
    return _bare(key) in _BESIDE


def _renamed(data: Any, fields: Iterable[str], notes: list[str]) -> Any:
    """Return an object with the keys of `fields` where it has others for the same; a key stays where both are there."""
    if not isinstance(data, dict):
        return data
    renamed: dict[str, Any] = {key: value for key, value in data.items() if key in fields}
    for key, value in data.items():
        if key in renamed:
            continue
        own = next((field for field in fields if field not in renamed and _bare(key) in _spellings(field)), key)
        renamed[own] = value
        if own != key:
            notes.append(f"`{key}` is `{own}` here")
    return renamed


def _as_edits(data: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return one edit that stands beside the path as a list of edits."""
    rest = _renamed(data, ("path", "old", "new", "replace_all"), notes)
    if "old" not in rest or "new" not in rest:
        return data
    edit = {key: rest.pop(key) for key in ("old", "new", "replace_all") if key in rest}
    notes.append("an edit goes into `edits`")
    return {**{key: value for key, value in rest.items() if key != "edits"}, "edits": [edit]}


def _as_steps(steps: Any, notes: list[str]) -> Any:
    """Return the steps of a plan with the keys of ours."""
    found = _parsed(steps, list)
    one = _parsed(found, dict)
    read = meant_plan.steps_as_objects([one] if isinstance(one, dict) else found)
    if not isinstance(read, list):
        return steps
    renamed = (_renamed(step, _STEP, notes) for step in read)
    return [meant_plan.with_whole_action(step, notes) if isinstance(step, dict) else step for step in renamed]


def _as_lines(data: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return the lines that a first one and a count name by the first and the last."""
    first = _number_of(data, _FIRST | {"firstline"})
    count = _number_of(data, _COUNT)
    if (first is None and count is None) or "last_line" in data or (count is None and "first_line" in data):
        return data
    begins = max(first or 1, 1)
    notes.append("lines are named by `first_line` and `last_line` here")
    lines = {"first_line": begins} | ({"last_line": begins + count - 1} if count else {})
    return {key: value for key, value in data.items() if _bare(key) not in _FIRST | _COUNT} | lines


def _number_of(data: Mapping[str, Any], keys: Iterable[str]) -> int | None:
    """Return the number that one of these keys has; None = none has one."""
    given = [str(value).strip() for key, value in data.items() if _bare(key) in keys]
    return int(given[0]) if len(given) == 1 and re.fullmatch(r"[0-9]{1,9}", given[0]) else None


def _command_line(command: Any) -> Any:
    """Return words as the command line that runs them; those of a shell with a script are the script."""
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        return command
    match command:
        case [shell, "-c" | "-lc", script] if _SHELL.fullmatch(shell):
            return script
        case _:
            return shlex.join(command)


def _fitted(value: Any, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """Return `value` as a schema wants it: a string as the JSON in it or as the only one of a list. Numbers that are
    sent as text are left to the schema, which takes them.
    """
    if "$ref" in schema:
        return _fitted(value, definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    match schema.get("anyOf"):
        case [kind, {"type": "null"}]:
            return _fitted(value, kind, definitions)
    match schema.get("type"):
        case "array":
            return _fitted_list(_parsed(value, list), schema.get("items", {}), definitions)
        case "object":
            return _fitted_object(_parsed(value, dict), schema, definitions)
    return value


def _fitted_list(value: Any, items: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    kind = definitions[items["$ref"].rsplit("/", 1)[1]] if "$ref" in items else items
    is_one = isinstance(value, dict) and kind.get("type") == "object"
    # Where it could be several, it isn't known at which commas it ends.
    if is_one or (isinstance(value, str) and kind.get("type") == "string" and not re.search(r"[,;\n]", value.strip())):
        value = [value] if is_one or value.strip() else []
    return [_fitted(each, items, definitions) for each in value] if isinstance(value, list) else value


def _fitted_object(value: Any, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    if not isinstance(value, dict):
        return value
    properties, required = schema.get("properties", {}), schema.get("required", ())
    return {
        key: _fitted(each, properties[key], definitions) if key in properties else each
        for key, each in value.items()
        if each is not None or key in required or key not in properties
    }


def _parsed(value: Any, kind: type) -> Any:
    """Return the list or object that a string holds as JSON, else `value`."""
    found = _from_json(value) if isinstance(value, str) else value
    return found if isinstance(found, kind) else value


def _from_json(text: str) -> Any:
    try:
        return json.loads(text or "{}", strict=False)
    except (ValueError, RecursionError):
        return None


@cache
def _aliases() -> Mapping[str, str]:
    return {_bare(alias): name for name, aliases in _NAMES.items() for alias in aliases.split()}


@cache
def _spellings(field: str) -> frozenset[str]:
    return frozenset(
        map(_bare, (field, *_KEYS.get(field, "").split(), *meant_plan.PLAN_SPELLINGS.get(field, "").split()))
    )


def _bare(name: str) -> str:
    """Return a name without what differs between the ways to write it."""
    return re.sub(r"[^a-z0-9]", "", name.lower())
