// The extension as code-server installs it: done once for each VSIX.
import { createHash } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { keep } from "./kept.mjs";
import { output } from "./rig.mjs";

/** Fills the folder `into` with what `install(folder)` makes of a VSIX in an empty one. */
export async function putExtension(vsix, into, install) {
  const installed = join(output, "extensions", createHash("sha256").update(readFileSync(vsix)).digest("hex"));
  await keep(installed, install);
  cpSync(installed, into, { recursive: true });
}
