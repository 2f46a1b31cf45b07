// The extension as code-server installs it, done once for each VSIX, and those of the workbench's own that it works with.
import { createHash } from "node:crypto";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

import { keep } from "./kept.mjs";
import { output, rigParts } from "./rig.mjs";

// Themes, and what files of the scenarios are written in. Each window and extension host reads the manifests of all that are there.
const WORKBENCH_EXTENSIONS = [
  "css",
  "css-language-features",
  "diff",
  "html",
  "javascript",
  "json",
  "json-language-features",
  "markdown-basics",
  "markdown-language-features",
  "python",
  "shellscript",
  "theme-defaults",
  "theme-seti",
  "typescript-basics",
  "typescript-language-features",
  "yaml",
];
const WHAT_THEY_SHARE = "node_modules";

/** Fills the folder `into` with what `install(folder)` makes of a VSIX in an empty one. */
export async function putExtension(vsix, into, install) {
  const installed = join(output, "extensions", createHash("sha256").update(readFileSync(vsix)).digest("hex"));
  await keep(installed, install);
  cpSync(installed, into, { recursive: true });
}

/** The folder with the workbench's extensions, and `more`, which are folders, too. */
export async function workbenchExtensions(more = []) {
  const folders = [...[...WORKBENCH_EXTENSIONS, WHAT_THEY_SHARE].map((name) => join(rigParts().vscodeExtensions, name)), ...more];
  const linked = join(output, "workbench-extensions", createHash("sha256").update(folders.join()).digest("hex"));
  await keep(linked, (into) => folders.forEach((folder) => symlinkSync(folder, join(into, basename(folder)))));
  return linked;
}
