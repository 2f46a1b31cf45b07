"""From what a command line would do to whether it may, and to the jail it runs in: the gate's verdict about commands.

Reading can need a question too: outside the workspace, from an address, or of secrets. Pure, like all of policy.
"""

import posixpath
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from planact.model.classification import Classification
from planact.model.effect import CommandEffect
from planact.model.jail import Confinement, Containment
from planact.model.permission import Mode
from planact.policy.protected import holds_credentials, may_begin_credentials
from planact.policy.standing import Standing


@dataclass(frozen=True, slots=True)
class CommandVerdict:
    """`contain`: run, but in the strongest jail. `ask` in Plan about an unknown command means: contained, if at all."""

    kind: Literal["allow", "contain", "ask", "deny"]
    reason: str


_BETWEEN_WORDS = re.compile(r"[\s;|&()`'\"<>]+")

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
"""Words by which something elsewhere is changed: in a cloud, in a daemon, on another machine, in the system."""

_BLANKS = " \t\n"

_STRICTNESS = ("allow", "contain", "ask", "deny")


def exact_text(command: str) -> str:
    """What two equal commands have in common: all but the blanks around it that mean nothing to a shell."""
    return command.strip(_BLANKS)


def is_denied(command: str, found: Classification | None, commands_deny: frozenset[str]) -> bool:
    """Whether the user's settings refuse a command: by its exact text, its first word, a program that it runs, or, in
    a line that nobody can read to its end, by any of its words.
    """
    is_unread = found is not None and found.cls == "unknown"
    named = {*command.split()[:1], *(found.programs if found else ()), *(_names(command) if is_unread else ())}
    return exact_text(command) in commands_deny or not commands_deny.isdisjoint(named)


def judge_command(
    found: Classification, mode: Mode, contain: Containment, held: frozenset[Confinement]
) -> CommandVerdict:
    """The verdict on one classified line, apart from the plan and the user's lists, which can only matter in Act.

    The stricter of what its class and what its traits ask for, so that more to run is never judged more mildly.
    `held` are the jails that this machine can hold a command in.
    """
    verdicts = (_by_class(found, mode, contain, held), _by_traits(found, mode))
    return max(verdicts, key=lambda verdict: _STRICTNESS.index(verdict.kind))


def judge_now(found: Classification, standing: Standing) -> CommandVerdict:
    """The same at the moment of a verdict."""
    return judge_command(found, standing.mode, standing.contain, standing.held)


def is_named(effect: CommandEffect, standing: Standing) -> bool:
    """Whether the user has said yes to exactly this command: in Act, by the plan or their list."""
    named = standing.planned_commands | standing.commands_allow
    return exact_text(effect.command) in named and standing.mode is Mode.ACT


def only_reads(found: Classification) -> bool:
    """Whether all of it is known to leave everything as it is."""
    return found.cls in ("local-read", "net-read", "daemon-read")


def shows_secrets(found: Classification) -> bool:
    """Whether it would show credentials: it prints some, or reads a file that usually holds them, also by a pattern."""
    # git calls a file of a revision `HEAD:path`.
    named = (PurePosixPath(path.rpartition(":")[2]) for path in found.reads)
    is_pattern = any(may_begin_credentials(text) for text in found.begins)
    return "secret" in found.traits or is_pattern or any(map(holds_credentials, named))


def reading_jail(found: Classification) -> Confinement:
    """The jail that holds a command to what it was classified as."""
    match found.cls:
        case "local-read" if "outside" in found.traits:
            return "outside-read"
        case "net-read" if "configured" in found.traits:
            return "registry-read"
        case "local-read" | "net-read" | "daemon-read":
            return found.cls
        case "unknown" | "mutating":
            return "contain"


def may_reach_beyond(command: str, found: Classification | None) -> bool:
    """Whether it may have an effect outside the workspace, as far as its words tell: the jail of Act, which lets it
    write in the workspace alone, can't hold it to that on other machines.
    """
    if found is None or found.traits & {"outside", "fetches", "secret"}:
        return True
    words = _names(command)
    return not only_reads(found) and (bool(_BEYOND.intersection(words)) or ("git" in words and "push" in words))


def _names(command: str) -> list[str]:
    """Its words, wherever they stand, without folders in front."""
    return [posixpath.basename(word) for word in _BETWEEN_WORDS.split(command)]


def _by_class(found: Classification, mode: Mode, contain: Containment, held: frozenset[Confinement]) -> CommandVerdict:
    if mode is Mode.ACT:
        return CommandVerdict("allow" if only_reads(found) else "ask", found.reason)
    if found.cls == "unknown" and "contain" in held and contain != "off":
        return CommandVerdict("contain" if contain == "on" else "ask", found.reason)
    if not only_reads(found):
        return CommandVerdict("deny", found.reason)
    is_plain = found.cls == "local-read" and "plain" in found.traits and "configured" not in found.traits
    if reading_jail(found) not in held and not is_plain:
        return CommandVerdict("deny", f"{found.reason}, but there is no jail here to hold it to that")
    return CommandVerdict("allow", found.reason)


def _by_traits(found: Classification, mode: Mode) -> CommandVerdict:
    if shows_secrets(found):
        return CommandVerdict("deny" if mode is Mode.PLAN else "ask", "it would show credentials")
    if "outside" in found.traits:
        return CommandVerdict("ask", "it reads outside the workspace")
    if "fetches" in found.traits:
        return CommandVerdict("ask", "it fetches from the network")
    return CommandVerdict("allow", found.reason)
