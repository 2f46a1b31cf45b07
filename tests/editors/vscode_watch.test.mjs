// What the scenarios rest on when they say that nothing left the machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { outsideRequests, watched } from "./harness/network.mjs";

// Addresses of no machine, kept for documentation. What can't be sent for want of a route has been asked for all the same.
const PROGRAM = `
import socket, sys, threading

def ask(kind, family, *address):
    with socket.socket(family, kind) as asking:
        asking.settimeout(0.1)
        try:
            asking.sendto(b"?", address) if kind == socket.SOCK_DGRAM else asking.connect(address)
        except OSError:
            pass

ask(socket.SOCK_STREAM, socket.AF_INET, "127.0.0.1", 9)
ask(socket.SOCK_STREAM, socket.AF_INET6, "::1", 9)
ask(socket.SOCK_STREAM, socket.AF_INET, "192.0.2.1", 443)
ask(socket.SOCK_STREAM, socket.AF_INET6, "2001:db8::1", 443)
in_a_thread = threading.Thread(target=ask, args=(socket.SOCK_DGRAM, socket.AF_INET, "198.51.100.1", 9))
in_a_thread.start()
in_a_thread.join()
ask(socket.SOCK_DGRAM, socket.AF_INET, "127.0.0.53", 53)
`;

test("each request to another machine is seen with the process that made it, and none to this one", () => {
  const folder = mkdtempSync(join(tmpdir(), "planact-watch-"));
  try {
    const [log, program] = ["network.log", "asks.py"].map((name) => join(folder, name));
    writeFileSync(program, PROGRAM);
    const [strace, words] = watched(log, "/bin/sh", "-c", `python3 ${program} now & wait`);
    execFileSync(strace, words, { timeout: 60_000 });
    const seen = outsideRequests(log);
    assert.deepEqual(seen.map(({ to }) => to), ["192.0.2.1 port 443", "2001:db8::1 port 443", "198.51.100.1 port 9", "127.0.0.53 port 53"]);
    for (const { command } of seen) assert.ok(command.endsWith(`python3 ${program} now`), command);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
