"""Roles as files: Markdown with front matter, one file per role."""

from importlib.resources import files

import yaml

from planact.base.errors import NotFound
from planact.model.permission import Mode, Permission
from planact.model.role import Role


def parse_role(text: str) -> Role:
    """The role that a file describes.

    Raises:
        ValueError: the front matter lacks a key or has a value that doesn't exist.
    """
    _, front, body = text.split("---\n", 2)
    keys = yaml.safe_load(front)
    return Role(
        name=keys["name"],
        description=keys["description"],
        mode=Mode(keys["mode"]),
        permissions=frozenset(Permission(word) for word in keys["permissions"]),
        tools=tuple(keys["tools"]),
        prompt=body.strip(),
    )


def built_in_role(name: str) -> Role:
    """The role called `name` that ships with planact.

    Raises:
        NotFound: there is none.
    """
    file = files("planact.policy") / "roles" / f"{name}.md"
    if not name.isidentifier() or not file.is_file():
        raise NotFound("INVALID_ARGUMENTS", f"there is no role named {name!r}", "The roles are planner and actor.")
    return parse_role(file.read_text(encoding="utf-8"))
