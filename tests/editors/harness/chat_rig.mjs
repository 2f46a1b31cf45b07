// What the chat's own scenarios begin with, and the side bar's width.
import { join } from "node:path";

import { chatInView, openChat } from "./chat.mjs";
import { RUN_LIMIT_MS } from "./limits.mjs";
import { setup, words } from "./rename.mjs";
import { editors } from "./rig.mjs";

export const CHAT_MODEL = `scripted:${join(editors, "chat.yaml")}`;

/** The sample project, and a model that plays `chat.yaml`. */
export function chatSetup(settings = {}) {
  return setup({ "planact.model": CHAT_MODEL, "planact.models": { [CHAT_MODEL]: { contextTokens: 20_000 } }, ...settings });
}

/** Trusts the folder and opens the chat. */
export async function begin(bench) {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  return openChat(bench);
}

/** Says something, and leaves it to the caller what to wait for. */
export async function say(chat, text) {
  await chat.write(text);
  await chat.press("Enter");
}

/** Makes a plan of a rename in the chat. */
export async function planInChat(chat) {
  await say(chat, words.request.trim());
  await chat.plan(words.chat.goal).waitFor({ timeout: RUN_LIMIT_MS });
  return chat.plan(words.chat.goal);
}

/** Makes the side bar so many pixels wide, by its edge. */
export async function widenSideBar(bench, width) {
  const bar = await bench.page.locator(".part.sidebar").boundingBox();
  const [x, y] = [bar.x + bar.width, bar.y + bar.height / 2];
  await bench.page.mouse.move(x, y);
  await bench.page.mouse.down();
  await bench.page.mouse.move(bar.x + width, y, { steps: 5 });
  await bench.page.mouse.up();
  await bench.waitUntil(async () => Math.abs((await bench.page.locator(".part.sidebar").boundingBox()).width - width) < 12, `the side bar is ${width} px wide`);
}

/** Begins a session, and waits until it is shown and has the keyboard: it would take that, and what is written, from what is done sooner. */
export async function newSession(bench) {
  await bench.palette("Planact: New Session");
  const chat = await chatInView(bench);
  await chat.frame.getByPlaceholder("Ask or plan; @ files").waitFor();
  await bench.waitUntil(() => chat.input.evaluate((input) => input === document.activeElement), "the new session is written in");
  await bench.waitUntil(() => bench.page.evaluate(() => document.activeElement?.tagName === "IFRAME"), "the new session has the keyboard");
}

/** Goes on with a session by its title, or presses one of its buttons in the list. */
export async function inSessions(bench, title, button = "") {
  await bench.palette("Planact: Sessions…");
  if (!button) return bench.quickPick(title);
  const row = bench.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row", { hasText: title }).first();
  await row.hover();
  return row.getByRole("button", { name: button }).click();
}
