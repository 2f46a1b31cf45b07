// Makes planact.vsix. It carries the server (wheel and hashed requirements) when `make wheel` has built one.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const client = join(import.meta.dirname, "..");
const root = join(client, "..");
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
copyFileSync(join(root, "LICENSE"), join(client, "LICENSE"));

const vsce = join(client, "node_modules", "@vscode", "vsce", "vsce");
const options = ["package", "--no-dependencies", "--allow-missing-repository", "--out", "planact.vsix"];
execFileSync(process.execPath, [vsce, ...options], { cwd: client, stdio: ["ignore", "ignore", "inherit"] });
console.log(`planact.vsix ${wheels.length ? `with ${wheels[0]}` : "without a server, as dist/ has no wheel"}`);
