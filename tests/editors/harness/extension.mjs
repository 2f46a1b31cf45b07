// The extension as code-server installs it: done once for each VSIX, and copied for every scenario, which saves seconds of each.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { output } from "./rig.mjs";

const kept = join(output, "extensions");

/** Fills the folder `into` with what `install(folder)` makes of a VSIX in an empty one. */
export async function putExtension(vsix, into, install) {
  const installed = join(kept, createHash("sha256").update(readFileSync(vsix)).digest("hex"));
  if (!existsSync(installed)) {
    mkdirSync(kept, { recursive: true });
    const folder = mkdtempSync(join(kept, "new-"));
    await install(folder);
    try {
      renameSync(folder, installed);
    } catch (error) {
      if (!existsSync(installed)) throw error; // else another test was first
      rmSync(folder, { recursive: true });
    }
  }
  cpSync(installed, into, { recursive: true });
}
