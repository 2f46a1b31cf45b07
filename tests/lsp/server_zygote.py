"""A process that has loaded planact once, and forks it for each order that comes by the socket it is given.

An order is four bytes with its length, which carry four descriptors: standard input, output and error, and where the
exit code is to be written; then JSON with words, folder and environment, and whether the input is a terminal that
becomes the fork's own. The answer is the number of the process in four bytes. The word `probe` stands for the server in
`probe_server`, `victim` and `victims` for `serve_until` and `main` of `tests.kill.victim`. See
`tests.lsp.forked_server`. With a second word it has loaded litellm, too.
"""

import contextlib
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import termios
import threading
import traceback
from pathlib import Path
from typing import Any

import planact.__main__
import planact.cli.commands
from planact.lsp.wire.late_types import import_lsp_types
from tests.fakes.loaded_data import load_data
from tests.fakes.loaded_litellm import load_litellm
from tests.kill import victim
from tests.lsp import probe_server

USED_LATER = (
    "lsp.connection",
    "adapters.llm.scripted",
    "agent.judge_intent",
    "app",
    "cli.chat.conversation",
    "cli.doctor",
    "cli.engine",
    "cli.main",
    "cli.output.images",
    "cli.results",
    "policy.intent.change_request",
    "policy.intent.small_fix",
    "shell.classify",
    "shell.parse.bash",
    "shell.parse.read_words",
    "workflows.chat.handle_slash_command",
    "workflows.chat.send_message",
    "workflows.questions.json_schema",
    "workflows.runs.execute",
    "workflows.undo.ask_to_roll_back",
    "workflows.undo.rewind",
)

METHODS_USED = (
    "$/progress",
    "exit",
    "initialize",
    "initialized",
    "shutdown",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didOpen",
    "textDocument/publishDiagnostics",
    "window/logMessage",
    "window/workDoneProgress/create",
    "workspace/applyEdit",
    "workspace/codeLens/refresh",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "workspace/executeCommand",
)
TYPES_SENT = (
    "CodeAction",
    "CodeActionOptions",
    "CodeLensOptions",
    "CompletionOptions",
    "DocumentLinkOptions",
    "FileOperationRegistrationOptions",
    "InlayHintOptions",
    "ResponseError",
    "SemanticTokensLegend",
    "TextDocumentEdit",
    "TextEdit",
    "WorkDoneProgressBegin",
    "WorkDoneProgressEnd",
    "WorkDoneProgressReport",
    "WorkspaceEdit",
)
"""Inside of messages."""
CLIENT = Path(__file__).parents[1] / "data" / "clients" / "zed.json"
"""One that can do much."""


def load_types() -> None:
    """Complete what most sessions use of the protocol's types, and build their conversion once for all servers."""
    from lsprotocol import types

    from planact.lsp import server

    converter = server.new_converter()
    declared = json.loads(CLIENT.read_text("utf-8"))["capabilities"]
    converter.structure(declared, types.ClientCapabilities)
    for method in METHODS_USED:
        for kind in filter(None, types.METHOD_TO_TYPES[method][:2]):
            converter.get_structure_hook(kind)
            converter.get_unstructure_hook(kind)
    for name in TYPES_SENT:
        converter.get_unstructure_hook(getattr(types, name))
    server.new_converter = lambda: converter


def load() -> None:
    gc.disable()
    import_lsp_types()
    for name in USED_LATER:
        importlib.import_module(f"planact.{name}")
    for module in pkgutil.iter_modules(planact.cli.commands.__path__, "planact.cli.commands."):
        importlib.import_module(module.name)
    load_types()
    load_data()
    if sys.argv[2:]:
        load_litellm()
    assert threading.active_count() == 1  # a fork has the forking thread alone
    gc.freeze()
    gc.enable()


def main() -> None:
    load()
    orders = socket.socket(fileno=int(sys.argv[1]))
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([orders, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            reap(running)
        if orders in ready:
            length, descriptors, _, _ = socket.recv_fds(orders, 4, 4)
            if not length:
                return
            order = json.loads(orders.recv(int.from_bytes(length), socket.MSG_WAITALL))
            *streams, ended = descriptors
            if (pid := os.fork()) == 0:
                be_the_server(order, streams)
            running[pid] = ended
            for stream in streams:
                os.close(stream)
            orders.sendall(pid.to_bytes(4))


def reap(running: dict[int, int]) -> None:
    for pid, ended in tuple(running.items()):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            del running[pid]
            with contextlib.suppress(BrokenPipeError):
                os.write(ended, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(ended)


def be_the_server(order: dict[str, Any], streams: list[int]) -> None:
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        if order.get("terminal"):  # its own, or Ctrl-C would be a character like any other
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.chdir(order["folder"])
        os.environ.clear()
        os.environ.update(order["environment"])
        sys.argv[1:] = order["words"]
        if sys.argv[1:2] == ["probe"]:
            del sys.argv[1]
            probe_server.main()
        if sys.argv[1:2] == ["victim"]:
            victim.serve_until(*sys.argv[2:])
        if sys.argv[1:2] == ["victims"]:
            victim.main()
            sys.exit()
        planact.__main__.main()
    except SystemExit as left:
        os._exit(left.code if isinstance(left.code, int) else int(left.code is not None))
    finally:
        traceback.print_exc()
        os._exit(70)


if __name__ == "__main__":
    main()
