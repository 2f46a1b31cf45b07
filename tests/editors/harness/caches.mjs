// What Chromium keeps of the workbench's files, and of its scripts as they were compiled: by the first scenario, for all others.
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { keep } from "./kept.mjs";
import { editors, output, rigParts } from "./rig.mjs";

const CACHES = [join("Default", "Cache"), join("Default", "Code Cache")];

// A script is compiled for later at once, and not only when it was loaded before.
const COMPILE_AT_ONCE = "--blink-settings=v8CacheOptions=3";

/**
 * Gives a new profile the caches of an earlier one with the same flags. Returns `{ flags, keepCaches }`: the browser's flags for that, and what keeps
 * the profile's caches once its browser has ended, where none are kept.
 */
export function putCaches(profile, given) {
  const kept = join(output, "caches", version(given));
  if (existsSync(kept)) {
    for (const name of CACHES) cpSync(join(kept, name), join(profile, name), { recursive: true });
    return { flags: [], keepCaches: async () => {} };
  }
  const copy = (folder) => CACHES.forEach((name) => cpSync(join(profile, name), join(folder, name), { recursive: true }));
  return { flags: [COMPILE_AT_ONCE], keepCaches: () => keep(kept, copy) };
}

/** Of the browser, of its flags and of VS Code, and so of all that the caches hold. */
function version(flags) {
  const { chromium, vscodeServer } = rigParts();
  const { mtimeMs, size } = statSync(chromium);
  const lock = readFileSync(join(editors, "package-lock.json"));
  return createHash("sha256").update(lock).update([mtimeMs, size, vscodeServer, ...flags].join()).digest("hex");
}
