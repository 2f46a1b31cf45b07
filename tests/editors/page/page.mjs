// The chat's page alone in Chromium, in the colours of a theme, with an extension that answers from a state that the test gives.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { playwright, present, rigParts, root } from "../harness/rig.mjs";

const dist = join(root, "client-vscode", "dist");
const themes = JSON.parse(readFileSync(new URL("themes.json", import.meta.url), "utf8"));

export const THEMES = Object.keys(themes);

/** A browser whose `open(state, theme, width, height)` gives the page in a state; `close()` ends it. */
export async function openBrowser() {
  const { chromium } = playwright();
  const browser = await chromium.launch({ executablePath: rigParts().chromium, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
  return { open: (state, look) => openPage(browser, state, look), close: () => browser.close() };
}

async function openPage(browser, state, { theme = "light", width = 300, height = 694 } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.stack ?? String(error)));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  await page.route("http://page/**", async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === "") await route.fulfill({ contentType: "text/html", body: html(themes[theme]) });
    else await route.fulfill({ path: present(join(dist, name), "npm run build, in client-vscode") });
  });
  await page.addInitScript(playExtension, state);
  await page.goto("http://page/");
  await page.locator(".composer textarea").waitFor();
  await page.waitForFunction(() => globalThis.extension.isQuiet());
  return { page, faults, calls: () => page.evaluate(() => globalThis.extension.calls), tell: (message) => page.evaluate((told) => globalThis.extension.tell(told), message) };
}

function html({ class: kind, colours }) {
  const style = Object.entries(colours).map(([name, value]) => `${name}: ${value};`).join(" ").replaceAll('"', "'");
  const policy = "default-src 'none'; script-src 'nonce-n'; style-src http://page 'unsafe-inline'; img-src data:";
  return `<!DOCTYPE html><html lang="en" style="${style}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Planact</title><link rel="stylesheet" href="/chat.css"></head><body class="${kind}"><main id="root"></main><script type="module" nonce="n" src="/chat.js"></script></body></html>`;
}

/** Runs in the page: what `acquireVsCodeApi` gives, and an extension behind it. */
function playExtension(state) {
  const calls = [];
  let lastCall = performance.now();
  const tell = (message) => { window.dispatchEvent(new MessageEvent("message", { data: message })); };
  const plan = (uri, id) => Object.values(state.plans ?? {}).find((each) => each.uri === uri || each.plan.id === id);
  const answers = {
    "editor/draft": () => state.draft ?? { text: "", images: [], answers: {} },
    "editor/folder": () => "file:///shop",
    "editor/findFiles": () => ["src/shop/cart.py", "src/"],
    "planact.showStatus": () => state.status,
    "planact.listQuestions": () => ({ questions: state.questions ?? [] }),
    "planact/transcript": ({ before }) => {
      const all = state.messages ?? [];
      const end = before ? all.findIndex(({ id }) => id === before) : all.length;
      const begin = Math.max(0, end - (state.page ?? 50));
      return { session_id: state.status.session?.id ?? "", messages: all.slice(begin, end), has_earlier: begin > 0 };
    },
    "planact.showPlan": ({ uri, plan_id: id }) => plan(uri, id),
    "planact.showExecution": ({ execution_id: id }) => state.executions?.[id],
    "planact.listSessions": () => ({ sessions: state.sessions ?? [] }),
  };
  let kept = state.kept;
  globalThis.acquireVsCodeApi = () => ({
    getState: () => kept,
    setState: (next) => { kept = next; },
    postMessage: (message) => {
      lastCall = performance.now();
      if (message.kind === "ready") {
        setTimeout(() => {
          tell({ kind: "condition", ...(state.server ?? { condition: "running" }) });
          tell({ kind: "surroundings", path: "", problems: 0, plans: [], isEmpty: false, ...state.surroundings });
        });
        return;
      }
      const { id, name, arguments: args } = message;
      calls.push({ name, args });
      setTimeout(() => {
        const refusal = state.refusals?.[name];
        if (refusal) tell({ kind: "failed", id, ...refusal });
        else tell({ kind: "done", id, result: answers[name]?.(args) ?? null });
        lastCall = performance.now();
        if (name === "planact/transcript" && !args.before) for (const each of state.later ?? []) tell(each);
      });
    },
  });
  globalThis.extension = { calls, tell, isQuiet: () => performance.now() - lastCall > 250 };
}
