"""Reads what strace wrote about a command line, and finds the calls by which it did more than read.

An attempt counts like a deed: a call that failed would have succeeded somewhere else.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_AT = ((0, 1),)
_PATHS: Mapping[str, Sequence[int | tuple[int, int]]] = {
    **dict.fromkeys(("unlink", "rmdir", "mkdir", "mknod", "chmod", "chown", "lchown", "truncate", "utime"), (0,)),
    **dict.fromkeys(("utimes", "setxattr", "lsetxattr", "removexattr", "lremovexattr", "creat"), (0,)),
    **dict.fromkeys(("rename", "link"), (0, 1)),
    "symlink": (1,),
    **dict.fromkeys(("unlinkat", "mkdirat", "mknodat", "fchmodat", "fchmodat2", "fchownat", "utimensat"), _AT),
    "futimesat": _AT,
    **dict.fromkeys(("renameat", "renameat2", "linkat"), ((0, 1), (2, 3))),
    "symlinkat": ((1, 2),),
}
"""Where the calls that change things by name have these names: an argument, or a folder and a name in it."""
_DESCRIPTORS = frozenset(("fchmod", "fchown", "ftruncate", "fallocate", "fsetxattr", "fremovexattr"))
_OPENS: Mapping[str, int | tuple[int, int]] = {"open": 0, "openat": (0, 1), "openat2": (0, 1)}
_EXECUTES: Mapping[str, int | tuple[int, int]] = {"execve": 0, "execveat": (0, 1)}
_SENDS = frozenset(("connect", "sendto", "sendmsg", "sendmmsg", "bind"))
_NEVER = frozenset(
    (
        *("mount", "umount2", "pivot_root", "sethostname", "setdomainname", "settimeofday", "clock_settime", "swapon"),
        *("swapoff", "reboot", "init_module", "finit_module", "delete_module", "kexec_load", "ptrace", "bpf"),
        *("listen", "io_uring_setup", "add_key", "msgget", "semget", "shmget", "mq_open", "quotactl", "acct"),
    )
)
_STARTS = frozenset(("clone", "clone3", "fork", "vfork"))
_MOVES = frozenset(("chdir", "fchdir"))

CALLS = (*_PATHS, *_DESCRIPTORS, *_OPENS, *_EXECUTES, *_SENDS, *_NEVER, *_STARTS, *_MOVES)

_WRITING = re.compile(r"O_(?:WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b")
_NOWHERE = re.compile(
    # What a process says of itself, as the Java and Haskell runtimes do, ends with it.
    r"/dev/(?:null(?:/.*)?|tty|pts/\d+)\Z|pipe:|/memfd:|/proc/(?:self|\d+)/(?:task/\d+/)?(?:comm|coredump_filter)\Z"
)
_NAME_SERVICE = re.compile(
    r'sun_path="(?:/var)?/run/(?:nscd/socket|systemd/userdb/[^"]*|systemd/resolve/io\.systemd\.Resolve)"'
)
_ASKS_KERNEL = re.compile(r"\w*GET\w*\Z|SOCK_DIAG_BY_FAMILY\Z|NLMSG_(?:DONE|NOOP)\Z")

# Most of what any program does: passed over as a whole, since it is so much.
_READS = re.compile(
    r'\d+ +openat\((?:AT_FDCWD|\d+)<[^<>]*>, "[^"\\]*", O_RDONLY(?:\|O_(?:CLOEXEC|NONBLOCK|DIRECTORY))*\) '
)
_LINE = re.compile(r"(?P<pid>\d+) +(?P<rest>.*)")
_RESUMED = re.compile(r"<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)")
_CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>\?|-?\w+.*)")
_DESCRIPTOR = re.compile(r"(?:-?\d+|AT_FDCWD)<(?P<path>[^<>]*)")
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|[\[{(]|[\]})]|,|[^"\[\]{}(),]+')
_ESCAPED = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f"}
_UNFINISHED = re.compile(r",? ?<(?:unfinished|detached) \.\.\.>\Z")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Absolute paths: the line may write below `home`, and must not execute what lies below `workspace`."""

    workspace: str
    home: str


@dataclass(frozen=True, slots=True)
class Call:
    """One system call as strace shows it. `result` holds the path of a descriptor that it returns."""

    pid: str
    name: str
    arguments: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)}) = {self.result}"


@dataclass(slots=True)
class _Processes:
    """The folder that each process is in, as far as strace doesn't say it with the call."""

    start: str
    _folders: dict[str, str] = field(default_factory=dict)
    _starting: list[str] = field(default_factory=list)

    def folder(self, pid: str) -> str:
        if pid not in self._folders:
            # Its first call can come before the call that made it returns.
            self._folders[pid] = self._folders[self._starting[-1]] if self._starting else self.start
        return self._folders[pid]

    def begin(self, pid: str, name: str) -> None:
        if name in _STARTS:
            self.folder(pid)
            self._starting.append(pid)

    def follow(self, call: Call) -> None:
        if call.name in _STARTS:
            if call.pid in self._starting:
                self._starting.remove(call.pid)
            if call.result.isdigit():
                self._folders.setdefault(call.result, self.folder(call.pid))
        elif call.name in _MOVES and call.result.startswith("0"):
            self._folders[call.pid] = path_of(call, 0, self.folder(call.pid))


def offences(trace: str, bounds: Bounds) -> list[str]:
    """Return the calls that no line which only reads may make, in the order in which they came."""
    processes = _Processes(bounds.workspace)
    return [
        str(call)
        for call, folder in _calls(trace, processes)
        if call.name not in _STARTS and call.name not in _MOVES and _is_offence(call, folder, bounds)
    ]


def programs(trace: str) -> set[str]:
    """Return the names of the programs that were started."""
    calls = (call for call, _ in _calls(trace, _Processes("/")))
    started = (call for call in calls if call.name in _EXECUTES and call.result == "0")
    return {posixpath.basename(path_of(call, _EXECUTES[call.name], "/")) for call in started}


def path_of(call: Call, at: int | tuple[int, int], folder: str) -> str:
    """Return the absolute path that an argument names; that of a descriptor where there is no name."""
    base, index = (at[0], at[1]) if isinstance(at, tuple) else (None, at)
    if index >= len(call.arguments):
        return ""
    text = call.arguments[index]
    if not text.startswith('"'):  # a descriptor, or a null pointer beside one
        found = _DESCRIPTOR.match(text) or (_DESCRIPTOR.match(call.arguments[base]) if base is not None else None)
        return found["path"] if found else ""
    beside = _DESCRIPTOR.match(call.arguments[base]) if base is not None else None
    return posixpath.normpath(posixpath.join(beside["path"] if beside else folder, unquoted(text)))


def unquoted(text: str) -> str:
    """Return what a string of C stands for, as far as strace shows it."""

    def plain(found: re.Match[str]) -> str:
        octal, hexadecimal, letter = found.groups()
        if octal or hexadecimal:
            return chr(int(octal, 8) if octal else int(hexadecimal, 16))
        return _LETTERS.get(letter, letter)

    return _ESCAPED.sub(plain, text.removesuffix("...")[1:-1])


def _calls(trace: str, processes: _Processes) -> Iterator[tuple[Call, str]]:
    begun: dict[str, str] = {}
    for line in trace.splitlines():
        found = None if _READS.match(line) else _LINE.match(line)
        if found is None:
            continue
        pid, rest = found["pid"], found["rest"]
        if resumed := _RESUMED.match(rest):
            rest = begun.pop(pid, f"{resumed['name']}(") + resumed["rest"]
        elif unfinished := _UNFINISHED.search(rest):
            begun[pid] = rest[: unfinished.start()]
            processes.begin(pid, rest.partition("(")[0])
            continue
        if call := _call(pid, rest):
            folder = processes.folder(pid)
            processes.follow(call)
            yield call, folder
    for pid, rest in begun.items():  # what was still under way when all was ended
        if call := _call(pid, f"{rest}) = ?"):
            yield call, processes.folder(pid)


def _call(pid: str, text: str) -> Call | None:
    found = _CALL.match(text)
    return Call(pid, found["name"], _arguments(found["arguments"]), found["result"].strip()) if found else None


def _arguments(text: str) -> tuple[str, ...]:
    found, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece in "[{(") - (piece in "]})")
        if piece == "," and depth == 0:
            found.append("")
        else:
            found[-1] += piece
    return tuple(each.strip() for each in found)


def _is_offence(call: Call, folder: str, bounds: Bounds) -> bool:
    if call.name.startswith("syscall_0xffff"):
        return False  # no call has this number: strace lost the process, which ended
    if call.name in _NEVER:
        return True
    if call.name in _SENDS:
        return _leaves(call)
    if call.name in _EXECUTES:
        return _is_below(path_of(call, _EXECUTES[call.name], folder), bounds.workspace)
    if call.name in _OPENS:
        # A folder can't be opened for writing; `shasum` tries it to have the system's words for the error.
        if not _WRITING.search(" ".join(call.arguments[1:])) or "EISDIR" in call.result:
            return False
        opened = _DESCRIPTOR.match(call.result)
        path = opened["path"] if opened else path_of(call, _OPENS[call.name], folder)
        return not _may_change(path, bounds)
    if call.name == "mkdir" and path_of(call, 0, folder) == bounds.workspace:
        return False  # the folder that everything runs in is there; `pip check` makes sure of it
    if call.name in _DESCRIPTORS:
        return not _may_change(path_of(call, 0, folder), bounds)
    return not all(_may_change(path_of(call, at, folder), bounds) for at in _PATHS[call.name])


def _may_change(path: str, bounds: Bounds) -> bool:
    return _is_below(path, bounds.home) or bool(_NOWHERE.match(path))


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _leaves(call: Call) -> bool:
    """Whether it speaks to anybody but the kernel, the name service of the C library, or its own processes."""
    text = ", ".join(call.arguments)
    families = set(re.findall(r"sa_family=(\w+)", text))
    if families <= {"AF_UNSPEC"}:
        return False
    if call.name == "bind":  # an address of one's own is for nobody before one listens there, unless it is a file
        return families == {"AF_UNIX"}
    if families == {"AF_NETLINK"}:
        return not all(_ASKS_KERNEL.match(kind) for kind in re.findall(r"nlmsg_type=(\w+)", text))
    return not (families == {"AF_UNIX"} and _NAME_SERVICE.search(text))
