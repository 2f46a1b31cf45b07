from pathlib import PurePath

import pytest

from planact.adapters.sandbox.choose import Jail, JailSupport, Rung, choose_rung
from planact.adapters.sandbox.spawner import PlainSpawner, RefusingSpawner
from planact.model.rights.jail import Confinement, JailProfile, SandboxSetting

NOTHING = JailSupport()
FULL = JailSupport("x86_64", 7, has_seccomp=True, bubblewrap="/usr/bin/bwrap")


@pytest.mark.parametrize(
    ("abilities", "setting", "expected"),
    [
        (FULL, "auto", "landlock"),
        (FULL, "required", "landlock"),
        (FULL, "off", "none"),
        (JailSupport("aarch64", 4, has_seccomp=True), "auto", "landlock"),
        (JailSupport("x86_64", 3, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "auto", "older-landlock"),
        (JailSupport("x86_64", 1, has_seccomp=True), "auto", "older-landlock"),
        (JailSupport("x86_64", 0, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "auto", "bubblewrap"),
        (JailSupport("x86_64", 0, has_seccomp=True), "auto", "none"),
        (JailSupport("riscv64", 7, has_seccomp=False, bubblewrap="/usr/bin/bwrap"), "auto", "none"),
        (JailSupport(sandbox_exec="/usr/bin/sandbox-exec"), "auto", "seatbelt"),
        (NOTHING, "auto", "none"),
        (NOTHING, "required", "none"),
    ],
)
def test_the_best_jail_is_chosen(abilities: JailSupport, setting: SandboxSetting, expected: Rung) -> None:
    assert choose_rung(abilities, setting) == expected


@pytest.mark.parametrize(
    ("abilities", "setting", "profile", "runs"),
    [
        (NOTHING, "auto", "local-read", True),
        (NOTHING, "auto", "act", True),
        (NOTHING, "auto", "contain", False),
        (NOTHING, "off", "act", True),
        (NOTHING, "off", "contain", False),
        (FULL, "off", "contain", False),
        (NOTHING, "required", "local-read", False),
        (NOTHING, "required", "act", False),
        (JailSupport("x86_64", 0, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "required", "act", True),
        (JailSupport("x86_64", 0, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "auto", "contain", True),
        (JailSupport("x86_64", 3, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "auto", "contain", True),
        (JailSupport("x86_64", 4, has_seccomp=True), "auto", "contain", True),
        (JailSupport("x86_64", 3, has_seccomp=True), "auto", "contain", False),
        (JailSupport(sandbox_exec="/usr/bin/sandbox-exec"), "required", "local-read", True),
        (JailSupport(sandbox_exec="/usr/bin/sandbox-exec"), "auto", "contain", False),
        (FULL, "auto", "trial", True),
        (JailSupport("x86_64", 0, has_seccomp=True, bubblewrap="/usr/bin/bwrap"), "required", "trial", True),
        (JailSupport("x86_64", 7, has_seccomp=True), "auto", "trial", False),
        (FULL, "off", "trial", False),
        (NOTHING, "auto", "trial", False),
        (JailSupport(sandbox_exec="/usr/bin/sandbox-exec"), "auto", "trial", False),
    ],
)
def test_without_a_jail_a_command_runs_only_where_the_user_does_not_ask_for_one(
    abilities: JailSupport, setting: SandboxSetting, profile: Confinement, runs: bool
) -> None:
    temporary = (PurePath("/tmp"),) if abilities.bubblewrap and profile in ("contain", "trial") else ()
    jail, limits = Jail(abilities, setting), JailProfile(profile, None, temporary=temporary)
    assert (jail.refusal(limits) is None, isinstance(jail.spawner(limits), RefusingSpawner)) == (runs, not runs)


def test_what_takes_mounts_is_not_held_by_landlock() -> None:
    jail, names = Jail(JailSupport("x86_64", 7, has_seccomp=True), "auto"), ("contain", "trial")
    profiles = [JailProfile(name, None, temporary=(PurePath("/tmp"),), is_split=True) for name in names]
    assert [type(jail.spawner(profile)) for profile in profiles] == [RefusingSpawner] * 2


def test_only_without_a_jail_a_command_is_started_as_it_is() -> None:
    assert isinstance(Jail(NOTHING, "auto").spawner(JailProfile("act", None)), PlainSpawner)
    bubblewrap = JailSupport("x86_64", 0, has_seccomp=True, bubblewrap="/usr/bin/bwrap")
    assert not isinstance(Jail(bubblewrap, "auto").spawner(JailProfile("act", None)), PlainSpawner)


def test_every_rung_tells_what_it_is() -> None:
    summaries = [Jail(abilities, "auto").summary for abilities in (NOTHING, JailSupport(sandbox_exec="/usr/bin/x"))]
    assert summaries == [
        "nothing: commands run with all the rights of the user",
        "the sandbox of macOS, which planact's developers never tested",
    ]
