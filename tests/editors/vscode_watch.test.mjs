// What the scenarios rest on when they say that nothing left the machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { NO_OUTSIDE, outsideHosts, outsideRequests, watched } from "./harness/network.mjs";
import { ownEnvironment } from "./harness/processes.mjs";
import { playwright, rigParts } from "./harness/rig.mjs";

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

test("each request of a page to another machine is seen and reaches none, and those to this one are answered", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planact-watch-"));
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.host);
    response.setHeader("access-control-allow-origin", "*").end("here");
  });
  const { port } = await new Promise((resolve) => server.listen(0, () => resolve(server.address())));
  const [here, elsewhere] = ["127.0.0.1", "127.0.0.2"].map((host) => `${host}:${port}`);
  const { chromium } = playwright();
  const browser = await chromium.launch({ executablePath: rigParts().chromium, args: ["--no-sandbox", NO_OUTSIDE], env: ownEnvironment(folder) });
  try {
    const context = await browser.newContext();
    const hosts = outsideHosts(context);
    const page = await context.newPage();
    await page.goto(`http://${here}/`);
    const fetched = (host) => page.evaluate((url) => fetch(url).then((answer) => answer.text(), () => "no answer"), `http://${host}/`);
    assert.equal(await fetched(here), "here");
    for (const host of [elsewhere, "192.0.2.1:8080", "planact.example"]) assert.equal(await fetched(host), "no answer");
    await page.evaluate((url) => new Promise((resolve) => { new WebSocket(url).onerror = resolve; }), `ws://${elsewhere}/`);
    assert.deepEqual(hosts, [elsewhere, "192.0.2.1:8080", "planact.example", elsewhere]);
    assert.deepEqual([...new Set(asked)], [here]);
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
