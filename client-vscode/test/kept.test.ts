import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Kept } from "../src/kept";

function inFolder(name: string, body: (path: string) => Promise<void>): void {
  test(name, async () => {
    const folder = mkdtempSync(join(tmpdir(), "planact-kept-"));
    try {
      await body(join(folder, "deep", "kept.json"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

function unexpected(problem: string): void {
  assert.fail(problem);
}

inFolder("what is kept is on disk as soon as that is said, and nothing else is left there", async (path) => {
  const kept = new Kept(path, "nothing", unexpected);
  assert.equal(await kept.get(), "nothing");
  await kept.set("one");
  assert.equal(await new Kept(path, "nothing", unexpected).get(), "one");
  assert.deepEqual(readdirSync(join(path, "..")), ["kept.json"]);
});

inFolder("of many values at once the last stays", async (path) => {
  const kept = new Kept(path, 0, unexpected);
  await Promise.all([1, 2, 3, 4, 5].map((value) => kept.set(value)));
  assert.equal(await kept.get(), 5);
  assert.equal(await new Kept(path, 0, unexpected).get(), 5);
});

inFolder("a file that is damaged or can't be written keeps nobody from working", async (path) => {
  const problems: string[] = [];
  writeFileSync(join(path, "..", "..", "deep"), "no folder");
  const kept = new Kept(path, "nothing", (problem) => { problems.push(problem); });
  await kept.set("one");
  assert.equal(await kept.get(), "one");
  assert.equal(problems.length, 1);
  assert.ok(problems[0]?.startsWith(`${path} can't be written: `), problems[0]);
  const damaged = join(path, "..", "..", "damaged.json");
  writeFileSync(damaged, '{"te');
  assert.equal(await new Kept(damaged, "nothing", unexpected).get(), "nothing");
});
