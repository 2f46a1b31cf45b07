// Makes planact.vsix. It carries the server (wheel and hashed requirements) when `make wheel` has built one, and the pages for
// users, whose links are turned to where they are in it. What is named here is in it, and nothing else.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { writePages } from "./pages.mjs";

const PACKED = ["package.json", "README.md", "LICENSE", "NOTICE", "language-configuration.json", "bundled", "dist", "docs/images", "icons", "syntaxes", "walkthrough"];

const client = join(import.meta.dirname, "..");
const root = join(client, "..");
const packed = join(client, "out", "package");
const bundled = join(client, "bundled");
const built = join(root, "dist");

rmSync(bundled, { recursive: true, force: true });
const wheels = existsSync(built) ? readdirSync(built).filter((name) => /^planact-.*\.whl$/.test(name)) : [];
if (wheels.length > 1) throw new Error(`More than one wheel in dist/: ${wheels.join(", ")}. Run make wheel.`);
for (const wheel of wheels) {
  mkdirSync(bundled);
  copyFileSync(join(built, wheel), join(bundled, wheel));
  copyFileSync(join(root, "requirements.txt"), join(bundled, "requirements.txt"));
}
for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(root, name), join(client, name));

rmSync(packed, { recursive: true, force: true });
for (const name of PACKED.filter((name) => existsSync(join(client, name)))) cpSync(join(client, name), join(packed, name), { recursive: true });
writePages(root, packed);
writeFileSync(join(packed, ".vscodeignore"), ""); // there is nothing to leave out

const vsce = join(client, "node_modules", "@vscode", "vsce", "vsce");
const options = ["package", "--no-dependencies", "--allow-missing-repository", "--out", join(client, "planact.vsix")];
execFileSync(process.execPath, [vsce, ...options], { cwd: packed, stdio: ["ignore", "ignore", "inherit"] });
console.log(`planact.vsix ${wheels.length ? `with ${wheels[0]}` : "without a server, as dist/ has no wheel"}`);
