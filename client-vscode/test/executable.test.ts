import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";

import { BadSetting, commandFromSetting, findOnPath } from "../src/executable";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "planact-"));
  for (const name of ["plain", "good"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "planact"), "");
  }
  mkdirSync(join(folder, "directory", "planact"), { recursive: true });
  chmodSync(join(folder, "good", "planact"), 0o755);
});
after(() => { rmSync(folder, { recursive: true }); });

test("a string is a program, a list is a whole command, and nothing is nothing", () => {
  const settings = ["/a b/planact", ["uv", "run", "planact", "serve"], "", [], undefined];
  assert.deepEqual(settings.map(commandFromSetting), [
    { command: "/a b/planact", args: ["serve"] },
    { command: "uv", args: ["run", "planact", "serve"] },
    undefined,
    undefined,
    undefined,
  ]);
});

test("a setting of another kind is refused", () => {
  for (const setting of [1, {}, ["planact", 1]]) assert.throws(() => commandFromSetting(setting), BadSetting);
});

test("the PATH is searched for a file that can be run", () => {
  const path = ["plain", "directory", "good"].map((name) => join(folder, name)).join(delimiter);
  assert.equal(findOnPath("planact", path, [""]), join(folder, "good", "planact"));
  assert.equal(findOnPath("other", path, [""]), undefined);
});

test("a relative entry of the PATH does not count, as it may lead into the workspace", () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    assert.equal(findOnPath("planact", ["good", "", "./good"].join(delimiter), [""]), undefined);
  } finally {
    process.chdir(before);
  }
});
