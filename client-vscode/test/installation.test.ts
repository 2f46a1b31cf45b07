import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Installation } from "../src/installation";

function carried(folder: string, wheel: string): Installation {
  const bundled = join(folder, "bundled");
  rmSync(bundled, { recursive: true, force: true });
  mkdirSync(bundled);
  writeFileSync(join(bundled, "planact-1.0-py3-none-any.whl"), wheel);
  writeFileSync(join(bundled, "requirements.txt"), "");
  return new Installation(bundled, join(folder, "server"), () => undefined);
}

/** As an installation that went to its end leaves it. */
function installed(folder: string, name: string): void {
  mkdirSync(join(folder, "server", name), { recursive: true });
  writeFileSync(join(folder, "server", name, "installed"), "");
}

test("what another version of the extension installed is out of date, and nothing else is", () => {
  const folder = mkdtempSync(join(tmpdir(), "planact-installation-"));
  try {
    assert.equal(carried(folder, "one").isOutdated, false, "nothing was installed yet");
    installed(folder, "0123456789abcdef");
    const now = carried(folder, "two");
    assert.deepEqual([now.executable(), now.isOutdated], [undefined, true]);
    assert.deepEqual(readdirSync(join(folder, "server")), ["0123456789abcdef"], "looking changes nothing");
    const without = new Installation(join(folder, "nowhere"), join(folder, "server"), () => undefined);
    assert.deepEqual([without.isPossible, without.isOutdated], [false, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
