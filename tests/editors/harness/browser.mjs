// Chromium for the windows of a scenario, with a profile of its own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { putCaches } from "./caches.mjs";
import { START_LIMIT_MS } from "./limits.mjs";
import { workbenchAt } from "./network.mjs";
import { ownEnvironment } from "./processes.mjs";
import { playwright, rigParts } from "./rig.mjs";

// What Chromium needn't do: show its own bar for addresses, in pages of their own, and load files in a way that doesn't find in time
// what was compiled of scripts as long as the workbench's.
const COSTLY = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "BackgroundResourceFetch"];

// Of several lists Chromium takes the last, so what Playwright would disable is here, too.
const DISABLED_FEATURES = [
  ...COSTLY,
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** Flags of each Chromium of the tests. */
export const CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", `--disable-features=${DISABLED_FEATURES.join()}`];

const FLAGS = [
  ...CHROMIUM_FLAGS,
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // a window's life is short: memory in MB that is filled before it is looked through for what is still needed
  "--js-flags=--min-semi-space-size=32",
];

/**
 * Starts a browser for windows of the server at `server`, with its files in `folder`. Returns `{ context, url, close }`: Playwright's
 * context, the windows' URL, and what ends the browser.
 */
export async function startBrowser(server, folder) {
  const home = join(folder, "browser");
  mkdirSync(home, { recursive: true });
  const profile = join(home, "profile");
  const { flags, keepCaches } = putCaches(profile, FLAGS);
  // routing each request through the test would keep them inside, too, but makes the browser load all files again for each window
  const { url, flag } = workbenchAt(server);
  const { chromium } = playwright();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: rigParts().chromium,
    headless: true,
    viewport: { width: 1500, height: 1000 },
    // code-server would compress each file anew for each window
    extraHTTPHeaders: { "accept-encoding": "identity" },
    args: [...FLAGS, ...flags, flag],
    env: ownEnvironment(home),
    timeout: START_LIMIT_MS,
  });
  const close = async () => {
    await context.close();
    await keepCaches();
  };
  return { context, url, close };
}
