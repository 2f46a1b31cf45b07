"""A watchdog that ends a command when this process died without ending it.

The kernel's own way, a signal at the parent's death, means the thread that started the command, and in a jail that
thread is gone at once.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence

# The token comes by the pipe, so that the watcher itself is not taken for one of the command's processes. It looks
# again until there is none left, since a killed process may have started another meanwhile.
_WATCH = """
import os, signal, sys, time
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
token, shell = sys.stdin.readline().encode().strip(), int(sys.argv[2])
sys.stdin.read()
mine = sys.argv[1].encode() + b"=" + token
def left():
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if mine in file.read().split(b"\\0"):
                        yield int(name)
            except OSError:
                pass
def end(kill, pid):
    try:
        kill(pid, signal.SIGKILL)
    except OSError:
        pass
end(os.killpg, shell)
for _ in range(200):
    found = list(left())
    for pid in found:
        end(os.kill, pid)
    if not found:
        break
    time.sleep(0.02)
"""


# In a namespace of processes all others end with the first one, which is in the group of the shell.
_WATCH_NAMESPACE = """
trap "" INT HUP TERM
cat > /dev/null
kill -s KILL -- "-$1"
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
def end_with_parent(shell: int, token_variable: str, token: str) -> Iterator[None]:
    """End the process group of `shell`, and all processes with the token in their environment, when this process dies
    meanwhile.

    Without effect on Windows.
    """
    if sys.platform == "win32":
        yield
        return
    with _watched([sys.executable, "-I", "-S", "-c", _WATCH, token_variable, str(shell)], f"{token}\n"):
        yield


@contextlib.contextmanager
def end_namespace_with_parent(shell: int, left: Sequence[str], ended: str) -> Iterator[None]:
    """End the process group of `shell` when this process dies meanwhile, make the file `ended`, if one is named, and
    remove the folders `left`: temporary ones of planact with their files, others only if they are empty.
    """
    with _watched(["/bin/sh", "-c", _WATCH_NAMESPACE, "sh", str(shell), ended, *left], ""):
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
