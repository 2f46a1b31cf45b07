// The chat's page in every state: what it says, and that all of it fits and can be used. One theme and width here; the whole grid with
// PLANACT_STATES=all, as `make soak` sets it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { misfits } from "./harness/fits.mjs";
import { openBrowser, THEMES } from "./page/page.mjs";
import { longSession, STATES } from "./page/states.mjs";
import { present, root } from "./harness/rig.mjs";

const GRID = process.env.PLANACT_STATES === "all" ? THEMES.flatMap((theme) => [300, 400].map((width) => ({ theme, width }))) : [{ theme: "light", width: 300 }];
const LOW = 420;
const axe = readFileSync(present(join(root, "client-vscode", "node_modules", "axe-core", "axe.min.js"), "npm ci, in client-vscode"), "utf8");

const shown = new Set(); // kinds of the cards that were seen
let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser.close());

for (const look of GRID) {
  for (const [name, { sees, ...state }] of Object.entries(STATES)) {
    test(`${name}, ${look.theme}, ${look.width} px: it says what it is, fits, and axe finds nothing`, async () => {
      const { page, faults } = await browser.open(state, { ...look, height: LOW });
      if (state.opened) await page.locator(".step .fold", { hasText: state.opened }).click();
      await seen(page, sees);
      await noteCard(page);
      assert.deepEqual(await page.evaluate(misfits), []);
      assert.deepEqual(await page.locator(".card .context pre:not(:has(.difference))").evaluateAll((texts) => texts.filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.innerText)), [], "commands and outputs in a card are seen whole");
      assert.ok((await page.locator(".primary:not(.chevron)").count()) <= 1, "one filled button at most");
      assert.equal(await page.locator(".transcript .primary").count(), 0, "the conversation has none");
      assert.deepEqual(await findings(page), []);
      assert.deepEqual(faults, []);
    });
  }
}

async function noteCard(page) {
  for (const dock of await page.locator(".dock").all()) shown.add(await dock.getAttribute("data-card"));
}

async function isCard(page, kind) {
  assert.equal(await page.locator(".dock").getAttribute("data-card"), kind);
}

async function seen(page, { card, title, primary, input, strip, last, inside }) {
  const text = async (locator) => (await locator.innerText()).replace(/\s+/g, " ").trim();
  if (card) await isCard(page, card);
  if (title !== undefined) assert.equal(await text(page.locator(".card h2")), title);
  if (title === undefined && primary === undefined) assert.equal(await page.locator(".card").count(), 0, "nothing is wanted");
  if (primary) assert.equal(await text(page.locator(".card .primary").first()), primary);
  if (primary === null) assert.equal(await page.locator(".primary").count(), 0);
  if (input) assert.equal(await page.locator(".composer textarea").getAttribute("placeholder"), input);
  if (strip) assert.match(await text(page.locator(".strip")), strip);
  if (last) assert.match(await text(page.locator(".doing").last()), last);
  if (inside) assert.match(await text(page.locator(".step .inside > p").first()), inside);
}

async function findings(page) {
  const { violations } = await page.evaluate((script) => {
    // the page's own policy allows no other script: this one comes from the debugger
    (0, eval)(script);
    return globalThis.axe.run({ resultTypes: ["violations"] });
  }, axe);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

test("idle, the conversation has at least 600 px of a window of 1280 by 800, and in a run nearly as much", async () => {
  for (const [name, least] of [["idle", 600], ["running", 575]]) {
    const { sees: _, ...state } = STATES[name];
    const { page } = await browser.open(state, { height: 694 });
    const { height } = await page.locator(".transcript").boundingBox();
    assert.ok(height >= least, `${name}: ${height} px`);
  }
});

test("a row answers by its number, by Enter and by a click, and Escape only leads back to the input", async () => {
  const { sees: _, ...state } = STATES.question;
  const answers = async (act) => {
    const { page, calls } = await browser.open(state);
    await act(page);
    const given = (await calls()).filter(({ name }) => /answerQuestion|declineQuestion|stop/.test(name)).map(({ args }) => args.answers ?? args);
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    return { given, focused };
  };
  const focus = (page) => page.evaluate(() => globalThis.extension.tell({ kind: "focus", what: "dock" }));
  assert.deepEqual((await answers(async (page) => { await focus(page); await page.keyboard.press("2"); })).given, [{ round: "even" }]);
  assert.deepEqual((await answers(async (page) => { await focus(page); await page.keyboard.press("Enter"); })).given, [{ round: "up" }]);
  assert.deepEqual((await answers(async (page) => { await focus(page); await page.keyboard.press("ArrowDown"); await page.keyboard.press("Enter"); })).given, [{ round: "even" }]);
  assert.deepEqual((await answers((page) => page.getByRole("button", { name: /Half even/ }).click())).given, [{ round: "even" }]);
  const escaped = await answers(async (page) => { await focus(page); await page.keyboard.press("Escape"); });
  assert.deepEqual(escaped, { given: [], focused: "Message" });
});

test("the answers to a question are in sight in a low view, however much there is to read", async () => {
  const { sees: _, ...state } = STATES.fresh;
  const [set] = state.questions;
  const [question] = set.questions;
  const long = { ...question, context: `- hash ${"0123456789abcdef".repeat(4)}\n`.repeat(30) };
  for (const height of [260, LOW]) {
    const { page } = await browser.open({ ...state, questions: [{ ...set, questions: [long] }] }, { width: 300, height });
    const card = await page.locator(".card").boundingBox();
    const rows = page.locator(".card .row-button");
    for (const row of height === LOW ? await rows.all() : [rows.first()]) {
      const box = await row.boundingBox();
      assert.ok(box.y >= card.y && box.y + box.height <= card.y + card.height, `${await row.innerText()}, ${height} px high`);
    }
  }
});

test("what happens is read out once in words, and a failure at once", async () => {
  const told = {
    noKey: ["status", "No key for Anthropic yet"],
    plan: ["status", "Plan ready, 4 steps"],
    running: ["status", "Step 2 of 4, Use it in Cart.receipt, print a line"],
    approval: ["status", "Change src/shop/api.py? Step 2 doesn't name this file."],
    question: ["status", "How are half cents rounded?, 2 choices"],
    restricted: ["status", "This workspace isn't trusted"],
    gaveUp: ["alert", "Step 3: 1 of 2 checks failed, 4 choices"],
    serverStopped: ["alert", "It ended before it answered. Nothing is lost."],
  };
  for (const [name, [role, text]] of Object.entries(told)) {
    const { sees: _, ...state } = STATES[name];
    const { page } = await browser.open(state);
    await page.locator(`[role=${role}]`, { hasText: text }).waitFor({ state: "attached" });
  }
  const { sees: _, ...state } = STATES.installing;
  const { page, tell } = await browser.open(state);
  for (const condition of ["starting", "running"]) await tell({ kind: "condition", condition });
  await page.locator("[role=status]", { hasText: "The server is ready" }).waitFor({ state: "attached" });
});

test("six questions are asked one at a time, with the button in view on each page, and what was filled in is kept", async () => {
  const { sees: _, ...state } = STATES.form;
  const { page, calls } = await browser.open(state, { height: LOW });
  const button = page.locator(".card .primary");
  for (let at = 1; at <= 6; at += 1) {
    await page.locator(".pages", { hasText: `${at} of 6` }).waitFor();
    assert.equal(await button.innerText(), at === 6 ? "Answer" : "Next");
    const box = await button.boundingBox();
    assert.ok(box && box.y + box.height <= LOW, "it is in view");
    if (at === 3) {
      await button.click();
      await page.getByRole("alert").getByText("Not answered yet.").waitFor();
      await page.getByRole("spinbutton").fill("2");
    }
    if (at === 4) await page.locator(".card input[type=text]").fill("Capital");
    if (at === 5) await page.getByRole("radio", { name: /Yes/ }).click();
    if (at === 6) {
      await page.getByRole("textbox", { name: "name" }).waitFor(); // the form comes in a chunk of its own
      assert.deepEqual(await page.evaluate(misfits), []);
      await page.getByRole("textbox", { name: "name" }).fill("Ada");
    }
    await button.click();
  }
  await page.waitForFunction(() => globalThis.extension.calls.some(({ name }) => name === "planact.answerQuestion"));
  const made = await calls();
  const { answers } = made.find(({ name }) => name === "planact.answerQuestion").args;
  assert.deepEqual(answers, { q0: ["header"], q1: "blue", q2: 2, q3: "Capital", q4: true, q5: { name: "Ada" } });
  const kept = made.filter(({ name, args }) => name === "editor/keepDraft" && args.answers?.q).at(-1).args.answers.q;
  assert.equal(kept.q3, "Capital");
});

test("what is written while edits wait rejects them with these words, and with comments it goes with the revision", async () => {
  const cases = [["approval", "planact.answerQuestion", { question_id: "q", answers: { approval: "reject_once" }, comment: "say it shorter" }], ["comments", "planact.revisePlan", { uri: STATES.comments.status.work.plan_uri, feedback: "say it shorter" }]];
  for (const [name, command, wanted] of cases) {
    const { sees: _, ...state } = STATES[name];
    const { page, calls } = await browser.open(state);
    await page.locator(".composer textarea").fill("say it shorter");
    await page.locator(".composer textarea").press("Enter");
    await page.waitForFunction((wanted) => globalThis.extension.calls.some(({ name }) => name === wanted), command);
    assert.deepEqual((await calls()).find((each) => each.name === command).args, wanted);
  }
});

test("entries are one stop of the Tab key, and arrows go between them", async () => {
  const { sees: _, ...state } = STATES.done;
  const { page } = await browser.open(state);
  const label = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await page.locator("article").last().focus();
  assert.match(await label(), /^Planact, .*, \d+ of \d+$/);
  const last = await label();
  await page.keyboard.press("Home");
  assert.match(await label(), /^You, /);
  await page.keyboard.press("End");
  assert.equal(await label(), last);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("article").nth(-2).locator(".fold").first().getAttribute("aria-expanded"), "true");
  const reached = await page.locator('article:not([tabindex="0"]) :is(button, a[href], [tabindex="0"]):not([tabindex="-1"])').count();
  assert.equal(reached, 0, "what is inside of others is not reached by Tab");
});

test("two hundred messages come as one scrolls up, in their order also when the newest are read again, and the plan of 50 steps can be executed", async () => {
  const { sees: _, ...state } = longSession(100);
  const { page, tell } = await browser.open(state);
  const requests = async () => (await page.locator(".user").allInnerTexts()).flatMap((text) => /^Request (\d+)$/.exec(text.trim())?.slice(1) ?? []).map(Number);
  assert.ok((await requests()).length < 100, "a part of it is there at first");
  const box = await page.getByRole("button", { name: "Execute Plan" }).boundingBox();
  assert.ok(box && box.y + box.height < 694, "it is in view");
  while (await page.locator(".earlier").count()) {
    const before = (await requests()).length;
    await page.locator(".transcript").evaluate((list) => { list.scrollTop = 0; });
    await page.waitForFunction((count) => document.querySelectorAll(".user").length > count || !document.querySelector(".earlier"), before);
  }
  const all = Array.from({ length: 100 }, (_each, at) => at + 1);
  assert.deepEqual(await requests(), all);
  await tell({ kind: "notification", method: "planact/modeChanged", params: { folder: "file:///shop", session_id: "s", mode: "act", role: "actor", plan_file: "" } });
  await page.waitForFunction(() => globalThis.extension.isQuiet());
  assert.deepEqual(await requests(), all);
});

test("an error that was closed stays in the conversation", async () => {
  const { sees: _, ...state } = STATES.plan;
  const { page } = await browser.open({ ...state, refusals: { "planact.executePlan": { message: "The plan changed while you were asked. Look at it again.", code: "PLAN_CHANGED_SINCE_APPROVAL" } } });
  await page.getByRole("button", { name: "Execute Plan" }).click();
  await page.locator(".card h2", { hasText: "The plan changed while you were asked" }).waitFor();
  await isCard(page, "trouble");
  await noteCard(page);
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator(".transcript .failed-line", { hasText: "The plan changed while you were asked" }).waitFor();
});

test("each card of the dock is shown in a state", () => {
  const union = /export type DockCard =(.*?);\n\n/s.exec(readFileSync(join(root, "client-vscode", "webview", "dock_cards.ts"), "utf8"))[1];
  const missing = [...union.matchAll(/"(\w+)"/g)].map(([, kind]) => kind).filter((kind) => !shown.has(kind));
  assert.deepEqual(missing.map((kind) => `tests/editors/page/states.mjs: add a state that shows the card "${kind}"`), []);
});
