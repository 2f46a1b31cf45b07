import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { test } from "node:test";

import { Cancelled, runProgram, type Stop } from "../src/program";

class Button implements Stop {
  private readonly clicks = new EventEmitter();
  isCancellationRequested = false;

  onCancellationRequested(listener: () => void) {
    this.clicks.on("click", listener);
    return { dispose: () => { this.clicks.off("click", listener); } };
  }

  click() {
    this.isCancellationRequested = true;
    this.clicks.emit("click");
  }
}

test("a program that fails is reported with its last words", async () => {
  const lines: string[] = [];
  const run = runProgram(process.execPath, ["-e", "console.error('first'); console.error('last'); process.exit(3)"], tmpdir(), (line) => lines.push(line), new Button());
  await assert.rejects(run, /ended with code 3: last$/);
  assert.match(lines.join("\n"), /first\nlast/);
});

test("a program that is not there is reported", async () => {
  await assert.rejects(runProgram("planact-no-such-program", [], tmpdir(), () => undefined, new Button()), /ENOENT/);
});

// `runProgram` waits for the end of the output, which the grandchild holds open for as long as it lives.
test("giving up ends the program with all that it started", { timeout: 20_000 }, async () => {
  const button = new Button();
  const child = "setInterval(() => {}, 1000); console.log(process.pid)";
  const parent = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" }); setInterval(() => {}, 1000)`;
  let pid = 0;
  const run = runProgram(process.execPath, ["-e", parent], tmpdir(), (line) => {
    if (!/^\d+$/.test(line)) return;
    pid = Number(line);
    button.click();
  }, button);
  await assert.rejects(run, Cancelled);
  assert.notEqual(pid, 0);
});
