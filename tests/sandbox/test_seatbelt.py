from pathlib import PurePosixPath

from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.macos.seatbelt import sandbox_profile
from planact.model.rights.jail import JailProfile

COMMON = """(deny appleevent-send)
(deny lsopen)
(deny job-creation)
(deny mach-register)
(deny signal)
(allow signal (target same-sandbox))"""


def test_what_only_reads_writes_devices_and_its_own_folder() -> None:
    found = sandbox_profile(JailProfile("local-read", None), [PurePosixPath("/private/tmp/own")])
    assert found == (
        """(version 1)
(allow default)
(deny file-write*)
(allow file-write* (literal "/dev/null"))
(allow file-write* (literal "/dev/zero"))
(allow file-write* (literal "/dev/dtracehelper"))
(allow file-write* (subpath "/private/tmp/own"))
(deny network*)
"""
        + COMMON
    )


def test_what_is_kept_outranks_what_may_be_written() -> None:
    profile = JailProfile(
        "act", None, writable=(PurePosixPath('/a "b"\\'),), kept=(PurePosixPath("/a/state"),), network="all"
    )
    assert sandbox_profile(profile).splitlines()[6:8] == [
        '(allow file-write* (subpath "/a \\"b\\"\\\\"))',
        '(deny file-write* (subpath "/a/state"))',
    ]
    assert "network" not in sandbox_profile(profile)


def test_a_daemon_is_reached_by_its_socket() -> None:
    profile = JailProfile("daemon-read", None, sockets=(PurePosixPath("/var/run/docker.sock"),))
    rule = '(allow network-outbound (remote unix-socket (path-literal "/var/run/docker.sock")))'
    assert sandbox_profile(profile).splitlines()[6:8] == ["(deny network*)", rule]


def test_hidden_files_are_denied_after_what_lies_around_them_is_allowed() -> None:
    home, work = PurePosixPath("/Users/a"), PurePosixPath("/Users/a/work")
    view = View(readable=(work, PurePosixPath("/usr")), closed=(home,), hidden=("/Users/a/work/.env",))
    rules = [
        line
        for line in sandbox_profile(JailProfile("local-read", (work,)), (), view).splitlines()
        if "read-data" in line
    ]
    assert rules == [
        '(deny file-read-data (subpath "/Users/a"))',
        '(allow file-read-data (subpath "/Users/a/work"))',
        '(deny file-read-data (subpath "/Users/a/work/.env"))',
    ]
