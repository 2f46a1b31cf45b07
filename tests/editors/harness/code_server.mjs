// Runs the VS Code server that npm's code-server brings, with the workbench and extension hosts, on a loopback port, all its files in one folder.
import { execFile, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { putExtension, workbenchExtensions } from "./extension.mjs";
import { START_LIMIT_MS } from "./limits.mjs";
import { watched } from "./network.mjs";
import { endGroup, ownEnvironment, signalGroup } from "./processes.mjs";
import { output, rigParts } from "./rig.mjs";

// Quiet, and the same on every run: nothing asks, suggests, animates or looks for updates.
const USER_SETTINGS = {
  "security.workspace.trust.startupPrompt": "always",
  "security.workspace.trust.banner": "never",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.enableExperiments": false,
  "workbench.editor.useModal": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  // with false, as it was once called, each window would write the settings anew, at times amid another change of them
  "extensions.autoUpdate": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "files.autoSave": "off",
  "files.hotExit": "off",
  "editor.minimap.enabled": false,
  "editor.fontSize": 12,
  "editor.cursorBlinking": "solid",
  // what fits stays in view where a file is read again
  "editor.scrollBeyondLastLine": false,
  // looks through all processes of the machine again and again
  "remote.autoForwardPorts": false,
};

/**
 * Starts a server with one extension installed.
 * `machineSettings` is where settings of the extension belong: from the user's they are at times ignored by a remote window.
 * `path` is the PATH of the extension host, so of the language server too, `environment` more for both; `profile` what the login shell reads,
 * which it asks for more; `more` are folders of further extensions.
 * Returns `{ url, data, logs, network, storage, configure, configureUser, stop }`: `data` is where it keeps its files, `logs` are the paths worth keeping when a run fails, `network`
 * is what network.mjs reads, `storage` is where extensions keep their own files, `configure(machineSettings)` puts
 * other settings in place while the window is open, `configureUser(userSettings)` for when it is loaded again.
 */
export async function startCodeServer({ folder, vsix, userSettings = {}, machineSettings = {}, path, profile = "", environment = {}, more = [] }) {
  const parts = rigParts();
  const [data, extensions, home] = ["data", "extensions", "home"].map((name) => join(folder, name));
  for (const path of [join(data, "User"), join(data, "Machine"), extensions, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, ".profile"), profile);
  const configureUser = (settings) => {
    writeFileSync(join(data, "User", "settings.json"), JSON.stringify({ ...USER_SETTINGS, ...userSettings, ...settings }));
  };
  configureUser({});
  const configure = (settings) => { writeFileSync(join(data, "Machine", "settings.json"), JSON.stringify(settings)); };
  configure(machineSettings);

  const [log, network] = ["code-server.log", "network.log"].map((name) => join(folder, name));
  // an empty gallery keeps the workbench from asking one
  const env = { ...ownEnvironment(home, path), ...environment, EXTENSIONS_GALLERY: "{}", NODE_COMPILE_CACHE: join(output, "compiled") };
  const places = ["--user-data-dir", data, "--builtin-extensions-dir", await workbenchExtensions(more), "--extensions-dir"];
  const start = [parts.vscodeServer, ...places];
  await putExtension(vsix, extensions, async (into) => {
    await promisify(execFile)(parts.node, [...start, into, "--install-extension", vsix], { env, timeout: START_LIMIT_MS });
  });

  const quiet = ["--accept-server-license-terms", "--without-connection-token", "--telemetry-level", "off"];
  const child = spawn(...watched(network, parts.node, ...start, extensions, "--host", "127.0.0.1", "--port", "0", ...quiet), {
    env,
    cwd: home,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const endHard = () => signalGroup(child.pid, "SIGKILL");
  process.once("exit", endHard);
  const stop = async () => {
    await endGroup(child.pid);
    process.off("exit", endHard);
  };

  let printed = "";
  const file = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
      file.write(chunk);
    });
  }
  for (let waited = 0; waited < START_LIMIT_MS && child.exitCode === null; waited += 50) {
    const port = /Web UI available at http:\/\/localhost:(\d+)/.exec(printed)?.[1];
    if (port) {
      const logs = [log, network, join(data, "logs"), join(home, ".local", "state")];
      return { url: `http://127.0.0.1:${port}`, data, logs, network, storage: join(data, "User", "globalStorage"), configure, configureUser, stop };
    }
    await sleep(50);
  }
  await stop();
  throw new Error(`code-server did not start. It printed:\n${printed}`);
}
