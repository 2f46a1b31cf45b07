"""Second station of the gate: resolve what a call would touch, and decide under the policy context of this moment."""

import asyncio
import posixpath
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TypeVar

from planact.base.own_folders import TRIAL_TMP, path_left_in_tmp, temporary_beside
from planact.base.paths import Place
from planact.model.rights.permission import CommandEffect, Effect, PageEffect, PathEffect, SpawnEffect
from planact.model.rights.rule import Allowed
from planact.policy.context import Ask, PlacedEffect, PolicyContext, Request
from planact.policy.decide import confinement, decide, rules_for, wider_rules_for
from planact.policy.given_addresses import given_addresses
from planact.ports import Ports
from planact.tools.calls.always_rules import available_rules, folders_for
from planact.tools.calls.decode import DecodedCall
from planact.tools.calls.judged_call import JudgedCall
from planact.tools.read_access import place_of_effect
from planact.tools.turn import ModeOfRole, Refresh, Turn

T = TypeVar("T")


async def judge_call(ports: Ports, decoded: DecodedCall, turn: Turn) -> JudgedCall:
    """Return the verdict on a call, under the policy context after all that was awaited for it."""
    request = await request_of(ports, decoded, turn.mode_of_role, turn.refresh, turn.session_id)
    return decide_call(ports, decoded, request, turn.policy_context())


async def recheck_call(ports: Ports, judged: JudgedCall, turn: Turn, prepare: Callable[[], T]) -> T:
    """Run `prepare` in a thread and return its result, once the call may still act as it was judged.

    Raises:
        NoLongerAllowed, Conflict: as `JudgedCall.check_against`.
    """
    prepared: T = await turn.refresh(prepare)
    judged.check_against(decide_call(ports, judged.decoded, judged.request, turn.policy_context()))
    return prepared


def decide_call(ports: Ports, decoded: DecodedCall, request: Request, context: PolicyContext) -> JudgedCall:
    """Return the verdict on a request, with the rules that the user could make instead of answering each time."""
    verdict = decide(request, context)
    rules = wider = folders = frozenset[Allowed]()
    if isinstance(verdict, Ask):
        rules = available_rules(ports, rules_for(verdict, context))
        wider = available_rules(ports, wider_rules_for(verdict, context))
        folders = folders_for(ports, verdict)
    jail = confinement(request, context, verdict)
    return JudgedCall(decoded, request, context.mode, verdict, jail, rules, wider, folders)


async def request_of(
    ports: Ports, decoded: DecodedCall, mode_of_role: ModeOfRole, refresh: Refresh, session_id: str
) -> Request:
    """Return the call's effects on real paths, its commands classified. `session_id` empty = no scratch folder."""
    tool = decoded.tool
    effects = [
        replace(effect, held_back=decoded.held_back, opens=decoded.opens, is_held_in_act=decoded.is_held_in_act)
        if isinstance(effect, CommandEffect)
        else effect
        for effect in tool.effects(decoded.args)
    ]
    commands = [effect for effect in effects if isinstance(effect, CommandEffect)]
    classified = {effect: await _classify(ports, effect, session_id) for effect in commands}

    def resolve() -> Sequence[PlacedEffect]:
        touches = [_touches(ports, effect, classified, mode_of_role, session_id) for effect in effects]
        return _with_given(ports, [*chain.from_iterable(touches)], session_id)

    touches = await refresh(resolve)
    needs_approval = tool.requires_approval or tool.risk == "high"
    return Request(tool.name, tool.required_permissions, needs_approval, tuple(touches))


async def _classify(ports: Ports, effect: CommandEffect, session_id: str) -> PlacedEffect:
    touch = await asyncio.to_thread(_resolve, ports, effect, effect.directory)
    assert touch.place is not None
    scratch = ports.scratch.of(session_id) if session_id else ""
    touch = replace(touch, found=await ports.commands.read(effect.command, touch.place, scratch))
    opened = outside_paths(touch)
    places = await asyncio.to_thread(lambda: [ports.files.resolve(path) for path in opened]) if opened else ()
    return replace(touch, opens=tuple(place.real for place in places))


def outside_paths(touch: PlacedEffect) -> tuple[str, ...]:
    """Return the absolute paths that a command names: files and folders, and the folders in which a pattern or variable
    is expanded.
    """
    assert touch.found is not None
    assert touch.place is not None
    paths = [path for path in touch.found.reads if posixpath.isabs(path)]
    for begin in touch.found.begins:
        if not begin.startswith("/~"):  # the home, which commands that read don't see by that name
            folder = posixpath.dirname(posixpath.join(str(touch.place.real), begin))
            if ".." in begin or begin.startswith("/"):
                paths.append(posixpath.normpath(folder))
    return tuple(dict.fromkeys(paths))


def _touches(
    ports: Ports,
    effect: Effect,
    classified: Mapping[CommandEffect, PlacedEffect],
    mode_of_role: ModeOfRole,
    session_id: str,
) -> Sequence[PlacedEffect]:
    match effect:
        case PathEffect():
            if left := _left_in_tmp(ports, effect, session_id):
                return (replace(_placed(ports, effect, left), is_public=True),)
            touch = _placed(ports, effect, place := place_of_effect(ports.files, effect, effect.path))
            is_public = ports.files.is_public(place, is_opened=effect.action == "search")
            return (replace(touch, is_public=is_public),)
        case CommandEffect():
            touch = classified[effect]
            reads = touch.found.reads if touch.found else ()
            resolved = [(path, _resolve(ports, PathEffect("read", path), path)) for path in reads]
            # The jail holds reads outside the workspace; the gate refuses those that the user's patterns hide.
            judged = [each for path, each in resolved if each.is_hidden or not PurePosixPath(path).is_absolute()]
            return (touch, *judged)
        case SpawnEffect():
            return (PlacedEffect(effect, spawns=mode_of_role(effect.role)),)
        case _:
            return (PlacedEffect(effect),)


def _left_in_tmp(ports: Ports, effect: PathEffect, session_id: str) -> Place | None:
    """Return the place of what to read that the session's commands on trial left in their `/tmp`; a link leads to
    nothing beyond that. Where the user has something at that path as well, a folder or an empty file may only have held
    the place for it in the jail.
    """
    if effect.action != "read" or not session_id or not effect.path.startswith(f"{TRIAL_TMP}/"):
        return None
    users, scratch = ports.files.resolve(effect.path), ports.scratch.of(session_id)
    place = ports.files.resolve(path) if (path := path_left_in_tmp(effect.path, scratch)) else None
    if users.relative is not None or place is None or not place.exists:
        return None
    may_hold_place = users.exists and (place.is_directory or not _size_of(place))
    is_there = place.real.is_relative_to(temporary_beside(Path(scratch))) and not may_hold_place
    return place if is_there else None


def _size_of(place: Place) -> int:
    """Return the bytes of a file; 0 if it is gone meanwhile."""
    with suppress(OSError):
        return Path(place.real).stat().st_size
    return 0


def _with_given(ports: Ports, touches: Sequence[PlacedEffect], session_id: str) -> Sequence[PlacedEffect]:
    """Return the effects, those on pages with whether others than the model gave their address."""
    if not session_id or not any(isinstance(touch.effect, PageEffect) for touch in touches):
        return touches
    given = given_addresses(ports.sessions.messages(session_id))
    return [
        replace(touch, is_given=isinstance(touch.effect, PageEffect) and touch.effect.address in given)
        for touch in touches
    ]


def _resolve(ports: Ports, effect: Effect, path: str) -> PlacedEffect:
    return _placed(ports, effect, ports.files.resolve(path))


def _placed(ports: Ports, effect: Effect, place: Place) -> PlacedEffect:
    return PlacedEffect(effect, place, ports.files.is_hidden(place))
