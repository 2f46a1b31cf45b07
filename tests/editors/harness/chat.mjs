// The chat view, by what a person does and sees in it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { STEP_LIMIT_MS } from "./limits.mjs";
import { present, root } from "./rig.mjs";

/** Opens the side bar with the chat, which can be written in then. */
export async function openChat(bench) {
  const chat = await showChat(bench);
  await bench.waitUntil(() => chat.input.isEnabled(), "the chat can be written in");
  return chat;
}

/** Opens the side bar with the chat. */
export async function showChat(bench) {
  await bench.palette("Planact: Focus on Planact View");
  return chatInView(bench);
}

/** Waits for the chat, which comes into view by itself where a command needs an answer. */
export async function chatInView(bench) {
  const frame = bench.page.frameLocator('iframe.webview.ready[src*="purpose=webviewView"]').frameLocator("#active-frame");
  const chat = new Chat(bench, frame);
  await chat.input.waitFor({ timeout: STEP_LIMIT_MS });
  return chat;
}

class Chat {
  constructor(bench, frame) {
    this.bench = bench;
    this.frame = frame;
    this.input = frame.getByRole("textbox", { name: "Message" });
  }

  async write(text) {
    await this.input.fill(text);
  }

  async press(key) {
    await this.input.press(key);
  }

  /** Writes at the end as a person does, key by key. */
  async type(text) {
    await this.input.press("End");
    await this.input.pressSequentially(text);
  }

  /** Pastes a small red square. */
  async pastePicture() {
    await this.input.evaluate(pastePicture);
  }

  completion(text) {
    return this.frame.getByRole("option", { name: text });
  }

  /** What stands in the conversation, and not what is said of it to those who can't see. */
  said(text) {
    return this.frame.locator(".transcript").getByText(text);
  }

  /** The dock's card about a plan that waits. */
  plan(goal) {
    return card(this.frame.getByRole("region", { name: `Plan: ${goal}` }));
  }

  /** The plan where the conversation names it. */
  planLine(goal) {
    return this.frame.getByRole("button", { name: `Plan: ${goal}` });
  }

  /** The dock's card with that title. */
  card(title) {
    return card(this.frame.locator(".dock .card").filter({ has: this.frame.locator("h2", { hasText: title }) }));
  }

  /** The end of a run in the conversation. */
  run(goal) {
    return card(this.frame.getByRole("group", { name: `Run: ${goal}` }));
  }

  /** A step of a run in the conversation, by its words. */
  step(text) {
    return this.frame.locator(".step").filter({ has: this.frame.locator("h3", { hasText: text }) });
  }

  /** The line of a question that was answered. */
  answered(text) {
    return this.frame.locator(".answered").filter({ hasText: text });
  }

  /** Waits until it is shown in the colour theme of that name: a window begins in its last one, then reads its settings. */
  async waitForTheme(name) {
    await this.frame.locator(`body[data-vscode-theme-id=${JSON.stringify(name)}]`).waitFor({ state: "attached" });
  }

  /** A question by its words: in any case of letters, or by an expression, since cards beside it may have buttons of that name. */
  question(text) {
    return card(this.frame.locator(".dock .card").filter({ hasText: text }));
  }
}

function card(locator) {
  locator.button = (name) => locator.getByRole("button", { name });
  return locator;
}

/** What axe finds in the view that is serious or worse, one line each. */
export async function seriousFindings(chat) {
  const axe = readFileSync(present(join(root, "client-vscode", "node_modules", "axe-core", "axe.min.js"), "npm ci, in client-vscode"), "utf8");
  const { violations } = await chat.frame.locator("body").evaluate((_body, script) => {
    // the page's own policy allows no other script: this one comes from the debugger
    if (!globalThis.axe) (0, eval)(script);
    return globalThis.axe.run();
  }, axe);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

/** Runs in the view: what the browser does when somebody pastes a picture. */
async function pastePicture(field) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [24, 24];
  const brush = canvas.getContext("2d");
  brush.fillStyle = "red";
  brush.fillRect(0, 0, 24, 24);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([blob], "square.png", { type: "image/png" }));
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}
