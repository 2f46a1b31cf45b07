// What is made once in tests/editors/.output and copied for every scenario, which saves seconds of each.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Makes the folder `kept` by `fill(folder)` in an empty one beside it, unless it is there, by another test meanwhile, too. */
export async function keep(kept, fill) {
  if (existsSync(kept)) return;
  mkdirSync(dirname(kept), { recursive: true });
  const folder = mkdtempSync(`${kept}-new-`);
  await fill(folder);
  try {
    renameSync(folder, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error; // else another test was first
    rmSync(folder, { recursive: true });
  }
}
