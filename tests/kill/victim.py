"""A fork of `tests.lsp.server_zygote` that forks the real program for each run: quick enough for hundreds of kills.

A run can be told the moment at which it gets SIGKILL: right before or after its n-th entry in the journal is on disk,
right before its n-th approval of a plan is, at the n-th line of planact's own code that it executes, or at a file of a
name: before it is written ("file"), or when its new bytes lie beside it ("temporary"). It is watched as a debugger
does; nothing is replaced.
Tests of the terminal use it without a kill.
"""

import contextlib
import ctypes
import importlib
import json
import os
import platform
import resource
import signal
import struct
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import planact.__main__
from planact.cli.main import main as program
from planact.lsp.wire.late_types import import_lsp_types

_PACKAGE = os.path.dirname(planact.__file__)  # noqa: PTH120
_WATCHED = tuple(os.path.join(_PACKAGE, *each) for each in (("workflows",), ("tools",), ("adapters", "store")))  # noqa: PTH118
_ENTRY = (os.path.join(_PACKAGE, "adapters", "store", "state", "journal.py"), "append")  # noqa: PTH118
_APPROVAL = (os.path.join(_PACKAGE, "adapters", "store", "state", "approvals.py"), "approve")  # noqa: PTH118
_CALLS = {"before": _ENTRY, "after": _ENTRY, "approval": _APPROVAL}

_WRITER = os.path.join(_PACKAGE, "adapters", "store", "disk", "atomic.py")  # noqa: PTH118
_AT_FILE = {"file": ("create", "replace", "rename"), "temporary": ("_copy_attributes",)}
"""Functions of the writer whose call is the moment."""

_CAPSET = {"x86_64": 126, "aarch64": 91}

Trace = Callable[[FrameType, str, Any], Any]


def main() -> None:
    """Carry out orders, one line of JSON each, until there are no more."""
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(run_steps(order)), flush=True)


def run_steps(order: dict[str, Any]) -> dict[str, Any]:
    """Run the program and wait for it; its exit code is negative where a signal ended it."""
    for name in ("out", "err"):  # it may be killed before it has written a word
        open(f"{order['output']}.{name}", "w").close()  # noqa: PTH123
    pid = os.fork()
    if pid == 0:
        try:
            _be_the_program(order)
        finally:
            os._exit(99)
    if order.get("seconds") is not None:

        def kill(*_: object) -> None:
            with contextlib.suppress(ProcessLookupError):  # it may have ended in that moment
                os.kill(pid, signal.SIGKILL)

        # A signal from outside, at any moment: the kernel ends it wherever it is.
        signal.signal(signal.SIGALRM, kill)
        signal.setitimer(signal.ITIMER_REAL, order["seconds"])
    _, status = os.waitpid(pid, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"code": os.waitstatus_to_exitcode(status)}


def _be_the_program(order: dict[str, Any]) -> None:
    os.setsid()
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    for number, name in enumerate(
        (order.get("input", "/dev/null"), f"{order['output']}.out", f"{order['output']}.err")
    ):
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(name, mode, 0o600), number)
    if order.get("is_ordinary"):
        _drop_rights()
    if order.get("largest_file"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["largest_file"],) * 2)
    count = [0]
    if order.get("moment"):
        sys.settrace(_tracer(*order["moment"], count))
    code = program(order["words"], os.environ)
    sys.settrace(None)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with open(f"{order['output']}.count", "w") as file:  # noqa: PTH123
        file.write(str(count[0]))
    os._exit(code)


def _drop_rights() -> None:
    """What root has over other users: permissions of files are to count."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        header = struct.pack("Ii", 0x20080522, 0)
        every = (ctypes.c_uint32 * 6)()
        if libc.syscall(_CAPSET[platform.machine()], header, every):
            raise OSError(ctypes.get_errno(), "capset")


def _tracer(kind: str, which: int | str, count: list[int]) -> Trace:
    """`which` is the number of the moment or the name of a file; `count` is how many such moments there have been."""
    if isinstance(which, str):
        return _file_tracer(kind, which)

    def tick() -> None:
        count[0] += 1
        if count[0] == which:
            os.kill(os.getpid(), signal.SIGKILL)

    def entries(frame: FrameType, event: str, _argument: Any) -> Trace | None:
        if event == "call" and (frame.f_code.co_filename, frame.f_code.co_name) != _CALLS[kind]:
            return None
        if event == ("return" if kind == "after" else "call"):
            tick()
        return entries

    def lines(frame: FrameType, event: str, _argument: Any) -> Trace | None:
        if event == "call" and not frame.f_code.co_filename.startswith(_WATCHED):
            return None
        if event == "line":
            tick()
        return lines

    return lines if kind == "line" else entries


def _file_tracer(kind: str, name: str) -> Trace:
    def files(frame: FrameType, _event: str, _argument: Any) -> None:
        if frame.f_code.co_filename == _WRITER and frame.f_code.co_name in _AT_FILE[kind]:
            path = frame.f_locals.get("path") or frame.f_locals["source"]
            if path.name == name:
                os.kill(os.getpid(), signal.SIGKILL)

    threading.settrace(files)  # a server writes in threads
    return files


def serve_until(kind: str, which: str) -> None:
    """Be the language server until that moment, or, without any, one to which permissions of files count."""
    sys.argv[1:] = ["serve"]
    if kind == "ordinary":
        _drop_rights()
        planact.__main__.main()
    import_lsp_types()
    importlib.import_module("planact.lsp.connection")  # watched, that takes seconds where the machine is busy
    sys.settrace(_tracer(kind, which if kind in _AT_FILE else int(which), [0]))
    planact.__main__.main()
