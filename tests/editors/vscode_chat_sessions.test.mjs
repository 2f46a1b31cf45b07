// Sessions in VS Code's chat: they are gone on with, named and deleted, also after the window was loaded again, and long ones, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { begin, chatSetup, inSessions, newSession, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { ownEnvironment } from "./harness/processes.mjs";
import { words } from "./harness/rename.mjs";
import { editors, root } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const { draft, long, picture, sessions } = words.chat;

const COUNT = 500;
const STEPS = 40;
const PASSES = 5;
const RATIO = 4;

scenario("sessions are gone on with", chatSetup, async (bench, workspace, code, part) => {
  fill(workspace.path);
  const chat = await begin(bench);
  await part("five hundred messages scroll like a few, keep their place, and are not drawn again", () => scrolls(bench, chat));
  await newSession(bench);
  await part("a session is named, gone on with after another, deleted after a question, and there again after a reload", () => named(bench));
  await part("what was written and pasted and not sent, and the session opened last, are there after a reload at once", () => drafts(bench, code));
});

async function named(bench) {
  let chat = await openChat(bench);
  const said = (text) => chat.frame.locator(".said", { hasText: text });
  await say(chat, long.request);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await newSession(bench);
  await said(long.end).waitFor({ state: "detached" });
  await say(chat, picture.request);
  await said(picture.answer).waitFor({ timeout: RUN_LIMIT_MS });

  await inSessions(bench, picture.request, "Rename");
  await bench.screenshot("rename");
  await bench.inputBox(sessions.title, "Rename Session");
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: sessions.title }).first().waitFor();
  await bench.screenshot("sessions");
  await bench.quickPick(long.request);
  await said(long.end).waitFor();
  await said(picture.answer).waitFor({ state: "detached" });

  await inSessions(bench, sessions.title, "Delete");
  const question = chat.question(sessions.title);
  await question.waitFor();
  await bench.screenshot("delete");
  await question.button(sessions.delete).click();
  await question.waitFor({ state: "detached" });
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: long.request }).first().waitFor();
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: sessions.title }).first().waitFor({ state: "detached" });
  await bench.screenshot("deleted");
  await bench.press("Escape");
  await bench.reload();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  chat = await openChat(bench);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("reloaded");
}

async function drafts(bench, code) {
  let chat = await openChat(bench);
  const said = (text) => chat.frame.locator(".said", { hasText: text });
  for (const { request, answer } of [picture, { ...long, answer: long.end }]) {
    await newSession(bench);
    await say(chat, request);
    await said(answer).waitFor({ timeout: RUN_LIMIT_MS });
  }
  await chat.pastePicture();
  await chat.frame.getByRole("img", { name: draft.image }).waitFor();
  await chat.type(draft.text);
  await inSessions(bench, picture.request);
  await said(picture.answer).waitFor();
  // no screen tells that it is kept; an editor that is left sooner has not heard of it
  for (const text of [draft.text, "image/png"]) await bench.waitUntil(() => keptIn(code).some((kept) => kept.includes(text)), `${text} is kept`);
  await bench.reload();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  chat = await openChat(bench);
  await said(picture.answer).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.locator(".composer").getByRole("img", { name: draft.image }).waitFor();
  assert.equal(await chat.input.inputValue(), draft.text);
  await bench.screenshot("reloaded");
  await chat.press("Enter");
  await chat.frame.locator(".user", { hasText: draft.text }).getByRole("img", { name: draft.image }).waitFor();
  await bench.waitUntil(() => !keptIn(code).some((kept) => kept.includes(draft.text) || kept.includes("image/png")), "what was sent is not kept");
}

/** What the extension keeps of the workspace, file by file. */
function keptIn({ data }) {
  const all = join(data, "User", "workspaceStorage");
  const folders = readdirSync(all).map((workspace) => join(all, workspace, "planact.planact")).filter(existsSync);
  return folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => readFileSync(join(folder, name), "utf8")));
}

/** What it costs to look at a session of five hundred messages, and that nothing jumps. */
async function scrolls(bench, chat) {
  const list = chat.frame.locator(".transcript");
  await say(chat, "Say something long");
  await chat.frame.getByText("I hope it was of use.").waitFor({ timeout: RUN_LIMIT_MS });
  const few = await costOfScrolling(bench, list);

  await inSessions(bench, "A long session");
  await chat.frame.getByText("Request 497").waitFor();
  await bench.screenshot("opened");
  assert.ok((await shownRequests(list)) < COUNT / 4 / 4, "a part of it is there at first");
  await bench.waitUntil(() => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 60), "the end is shown");

  await list.hover();
  await bench.page.mouse.wheel(0, -300);
  while ((await shownRequests(list)) < COUNT / 4) {
    const moved = await list.evaluate(scrollUpToMore);
    assert.ok(Math.abs(moved) < 3, `what was shown moved by ${moved} px as more came before it`);
  }
  await chat.frame.getByText("Request 1:").waitFor();
  await bench.screenshot("all");
  const many = await costOfScrolling(bench, list);
  for (const what of ["all", "longest"]) {
    assert.ok(many[what] < few[what] * RATIO, `scrolling costs ${many[what]} s (${what}) where it was ${few[what]} s`);
  }

  // Another mode has the newest messages read again.
  for (const mode of ["act", "plan"]) {
    await chat.frame.getByRole("button", { name: words.modes[mode], exact: true }).click();
    await bench.waitForStatus(words.status[mode]);
  }
  await list.evaluate(watchForRedrawing);
  await say(chat, "Say something long");
  await chat.frame.getByText("I hope it was of use.").waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await list.evaluate(() => globalThis.redrawn), []);
  await bench.waitUntil(() => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 60), "what was sent is shown");
  const requests = await list.locator(".user").allInnerTexts();
  const numbers = requests.flatMap((text) => /^Request (\d+)/m.exec(text)?.slice(1) ?? []).map(Number);
  assert.deepEqual(numbers, [...numbers].sort((one, other) => one - other), "they stand in their order");
  assert.match(requests.at(-1), /Say something long/);
  await bench.screenshot("answered");
}

function fill(folder) {
  const environment = ownEnvironment(join(dirname(folder), "home"));
  execFileSync(join(root, ".venv", "bin", "python"), [join(editors, "harness", "long_session.py"), folder, String(COUNT)], { env: environment });
}

function shownRequests(list) {
  return list.locator(".user").count();
}

/**
 * What its main thread does while the wheel turns as often up as down, in seconds of the processor, which is the same however busy the
 * machine is, but for what others leave of its caches: `all` of a pass, and the `longest` step of one, each as in the best of several.
 */
async function costOfScrolling(bench, list) {
  await list.hover();
  const devtools = await bench.page.context().newCDPSession(bench.page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  const passes = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const steps = [];
    for (let step = 0; step < STEPS; step += 1) {
      const before = await work();
      await bench.page.mouse.wheel(0, step < STEPS / 2 ? -120 : 120);
      await list.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      steps.push((await work()) - before);
    }
    passes.push({ all: steps.reduce((sum, each) => sum + each), longest: Math.max(...steps) });
  }
  await devtools.detach();
  return { all: Math.min(...passes.map(({ all }) => all)), longest: Math.min(...passes.map(({ longest }) => longest)) };
}

/** Runs in the view: goes near the beginning, waits until more is there, and tells how far what was shown has moved. */
async function scrollUpToMore(list) {
  const content = list.querySelector("[role=feed]");
  const before = content.childElementCount;
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  list.scrollTop = 200;
  await frame();
  const top = list.getBoundingClientRect().top;
  const anchor = [...content.children].find((child) => child.getBoundingClientRect().bottom > top + 1 && child.matches("article"));
  const place = anchor.getBoundingClientRect().top;
  const end = performance.now() + 30_000;
  while (content.childElementCount === before && performance.now() < end) await frame();
  for (let count = 0; count < 5; count += 1) await frame();
  return anchor.getBoundingClientRect().top - place;
}

/** Runs in the view: keeps what changes in blocks that are there already. */
function watchForRedrawing(list) {
  globalThis.redrawn = [];
  const blocks = [...list.querySelectorAll("article")];
  new MutationObserver((records) => {
    const inOld = records.filter(({ target }) => blocks.some((block) => block.contains(target)));
    globalThis.redrawn.push(...inOld.map(({ type, target }) => `${type} in ${target.nodeName} ${target.textContent.slice(0, 80)}`));
  }).observe(list, { childList: true, subtree: true, characterData: true });
}
