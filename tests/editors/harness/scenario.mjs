// One scenario = one test of Node's runner with its own server, browser, folders and, when it fails, its logs kept.
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";

import { startCodeServer } from "./code_server.mjs";
import { SCENARIO_LIMIT_MS } from "./limits.mjs";
import { outsideRequests } from "./network.mjs";
import { endLeftovers } from "./processes.mjs";
import { output } from "./rig.mjs";
import { openWorkbench } from "./workbench.mjs";
import { makeWorkspace } from "./workspace.mjs";

// A test that is ended from outside still ends what it started, in the "exit" handlers.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

/**
 * Runs `body(bench, workspace, code, part)` in a window on a fresh copy of a project; `code` is what startCodeServer gives. To start all
 * that costs as much as what most scenarios do, so those that need the same are parts of one: `await part(name, run)` is a test of its own.
 * `setup()` gives `{ vsix, project, files, beside, userSettings, machineSettings, path }`, see makeWorkspace and startCodeServer,
 * and `errors`: for each error that must be shown, in whatever order, a text in it. Any other fails the test. So does any request to
 * another machine, from whatever process of the window or of the server; where it `installs`, pip alone may ask the package index.
 */
export function scenario(name, setup, body, { limit = SCENARIO_LIMIT_MS } = {}) {
  test(name, { timeout: limit }, async (t) => {
    const kept = join(output, name.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
    rmSync(kept, { recursive: true, force: true });
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "planact-editors-")));
    try {
      await runIn(folder, kept, await setup(), (...given) => body(...given, partsOf(t)));
    } finally {
      const left = await endLeftovers(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      if (left.length > 0) throw new Error(`processes were left running:\n${left.join("\n")}`);
    }
  });
}

/** A part that fails ends the scenario, since the next begins with what it leaves. */
function partsOf(t) {
  return async (name, run) => {
    let failed;
    await t.test(name, async () => {
      await run().catch((error) => { throw (failed = error); });
    });
    if (failed) throw failed;
  };
}

async function runIn(folder, kept, { project, files, beside, errors = [], installs = false, ...server }, body) {
  const workspace = makeWorkspace(folder, project, files, beside);
  const code = await startCodeServer({ folder, ...server });
  let bench;
  try {
    bench = await openWorkbench({ url: code.url, workspace: workspace.opened, folder, pictures: kept });
    await body(bench, workspace, code);
    bench.assertErrors(errors);
    bench.assertNoOutsideRequest();
    bench.assertNoConsoleError();
    await bench.close();
    await code.stop();
    assertOnlyLoopback(code.network, installs);
  } catch (error) {
    await bench?.picture("failure").catch(() => {});
    keepLogs(code.logs, kept);
    throw new Error([error.message, ...(await shownBy(bench)), `Pictures and logs: ${kept}`].join("\n"), { cause: error });
  } finally {
    await bench?.close();
    await code.stop();
  }
}

/** What the window showed of errors so far, and what it shows now of notifications and in the status bar. */
async function shownBy(bench) {
  if (!bench) return [];
  const now = await Promise.all([bench.notificationTexts(), bench.statusBarText()]).catch(() => [[], ""]);
  return [...bench.errors.map((text) => `Error shown: ${text}`), ...now[0].map((text) => `Notification: ${text}`), `Status bar: ${now[1].replaceAll("\n", " | ")}`];
}

function assertOnlyLoopback(network, installs) {
  const found = outsideRequests(network).filter(({ command }) => !(installs && / -m pip /.test(command)));
  if (found.length > 0) throw new Error(`requests left the machine:\n${found.map(({ command, to }) => `${to}, by ${command}`).join("\n")}`);
}

function keepLogs(logs, kept) {
  mkdirSync(join(kept, "logs"), { recursive: true });
  for (const log of logs.filter(existsSync)) cpSync(log, join(kept, "logs", basename(log)), { recursive: true });
}
