// The chat's page alone in Chromium, in the colours of a theme, with an extension that answers from a state that the test gives.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";

import { CHROMIUM_FLAGS } from "../harness/browser.mjs";
import { playwright, present, rigParts, root } from "../harness/rig.mjs";

const dist = present(join(root, "client-vscode", "dist"), "npm run build, in client-vscode");
const TYPES = { ".css": "text/css", ".js": "text/javascript" };
const themes = JSON.parse(readFileSync(new URL("themes.json", import.meta.url), "utf8"));

export const THEMES = Object.keys(themes);

/**
 * A browser whose `open(state, { theme, width, height })` gives the page in a state, in place of the one before: what was loaded and
 * compiled for that is used again. `close()` ends it.
 */
export async function openBrowser() {
  let shown; // { state, theme, faults }
  const server = createServer((request, response) => answer(request, response, shown));
  await new Promise((done) => { server.listen(0, "127.0.0.1", done); });
  const { chromium } = playwright();
  const browser = await chromium.launch({ executablePath: rigParts().chromium, headless: true, args: CHROMIUM_FLAGS });
  const page = await browser.newPage({ reducedMotion: "reduce" });
  page.on("pageerror", (error) => shown.faults.push(error.stack ?? String(error)));
  page.on("console", (message) => { if (message.type() === "error") shown.faults.push(message.text()); });
  const open = async (state, { theme = "light", width = 300, height = 694 } = {}) => {
    await page.goto("about:blank");
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height });
    shown = { state, theme, faults: [] };
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.locator(".composer textarea").waitFor();
    await page.waitForFunction(() => globalThis.extension.isQuiet());
    return { page, faults: shown.faults, calls: () => page.evaluate(() => globalThis.extension.calls), tell: (message) => page.evaluate((told) => globalThis.extension.tell(told), message) };
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { open, close };
}

/** Serves the page in what is shown, and the files that the client's build made. */
function answer(request, response, { state, theme }) {
  const { pathname, origin } = new URL(request.url, `http://${request.headers.host}`);
  if (pathname === "/") return response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end(html(themes[theme], state, origin));
  const file = join(dist, basename(pathname));
  if (!existsSync(file)) return response.writeHead(404).end();
  return response.writeHead(200, { "content-type": TYPES[extname(file)], "cache-control": "max-age=3600" }).end(readFileSync(file));
}

function html({ class: kind, colours }, state, origin) {
  const style = Object.entries(colours).map(([name, value]) => `${name}: ${value};`).join(" ").replaceAll('"', "'");
  const policy = `default-src 'none'; script-src 'nonce-n'; style-src ${origin} 'unsafe-inline'; img-src data:`;
  const extension = `(${playExtension})(${JSON.stringify(state).replaceAll("<", "\\u003c")});`;
  return `<!DOCTYPE html><html lang="en" style="${style}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Planact</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/chat.css"></head><body class="${kind}"><main id="root"></main><script nonce="n">${extension}</script><script type="module" nonce="n" src="/chat.js"></script></body></html>`;
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
