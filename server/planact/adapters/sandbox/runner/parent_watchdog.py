"""A watchdog that ends a command when this process died without ending it.

The kernel's own way, a signal at the parent's death, means the thread that started the command, and in a jail that
thread is gone at once.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence

from planact.base.system_path import SYSTEM_PATH

# The token comes by the pipe, so that the watcher itself is not taken for one of the command's processes. It waits
# without a program, which would outlive it for a moment. It looks again until there is none left, since a killed
# process may have started another meanwhile. Where planact was killed before it told the whole token, only the group
# ends: nothing, or a part of a word, stands in the environment of everything.
_WATCH = """
trap "" INT HUP TERM
read -r mine || mine=
while read -r end; do :; done
kill -s KILL -- "-$1"
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
[ -z "$2" ] || : > "$2"
shift 2
for path; do
    case ${path##*/} in
        planact-*) rm -rf -- "$path" ;;
        *) rmdir -- "$path" ;;
    esac
done
"""


@contextlib.contextmanager
def end_with_parent(
    shell: int, token_variable: str, token: str, left: Sequence[str] = (), ended: str = ""
) -> Iterator[None]:
    """End the process group of `shell`, and on Linux all processes with the token in their environment, when this
    process dies meanwhile. Then make the file `ended`, if one is named, and remove the folders `left`: temporary ones
    of planact with their files, others only if they are empty.

    Without effect on Windows.
    """
    if sys.platform == "win32":
        yield
        return
    with _watched(["/bin/sh", "-c", _WATCH, "sh", str(shell), ended, *left], f"{token_variable}={token}\n"):
        yield


@contextlib.contextmanager
def _watched(program: Sequence[str], words: str) -> Iterator[None]:
    """Have a program beside this process, which hears `words` and then the end of this process."""
    watcher = subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
        env={"PATH": SYSTEM_PATH},
    )
    assert watcher.stdin is not None
    try:
        watcher.stdin.write(words.encode())
        watcher.stdin.flush()
        yield
    finally:
        watcher.kill()  # before its pipe is closed, which it would take for the end of this process
        watcher.wait()
        with contextlib.suppress(OSError):
            watcher.stdin.close()
