"""The gate's verdict on commands: from the classification of a line to the right to run, and the jail.

Reading can need a question too: outside the workspace, from an address, or of secrets. Pure, like all of policy.
"""

import posixpath
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal

from planact.model.rights.classification import Classification
from planact.model.rights.jail import Confinement, Containment
from planact.model.rights.permission import CommandEffect, Mode
from planact.policy.context import PolicyContext
from planact.policy.protected import holds_credentials, may_begin_credentials


@dataclass(frozen=True, slots=True)
class CommandVerdict:
    """`contain`: run, but in the strongest jail. `ask` in Plan about an unknown command means: contained, if at all."""

    kind: Literal["allow", "contain", "ask", "deny"]
    reason: str


_BETWEEN_WORDS = re.compile(r"[\s;|&()`'\"<>]+")

_WITHIN_WORDS = re.compile(r"[{},=$]+")
"""Between what braces, assignments and aliases make words of."""

_BEYOND = frozenset(
    (
        *("aws", "az", "gcloud", "gsutil", "bq", "doctl", "heroku", "flyctl", "vercel", "netlify", "eksctl", "cdk"),
        *("sam", "terraform", "tofu", "pulumi", "serverless", "ansible", "ansible-playbook", "kubectl", "helm", "oc"),
        *("argocd", "docker", "podman", "nerdctl", "buildah", "skopeo", "crane", "gh", "glab", "hub", "twine"),
        *("publish", "curl", "wget", "http", "https", "xh", "ssh", "scp", "sftp", "rsync", "ftp", "nc", "ncat"),
        *("socat", "telnet", "psql", "mysql", "mongosh", "redis-cli", "sqlcmd", "mail", "sendmail", "systemctl"),
        *("crontab", "at", "batch", "sudo", "doas", "su", "pkexec", "apt", "apt-get", "dnf", "yum", "apk", "pacman"),
        *("brew", "snap", "kill", "pkill", "killall", "reboot", "shutdown", "mount", "umount"),
    )
)
"""Programs that change a cloud, a daemon, another machine or the system."""

_ONLY_NAME = frozenset(
    ("ls", "dir", "vdir", "stat", "test", "[", "[[", "find", "basename", "dirname", "realpath", "echo")
)
"""Programs that look at files without opening them."""

_BLANKS = " \t\n"

_STRICTNESS = ("allow", "contain", "ask", "deny")


def exact_text(command: str) -> str:
    """Return the command without surrounding blanks that have no meaning for a shell, for comparing commands."""
    return command.strip(_BLANKS)


def is_denied(command: str, found: Classification | None, commands_deny: frozenset[str]) -> bool:
    """Return True if the user's settings refuse a command: by its exact text, its first word, a program that it
    runs, or, in a line that can't be read to its end, by any of its words.
    """
    is_unread = found is not None and (found.is_unread or found.cls == "unknown")
    unread = [*_names(command), *_names(_WITHIN_WORDS.sub(" ", command))] if is_unread else ()
    named = {*command.split()[:1], *(found.programs if found else ()), *unread}
    return exact_text(command) in commands_deny or not commands_deny.isdisjoint(named)


def judge_command(
    found: Classification,
    mode: Mode,
    contain: Containment,
    held: frozenset[Confinement],
    *,
    hides_credentials: bool = False,
) -> CommandVerdict:
    """Return the verdict on one classified line, apart from the plan and the user's lists, which only matter in Act.

    It is the stricter one of class and traits, so that a longer line is never judged more mildly; of equal ones that of
    the traits, which say more. `held` are the jails that this machine can hold; `hides_credentials` = they hide files
    with credentials.
    """
    if mode is Mode.PLAN and "own-tmp" in found.traits and contain == "on" and "contain" in held:
        found = replace(found, cls="unknown", traits=found.traits - {"outside"})
    verdicts = (_by_traits(found, mode, hides_credentials=hides_credentials), _by_class(found, mode, contain, held))
    return max(verdicts, key=lambda verdict: _STRICTNESS.index(verdict.kind))


def judge_in_context(found: Classification, context: PolicyContext) -> CommandVerdict:
    """Return the verdict on a command under the current policy context."""
    return judge_command(
        found, context.mode, context.contain, context.held, hides_credentials=context.hides_credentials
    )


def spellings(effect: CommandEffect, found: Classification | None) -> tuple[str, ...]:
    """Return the texts by which a command counts as another: without filters at its end, and exactly."""
    bare = (found.bare,) if found is not None and found.bare else ()
    return tuple(dict.fromkeys((*bare, exact_text(effect.command))))


def is_named(effect: CommandEffect, found: Classification | None, context: PolicyContext) -> bool:
    """The user has approved this command: in Act, by the plan or their list."""
    named = context.planned_commands | context.commands_allow
    return context.mode is Mode.ACT and not named.isdisjoint(spellings(effect, found))


def only_reads(found: Classification) -> bool:
    """Every part of the command line is known to change nothing."""
    return found.cls in ("local-read", "net-read", "daemon-read")


def can_only_name(found: Classification, mode: Mode, *, hides_credentials: bool) -> bool:
    """Return True if its jail keeps a command from opening the files with credentials that it names.

    In Act only where the command never opens them: there the user can allow reading one.
    """
    is_hidden = hides_credentials and found.cls in ("local-read", "unknown") and "history" not in found.traits
    return is_hidden and (mode is Mode.PLAN or only_names(found))


def only_names(found: Classification) -> bool:
    """Return True if the command opens none of the files that it names."""
    return _ONLY_NAME.issuperset(found.programs)


def shows_secrets(found: Classification) -> bool:
    """The command would show credentials: it prints some, or names a file that usually holds them, also by a
    pattern.
    """
    return "secret" in found.traits or _names_credentials(found)


def _names_credentials(found: Classification) -> bool:
    # git calls a file of a revision `HEAD:path`.
    named = (PurePosixPath(path.rpartition(":")[2]) for path in found.reads)
    is_pattern = any(may_begin_credentials(text) for text in found.begins)
    return is_pattern or any(map(holds_credentials, named))


def reading_jail(found: Classification) -> Confinement:
    """Return the jail that holds a command to its classification."""
    match found.cls:
        case "local-read" if "outside" in found.traits:
            return "outside-read"
        case "net-read" if "registry" in found.traits:
            return "registry-read"
        case "local-read" | "net-read" | "daemon-read":
            return found.cls
        case "unknown" | "mutating":
            return "contain"


def may_try(effect: CommandEffect, found: Classification, context: PolicyContext) -> bool:
    """Return True if a command may run in Act without a question, in the jail `trial`, since what it changes is judged
    afterwards. Never one that needs what this jail hasn't, as far as its words tell, nor one that works on git's files.
    """
    is_held = context.can_try and "trial" in context.held
    if "temporary" in found.traits:
        found = replace(found, traits=found.traits - {"outside"})
    # paths of a role limit its edits, and would be got round
    return is_held and not context.role.rights.paths and _may_run_held(effect, found, context)


def may_contain(effect: CommandEffect, found: Classification, context: PolicyContext) -> bool:
    """Return True if a command may run in Act without a question, in the jail `contain` as in Plan: where there is no
    trial for it, and it may be one that changes nothing, like most that test.
    """
    is_held = context.contain == "on" and "contain" in context.held
    is_unsure = found.cls == "unknown" and context.approval != "acceptAll"
    return is_held and is_unsure and _may_run_held(effect, found, context)


def _may_run_held(effect: CommandEffect, found: Classification, context: PolicyContext) -> bool:
    if context.mode is not Mode.ACT or context.approval == "review" or context.is_restricted or context.awaits_trust:
        return False
    if effect.goes_on or effect.why_network or effect.held_back:
        return False
    # What only reads has a jail of its own, which has no temporary files.
    if only_reads(found) and not _may_read_temporary_files(found):
        return False
    if found.traits & {"infrastructure", "repository"} or ("packages" in found.traits and not context.has_packages):
        return False
    if _starts_program_beyond(effect.command, found):
        return False
    return _by_traits(found, context.mode, hides_credentials=context.hides_credentials).kind == "allow"


def _may_read_temporary_files(found: Classification) -> bool:
    return "temporary" in found.traits and "outside" not in found.traits


def may_reach_beyond(command: str, found: Classification | None) -> bool:
    """Return True if a command may have an effect outside the workspace, as far as its words tell.

    The jail of Act, which lets it write in the workspace alone, can't hold it to that on other machines.
    """
    if found is None or found.traits & {"outside", "fetches", "loopback", "secret", "infrastructure"}:
        return True
    return not only_reads(found) and names_program_beyond(command)


def names_program_beyond(command: str) -> bool:
    """One of its words is a program that changes other machines or accounts."""
    return _are_beyond(_names(command))


def _starts_program_beyond(command: str, found: Classification) -> bool:
    """A program that it starts, as far as its words tell, is one that changes other machines or accounts."""
    return names_program_beyond(command) if found.starts is None else _are_beyond(found.starts)


def _are_beyond(words: Collection[str]) -> bool:
    return bool(_BEYOND.intersection(words)) or ("git" in words and "push" in words)


def _names(command: str) -> list[str]:
    """Return the words of a command without folders in front."""
    return [posixpath.basename(word) for word in _BETWEEN_WORDS.split(command)]


def _by_class(found: Classification, mode: Mode, contain: Containment, held: frozenset[Confinement]) -> CommandVerdict:
    is_plain = found.cls == "local-read" and "plain" in found.traits and "history" not in found.traits
    is_held = reading_jail(found) in held or is_plain
    if mode is Mode.ACT:
        return CommandVerdict("allow" if only_reads(found) and is_held else "ask", found.reason)
    if found.cls == "unknown" and "contain" in held and contain != "off":
        return CommandVerdict("contain" if contain == "on" else "ask", found.reason)
    if not only_reads(found):
        return CommandVerdict("deny", found.reason)
    if not is_held:
        return CommandVerdict("deny", f"{found.reason}, but there is no jail here to hold it to that")
    return CommandVerdict("allow", found.reason)


def _by_traits(found: Classification, mode: Mode, *, hides_credentials: bool) -> CommandVerdict:
    is_out_of_reach = can_only_name(found, mode, hides_credentials=hides_credentials)
    if "secret" in found.traits or (_names_credentials(found) and not is_out_of_reach):
        return CommandVerdict("deny" if mode is Mode.PLAN else "ask", "it would show credentials")
    if "outside" in found.traits:
        return CommandVerdict("ask", "it reads outside the workspace")
    if "fetches" in found.traits:
        return CommandVerdict("ask", "it fetches from the network")
    if "loopback" in found.traits:
        return CommandVerdict("ask", f"it asks {', '.join(found.servers) or 'servers'} on this machine")
    if "remote" in found.traits:
        named = ", ".join(found.servers) or "a server"
        return CommandVerdict("ask", f"it asks {named}, which the repository's settings name")
    return CommandVerdict("allow", found.reason)
