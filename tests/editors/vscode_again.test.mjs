// States of the chat in VS Code: each is there again when the window is loaded anew, by the server alone, and in a second window.
// Here in one theme and width; with PLANACT_STATES=all, as `make soak` sets it, each in three themes and at two widths.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { openChat, seriousFindings, showChat } from "./harness/chat.mjs";
import { begin, chatSetup, inSessions, planInChat, say, widenSideBar } from "./harness/chat_rig.mjs";
import { misfits } from "./harness/fits.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { chat: texts } = words;
const { again: states } = texts;
const IS_ALL = process.env.PLANACT_STATES === "all";
const THEMES = IS_ALL ? ["Light Modern", "Dark Modern", "Default High Contrast"] : ["Light Modern"];
const WIDTHS = IS_ALL ? [300, 400] : [300];
const limit = IS_ALL ? { limit: 1_800_000 } : {};

/** Loads the window anew, in each look, and gives the chat, which shows the same state. */
async function again(bench, code, name) {
  let chat;
  for (const theme of THEMES) {
    code.configureUser({ "workbench.colorTheme": theme });
    await bench.reload();
    chat = await shows(bench, name);
    await chat.waitForTheme(theme);
    for (const width of WIDTHS) {
      await widenSideBar(bench, width);
      await fits(bench, chat);
      await bench.screenshot(`${name} ${theme} ${width}`);
    }
  }
  return chat;
}

/** Waits for a state in a window: its card, what the status bar says, and the strip, if it has one. */
async function shows(bench, name) {
  const { title, status, strip, isOff } = states[name];
  await bench.waitForStatus(status, RUN_LIMIT_MS);
  const chat = await (isOff ? showChat(bench) : openChat(bench));
  await chat.card(title).waitFor({ timeout: RUN_LIMIT_MS });
  if (strip) await chat.frame.locator(".strip", { hasText: strip }).waitFor();
  else assert.equal(await chat.frame.locator(".strip").count(), 0, "nothing runs");
  if (name === "question") await bench.waitUntil(async () => (await chat.frame.locator(".ended").count()) === 0, "what waits hasn't ended");
  return chat;
}

/** A search path on which there is no planact. */
function withoutPlanact() {
  return process.env.PATH.split(delimiter).filter((folder) => !existsSync(join(folder, "planact"))).join(delimiter);
}

async function begun(bench) {
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  return openChat(bench);
}

async function fits(bench, chat) {
  await bench.waitUntil(async () => (await chat.frame.locator("body").evaluate(misfits)).length === 0, "all fits").catch(async () => {
    assert.deepEqual(await chat.frame.locator("body").evaluate(misfits), []);
  });
  assert.ok((await chat.frame.locator(".primary:not(.chevron)").count()) <= 1, "one filled button at most");
  assert.deepEqual(await seriousFindings(chat), []);
}

/** A second window shows it, too. */
async function inSecondWindow(bench, check) {
  const other = await bench.openWindow();
  await check(other).finally(() => other.screenshot("second window"));
  other.assertErrors(aboutServer(other));
  other.assertNoConsoleError();
  await other.page.close();
}

scenario("a plan to review, a question and a paused run are the same after a reload and in a second window", setup, async (bench, workspace, code) => {
  let chat = await begin(bench);
  await planInChat(chat);
  chat = await again(bench, code, "toReview");
  await inSecondWindow(bench, (other) => shows(other, "toReview"));
  await chat.card(states.toReview.title).button("Execute Plan").click();
  await shows(bench, "question");
  chat = await again(bench, code, "question");
  await inSecondWindow(bench, (other) => shows(other, "question"));
  const stop = () => chat.frame.locator(".composer").getByRole("button", { name: "Stop" }).click();
  await stop(); // the run had ended with the window
  await chat.card(states.interrupted.title.replace("1 of 1", "1 of 2")).button("Continue").click();
  await shows(bench, "question");
  await stop();
  await shows(bench, "paused");
  await again(bench, code, "paused");
  await inSecondWindow(bench, (other) => shows(other, "paused"));
  assert.equal(workspace.diff(), "");
}, limit);

scenario("a run is followed in a second window, and is interrupted by a reload", () => chatSetup({ "planact.approval": "acceptAll" }), async (bench, workspace, code) => {
  const { request, goal, status, strip, elsewhere, elsewhereStatus } = states.running;
  const chat = await begin(bench);
  await say(chat, request);
  await chat.plan(goal).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
  await bench.waitForStatus(status, RUN_LIMIT_MS);
  await chat.frame.locator(".strip", { hasText: strip }).waitFor();
  await inSecondWindow(bench, async (other) => {
    await other.waitForStatus(elsewhereStatus, RUN_LIMIT_MS);
    const there = await showChat(other);
    await there.card(elsewhere).waitFor();
    await there.frame.locator(".strip", { hasText: strip }).waitFor();
    await fits(other, there);
  });
  await again(bench, code, "interrupted");
  await inSecondWindow(bench, (other) => shows(other, "interrupted"));
}, limit);

scenario("what is done and what was rolled back are the same after a reload and in a second window", () => chatSetup({ "planact.approval": "acceptEdits" }), async (bench, workspace, code) => {
  let chat = await begin(bench);
  await say(chat, texts.lookAround);
  await chat.plan(texts.tidy).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
  await shows(bench, "done");
  chat = await again(bench, code, "done");
  await inSecondWindow(bench, async (other) => {
    await begun(other); // what has ended is shown where its session is opened
    await inSessions(other, texts.lookAround);
    await shows(other, "done");
  });
  await chat.card(states.done.title).button("Roll Back").click();
  await chat.question(new RegExp(words.trees.rollBack.question)).button(words.trees.rollBack.confirm).click();
  await shows(bench, "rolledBack");
  await again(bench, code, "rolledBack");
  assert.equal(workspace.diff(), "");
}, limit);

const COMMAND = "planact.server.command";
const NOWHERE = "/nowhere/planact";

/** The error about a server that isn't there, which is shown beside the view where it comes before that. */
function aboutServer(bench) {
  return bench.errors.some((text) => text.includes(NOWHERE)) ? [NOWHERE] : [];
}

const missingErrors = [];
/** Nobody trusts the folder, and isn't asked: the workbench asks again where it was loaded anew at once. */
const asUntrusted = { userSettings: { "security.workspace.trust.startupPrompt": "never" } };

scenario("a model, a key, trust and a server that are missing are asked for again after a reload and in a second window", () => ({ ...setup({ "planact.model": "" }), ...asUntrusted, errors: missingErrors }), async (bench, _workspace, code) => {
  const { machineSettings } = setup();
  const missing = { noModel: { "planact.model": "" }, noKey: { "planact.model": "anthropic/claude-sonnet-4-5" }, notTrusted: {}, stopped: { [COMMAND]: NOWHERE } };
  for (const [name, settings] of Object.entries(missing)) {
    code.configure({ ...machineSettings, ...settings });
    await shows(bench, name);
    await again(bench, code, name);
    if (IS_ALL) await inSecondWindow(bench, (other) => shows(other, name));
  }
  missingErrors.push(...aboutServer(bench));
}, limit);

/** The rest, of which each is shown once by scenarios of its own. */
if (IS_ALL) {
  scenario("a server that was never installed is offered again after a reload and in a second window", () => ({ ...setup({ [COMMAND]: "" }), path: withoutPlanact() }), async (bench, _workspace, code) => {
    await bench.trustFolder();
    await shows(bench, "noServer");
    await again(bench, code, "noServer");
    await inSecondWindow(bench, (other) => shows(other, "noServer"));
  }, limit);

  const withSettings = () => {
    const { files, ...others } = setup();
    return { ...others, files: { ...files, ".planact/config.toml": 'approval = "acceptAll"\n' } };
  };

  scenario("settings that a folder brings along are shown again after a reload and in a second window", withSettings, async (bench, _workspace, code) => {
    await begin(bench);
    await shows(bench, "settings");
    await again(bench, code, "settings");
    await inSecondWindow(bench, (other) => shows(other, "settings"));
  }, limit);

  scenario("a plan that is out of date, and one that changed since its approval", setup, async (bench, workspace, code) => {
    const before = workspace.read("store.py");
    let chat = await begin(bench);
    await planInChat(chat);
    writeFileSync(join(workspace.path, "store.py"), `${before}\n# later\n`);
    chat = await again(bench, code, "outdated");
    writeFileSync(join(workspace.path, "store.py"), before);
    chat = await again(bench, code, "toReview");
    await chat.card(states.toReview.title).button("More").click();
    await chat.frame.getByRole("menuitem", { name: "Approve Only" }).click();
    await chat.card("approved").waitFor();
    await chat.card("approved").button("Open").click(); // the windows that were loaded anew so fast have forgotten its tab
    const plan = await bench.page.locator(".tab.active[data-resource-name$='.plan']").getAttribute("data-resource-name");
    await bench.goToEndOf(plan, words.review.under);
    await bench.type(words.changedPlan.changed);
    await bench.save(plan);
    await shows(bench, "changed");
    await again(bench, code, "changed");
  }, limit);

  scenario("an edit that waits for leave", () => chatSetup({ "planact.approval": "review" }), async (bench, _workspace, code) => {
    const chat = await begin(bench);
    await say(chat, texts.poem.request);
    await chat.plan(texts.poem.request).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
    await shows(bench, "approval");
    await again(bench, code, "approval");
  }, limit);

  scenario("a check that failed", () => chatSetup({ "planact.approval": "acceptEdits" }), async (bench, _workspace, code) => {
    const chat = await begin(bench);
    await say(chat, texts.look.request);
    await chat.plan(texts.look.request).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
    await shows(bench, "failed");
    await again(bench, code, "failed");
    await inSecondWindow(bench, (other) => shows(other, "failed"));
  }, limit);

  scenario("a model that gave no answer", chatSetup, async (bench, _workspace, code) => {
    const chat = await begin(bench);
    await say(chat, texts.failure.request);
    await shows(bench, "noAnswer");
    await again(bench, code, "noAnswer");
    await inSecondWindow(bench, (other) => shows(other, "noAnswer"));
  }, limit);
}
