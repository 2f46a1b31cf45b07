"""What calls touch, for tests of verdicts: paths, and commands as the classifier would have found them."""

from dataclasses import replace
from pathlib import PurePosixPath

from planact.base.paths import Place
from planact.base.span import Span
from planact.model.rights.classification import Classification, CommandClass, CommandTrait
from planact.model.rights.permission import CommandEffect, PathAction, PathEffect, Permission, Role
from planact.policy.context import PlacedEffect
from planact.policy.roles import built_in_role


def unlisted(name: str, permissions: frozenset[Permission] | None = None) -> Role:
    """The role, without its list of tools: in such tests calls are named `a_tool`."""
    role = built_in_role(name)
    given = role.rights.permissions if permissions is None else permissions
    return replace(role, rights=replace(role.rights, tools=frozenset(), permissions=given))


def path(action: PathAction, name: str, *, real: str | None = None, **more: bool) -> PlacedEffect:
    relative = None if (real or name).startswith("/") else PurePosixPath(real or name)
    place = Place(name, PurePosixPath("/ws") / (real or name), relative, exists=True, **more)
    return PlacedEffect(PathEffect(action, name), place)


def command(text: str, cls: CommandClass, *traits: CommandTrait, directory: str = ".") -> PlacedEffect:
    relative = None if directory.startswith("..") else PurePosixPath(directory)
    found = Classification(cls, "rule", "a reason", Span(0, len(text)), frozenset(traits), (text.split()[0],))
    place = Place(directory, PurePosixPath("/ws") / directory, relative)
    return PlacedEffect(CommandEffect(text, directory), place, found=found)
