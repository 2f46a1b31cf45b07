// A VS Code window in Chromium, by what a person does and sees in it.
// Texts: a string is looked for with its case and anywhere in what is shown; give a regular expression for more.
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startBrowser } from "./browser.mjs";
import { areTabsKept, reportErrors, reportFlashes, stopIcons } from "./in_page.mjs";
import { START_LIMIT_MS, STEP_LIMIT_MS, TRY_LIMIT_MS } from "./limits.mjs";
import { outsideHosts } from "./network.mjs";
import { exactly, inLine, looks, spaces, tidy } from "./texts.mjs";

const KEY_DELAY_MS = 30;

/** Opens `workspace` at `url` in a new browser whose files are in `folder`; screenshots go to `pictures`. */
export async function openWorkbench({ url, workspace, folder, pictures }) {
  const browser = await startBrowser(url, folder);
  try {
    const bench = new Workbench(browser, pictures);
    const kind = workspace.endsWith(".code-workspace") ? "workspace" : "folder";
    await bench.start(`${browser.url}/?${kind}=${encodeURIComponent(workspace)}`);
    return bench;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

class Workbench {
  #browser;
  #pictures;
  #pictureCount = 0;
  #url = "";
  #errors = [];
  #flashes = [];
  #outsideHosts;
  #consoleErrors = [];

  constructor(browser, pictures, page = browser.context.pages()[0]) {
    this.#browser = browser;
    this.#outsideHosts = outsideHosts(browser.context);
    this.#pictures = pictures;
    this.page = page;
  }

  /** Another window on the same workspace, with an extension host and a language server of its own. */
  async openWindow() {
    const other = new Workbench(this.#browser, join(this.#pictures, "other"), await this.#browser.context.newPage());
    await other.start(this.#url);
    return other;
  }

  async start(url) {
    this.#url = url;
    const page = this.page;
    page.setDefaultTimeout(STEP_LIMIT_MS);
    page.on("console", (message) => {
      if (message.type() === "error") this.#consoleErrors.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#consoleErrors.push(error.stack ?? String(error)));
    await page.exposeFunction("reportError", (text) => this.#errors.push(tidy(text)));
    await page.exposeFunction("reportFlash", (flash) => this.#flashes.push(flash));
    await page.addInitScript(reportErrors);
    await page.addInitScript(reportFlashes);
    await page.addInitScript(stopIcons);
    await page.goto(url, { timeout: START_LIMIT_MS });
    await page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: START_LIMIT_MS });
  }

  /** Loads the window again, as a person does whose connection was lost. */
  async reload() {
    await this.waitUntil(() => this.page.evaluate(areTabsKept), "VS Code has kept which tabs are open");
    await this.page.reload({ timeout: START_LIMIT_MS });
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: START_LIMIT_MS });
  }

  close() {
    return this.#browser.close();
  }

  // ---- what is asked -------------------------------------------------------------------------------------------

  /** Answers the dialog that a folder opened for the first time brings. */
  async trustFolder(yes = true) {
    await this.clickDialogButton(/Do you trust/, yes ? /^Yes, I trust/ : /^No, I don/);
  }

  /** The modal dialog that says `text`. */
  dialog(text) {
    return this.page.locator(".monaco-dialog-box", { hasText: exactly(text) });
  }

  async clickDialogButton(text, button) {
    const dialog = this.dialog(text);
    await dialog.getByRole("button", { name: exactly(button) }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** The notification that says `text`. */
  notification(text) {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: exactly(text) }).first();
  }

  async clickNotificationButton(text, button) {
    const notification = this.notification(text);
    await notification.getByRole("button", { name: exactly(button) }).click();
  }

  /** Closes a notification without choosing anything in it. */
  async dismissNotification(text) {
    const notification = this.notification(text);
    await notification.hover();
    await notification.locator(".codicon-notifications-clear").click();
    await notification.waitFor({ state: "detached" });
  }

  /** The buttons of a notification, in order. */
  async notificationButtons(text) {
    const notification = this.notification(text);
    await notification.waitFor();
    return (await notification.locator(".notification-list-item-buttons-container .monaco-button").allInnerTexts()).map(tidy);
  }

  /** A dialog or a notification, whichever comes first, and a click on its button. */
  async clickButton(text, button) {
    const asked = this.dialog(text).or(this.notification(text)).first();
    await asked.getByRole("button", { name: exactly(button) }).click();
    await asked.waitFor({ state: "detached" });
  }

  /** Waits for `goal`, and clicks `button` once if a dialog or a notification asks for it meanwhile. */
  async confirmUntil(button, goal, limit = STEP_LIMIT_MS) {
    const confirmation = this.page
      .locator(".monaco-dialog-box, .notifications-toasts .notification-list-item")
      .getByRole("button", { name: exactly(button) });
    await goal.or(confirmation).first().waitFor({ timeout: limit });
    if (await goal.isVisible()) return;
    await confirmation.first().click();
    await goal.waitFor({ timeout: limit });
  }

  /** Runs a command by the title that F1 shows for it. A document that opens meanwhile takes the focus, and closes the palette. */
  async palette(label) {
    const [alone, withDetails] = [JSON.stringify(label), JSON.stringify(`${label},`)];
    // what Enter takes: the list of everything, which is there until the filtered one is, has it too
    const row = `.quick-input-list .monaco-list-row.focused:is([aria-label=${alone}], [aria-label^=${withDetails}])`;
    for (let tries = 3; ; tries -= 1) {
      const timeout = tries > 1 ? 2 * TRY_LIMIT_MS : STEP_LIMIT_MS;
      try {
        await this.page.keyboard.press("F1");
        await this.#quickInput().fill(`>${label}`, { timeout });
        await this.page.locator(row).first().waitFor({ timeout });
        await this.#quickInput().press("Enter", { timeout }); // never into what has the focus where the palette is gone
        break;
      } catch (error) {
        if (tries === 1) throw error;
      }
    }
    // the command may well open a quick input of its own: only the palette has to be gone
    await this.page.waitForFunction(
      (typed) => document.querySelector('.quick-input-widget:not([style*="display: none"]) input[type="text"]')?.value !== typed,
      `>${label}`,
    );
  }

  /** Chooses a row of an open list; `filter` is typed first, where the list is long. */
  async quickPick(label, filter = "", limit = STEP_LIMIT_MS) {
    if (filter) await this.#quickInput().fill(filter, { timeout: limit });
    await this.page
      .locator(".quick-input-widget:visible .quick-input-list .monaco-list-row", { hasText: exactly(label) })
      .first()
      .click({ timeout: limit });
  }

  /** Types a value into the open input box with that title, accepts it, and waits for the box to close. */
  async inputBox(value, title) {
    const box = this.page.locator(".quick-input-widget:visible", { hasText: exactly(title) });
    await box.waitFor();
    await this.#quickInput().fill(value);
    await this.#quickInput().press("Enter");
    // it may be checked first, and what is opened meanwhile is closed with it
    await box.waitFor({ state: "detached" });
  }

  #quickInput() {
    return this.page.locator('.quick-input-widget:visible input:is([type="text"], [type="password"])');
  }

  // ---- editors -------------------------------------------------------------------------------------------------

  /** Opens a file of the workspace by its relative path; `beside` puts it into a group at the right. */
  async openFile(path, { beside = false } = {}) {
    await this.page.keyboard.press("Control+P");
    await this.#quickInput().fill(path);
    await this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${basename(path)}"]`).first().waitFor();
    await this.#quickInput().press(beside ? "Control+Enter" : "Enter");
    await this.#tab(path).waitFor();
    await this.#group(path).locator(".monaco-editor .view-line").first().waitFor();
  }

  /** Gives the keyboard to the editor that shows `path`. */
  async focus(path) {
    await this.#group(path).locator(".monaco-editor .view-line").first().click();
  }

  /** Puts the cursor behind the line in view that holds `text`; again where a lens moved the line away under the click. */
  async goToEndOf(path, text) {
    const line = this.#group(path).locator(".monaco-editor .view-line", { hasText: inLine(text) }).first();
    const cursor = this.#group(path).locator(".cursors-layer .cursor").first();
    await this.waitUntil(async () => {
      await line.click();
      await this.press("End");
      const [at, wanted] = await Promise.all([cursor.boundingBox(), line.boundingBox()]);
      return at !== null && wanted !== null && Math.abs(at.y - wanted.y) < wanted.height / 2;
    }, `the cursor is in the line with ${text}`);
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types text key by key, with whatever the editor makes of it. */
  async type(text, delay = KEY_DELAY_MS) {
    await this.page.keyboard.type(text, { delay });
  }

  /** Types text where the cursor is, with no help from the editor such as closing brackets. */
  async insert(text) {
    await this.page.keyboard.insertText(text);
  }

  async save(path) {
    await this.focus(path);
    await this.page.keyboard.press("Control+S");
    await this.waitUntil(async () => !(await this.isDirty(path)), `${path} is saved`);
  }

  async closeTab(path) {
    await this.#tab(path).hover();
    await this.#tab(path).locator(".tab-actions a").click();
    await this.waitForNoTab(path);
  }

  async waitForNoTab(path) {
    await this.#tab(path).waitFor({ state: "detached" });
  }

  async isDirty(path) {
    return (await this.#tab(path).and(this.page.locator(".dirty")).count()) > 0;
  }

  /** What the editor of `path` shows: the lines in view, not the whole of a long file. */
  async editorText(path) {
    const lines = await this.#group(path)
      .locator(".monaco-editor .view-lines")
      .first()
      .evaluate((view) =>
        [...view.querySelectorAll(".view-line")]
          .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
          .map((line) => line.textContent),
      );
    return lines.map(spaces).join("\n");
  }

  /** Waits for a difference in view whose newer side has a changed line that says `text`. */
  async waitForDifference(text) {
    await this.page.locator(".monaco-diff-editor .editor.modified .view-line", { hasText: inLine(text) }).first().waitFor();
    await this.page.locator(".monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert").first().waitFor();
  }

  async waitForNoDifference() {
    await this.page.locator(".monaco-diff-editor:visible").waitFor({ state: "detached" });
  }

  async waitForText(path, text, limit = STEP_LIMIT_MS) {
    await this.#see(path, text, limit, async () => exactly(text).test(await this.editorText(path)));
  }

  /** The titles of the lenses in view, top to bottom. */
  async lenses(path) {
    const found = this.#group(path).locator(".contentWidgets .codelens-decoration").locator("a, span:not(.codicon):not(:has(a))");
    const shown = await found.evaluateAll((parts) =>
      parts.map((part) => ({ text: part.textContent, ...part.getBoundingClientRect().toJSON() })).sort((a, b) => a.top - b.top || a.left - b.left),
    );
    return shown.map(({ text }) => tidy(text)).filter((title) => title && title !== "|");
  }

  async waitForLens(path, title, limit = STEP_LIMIT_MS) {
    await this.#lens(path, title).first().waitFor({ timeout: limit });
  }

  /** Waits for a lens, be it one that only tells something. */
  async waitForLensText(path, title, limit = STEP_LIMIT_MS) {
    await this.#see(path, title, limit, async () => (await this.lenses(path)).some((shown) => shown.startsWith(title)));
  }

  /** Waits for what is in an editor's view; where that is in vain, the error tells what is there. */
  async #see(path, wanted, limit, isSeen) {
    await this.waitUntil(isSeen, `${path} shows ${wanted}`, limit).catch(async ({ message }) => {
      throw new Error(`${message}, but\n${await this.editorText(path)}\n${(await this.lenses(path)).join(" | ")}`);
    });
  }

  /** Clicks a lens; `nth` counts from 0, top to bottom, where several have the title. */
  async clickLens(path, title, nth = 0) {
    await this.waitForLens(path, title);
    const found = this.#lens(path, title);
    const tops = await found.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    const order = tops.map((_, index) => index).sort((a, b) => tops[a] - tops[b]);
    await found.nth(order[nth]).click();
  }

  #lens(path, title) {
    return this.#group(path).locator(".contentWidgets .codelens-decoration a", { hasText: exactly(title) });
  }

  #tab(path) {
    return this.page.locator(`.tab.active[data-resource-name="${basename(path)}"]`).first();
  }

  #group(path) {
    return this.page.locator(`.editor-group-container:has(.tab.active[data-resource-name="${basename(path)}"])`).first();
  }

  // ---- what is seen --------------------------------------------------------------------------------------------

  /** The status bar's items, one a line, each as a screen reader has it. */
  async statusBarText() {
    const items = await this.page
      .locator(".part.statusbar .statusbar-item:visible .statusbar-item-label")
      .evaluateAll((labels) => labels.map((label) => label.getAttribute("aria-label") || label.innerText));
    return items.map(tidy).filter(Boolean).join("\n");
  }

  async waitForStatus(text, limit = STEP_LIMIT_MS) {
    await this.waitUntil(async () => exactly(text).test(await this.statusBarText()), `the status bar shows ${text}`, limit);
  }

  /** Waits for the message `text`, which the status bar shows for a while, and returns what it is drawn of; those before are over. */
  async waitForFlash(text) {
    const at = () => this.#flashes.findIndex((flash) => exactly(text).test(tidy(looks(flash.text))));
    await this.waitUntil(() => at() >= 0, `the status bar says ${text} for a while`);
    return this.#flashes.splice(0, at() + 1).pop().drawn;
  }

  /** Waits for a condition that no locator can express. */
  async waitUntil(isSo, what, limit = STEP_LIMIT_MS) {
    const start = Date.now();
    while (!(await isSo())) {
      const waited = Date.now() - start;
      if (waited > limit) throw new Error(`waited ${limit / 1000} s in vain until ${what}`);
      await sleep(Math.min(100 + waited / 10, 500)); // to ask costs the window as much as its work
    }
  }

  /** The errors in notifications and dialogs so far, also those that were shown only briefly. */
  get errors() {
    return [...this.#errors];
  }

  /** What the notifications say now, for whoever looks for the cause of a failure. */
  async notificationTexts() {
    return (await this.page.locator(".notifications-toasts .notification-list-item-message").allInnerTexts()).map(tidy);
  }

  /** Exactly these errors were shown, each named by a text in it. */
  assertErrors(expected) {
    const surplus = this.#errors.filter((shown) => !expected.some((text) => shown.includes(text)));
    const missing = expected.filter((text) => !this.#errors.some((shown) => shown.includes(text)));
    if (surplus.length > 0) throw new Error(`errors were shown:\n${surplus.join("\n")}`);
    if (missing.length > 0) throw new Error(`errors were not shown:\n${missing.join("\n")}`);
  }

  /** The window asked for nothing outside of this machine. */
  assertNoOutsideRequest() {
    if (this.#outsideHosts.length > 0) throw new Error(`requests left the machine: ${this.#outsideHosts.join(", ")}`);
  }

  /** Nothing of ours wrote an error to the console, in the window or in a view; the workbench has some of its own. */
  assertNoConsoleError() {
    const isModels = (text) => text.includes("[CHAT] extension request ERRORED"); // VS Code's word on a model that failed, for which planact asked
    const ours = this.#consoleErrors.filter((text) => /planact\.(planact|ui|chat)/.test(text) && !isModels(text));
    if (ours.length > 0) throw new Error(`the console has errors of ours:\n${ours.join("\n")}`);
  }

  /** Keeps a picture of the window, numbered in the order they are taken, where `PLANACT_PICTURES=all` asks for them. */
  async screenshot(name) {
    if (process.env.PLANACT_PICTURES === "all") await this.picture(name);
  }

  /** Keeps a picture of the window in any case. */
  async picture(name) {
    this.#pictureCount += 1;
    await this.page.screenshot({ path: join(this.#pictures, `${String(this.#pictureCount).padStart(2, "0")}-${name}.png`) });
  }
}
