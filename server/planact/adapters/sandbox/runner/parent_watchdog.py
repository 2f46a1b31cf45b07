"""A watchdog that ends a command when this process died without ending it.

The kernel's own way, a signal at the parent's death, means the thread that started the command, and in a jail that
thread is gone at once.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

from planact.base.system_path import SYSTEM_PATH

# The token comes by the pipe, so that the watcher itself is not taken for one of the command's processes. It waits
# without a program, which would outlive it for a moment. It looks again until there is none left, since a killed
# process may have started another meanwhile. Where planact was killed before it told the whole token, there is no
# command yet, and nothing may be looked for: a part of a word stands in the environment of everything.
_WATCH = """
trap "" INT HUP TERM
read -r mine || mine=
group=
while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
rounds=0
while [ -n "$mine" ] && [ "$rounds" -lt 200 ]; do
    found=$(grep -lsF -- "$mine" /proc/[0-9]*/environ)
    [ -n "$found" ] || break
    for each in $found; do
        each=${each#/proc/}
        kill -s KILL "${each%/environ}"
    done
    rounds=$((rounds + 1))
    sleep 0.02
done
[ -z "$1" ] || : > "$1"
shift
for path; do
    case ${path##*/} in
        planact-*) rm -rf -- "$path" ;;
        *) rmdir -- "$path" ;;
    esac
done
"""


@contextlib.contextmanager
def end_with_parent(
    token_variable: str, token: str, left: Sequence[str] = (), ended: str = ""
) -> Iterator[Callable[[int], None]]:
    """Yield what is to be told the number of a command's shell, as soon as that runs. When this process dies meanwhile,
    the process group of the shell ends, and on Linux all processes with the token in their environment. Then the file
    `ended` is made, if one is named, and the folders `left` are removed: temporary ones of planact with their files,
    others only if they are empty.

    Without effect on Windows.
    """
    if sys.platform == "win32":
        yield lambda _: None
        return
    with _watched(["/bin/sh", "-c", _WATCH, "sh", ended, *left]) as tell:
        tell(f"{token_variable}={token}")
        yield lambda shell: tell(str(shell))


@contextlib.contextmanager
def _watched(program: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """Have a program beside this process, which hears lines and then the end of this process."""
    watcher = subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
        env={"PATH": SYSTEM_PATH},
    )
    assert watcher.stdin is not None
    lines = watcher.stdin

    def tell(line: str) -> None:
        with contextlib.suppress(OSError):  # somebody killed the watcher
            lines.write(f"{line}\n".encode())
            lines.flush()

    try:
        yield tell
    finally:
        watcher.kill()  # before its pipe is closed, which it would take for the end of this process
        watcher.wait()
        with contextlib.suppress(OSError):
            lines.close()
