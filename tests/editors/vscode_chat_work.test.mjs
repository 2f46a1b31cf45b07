// Work that is watched, stopped and taken back in VS Code's chat.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { openChat, seriousFindings } from "./harness/chat.mjs";
import { begin, chatSetup, newSession, planInChat, say } from "./harness/chat_rig.mjs";
import { titleButton, waitForNoDifference } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { waitForFrontMatter } from "./harness/plan_editor.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { chat: texts } = words;

scenario("edits are reviewed, work is stopped, and what was done is told and goes on", reviewSetup, async (bench, workspace, code, part) => {
  const chat = await begin(bench);
  await part("edits that wait are looked at from their question in the chat, and the answer says what became of each", () => reviewed(bench, workspace, chat));
  code.configure(setup().machineSettings);
  await newSession(bench);
  await part("leaving Act in the chat while work runs asks first, and the plan stays where it is", () => leaveAct(bench, workspace, chat));
  code.configure(actSetup().machineSettings);
  workspace.restore();
  await newSession(bench);
  await part("an answer that streams is stopped from where one writes, and the next is given", () => streams(bench, chat));
  await newSession(bench);
  await part("what was refused, contained and adapted is marked with its reason, and a run is rolled back where it is shown", () => marked(bench, workspace, chat));
  await newSession(bench);
  await part("where a step leaves the plan is told while the plan is still carried out, and the next question names its step", () => live(bench, chat));
  await newSession(bench);
  await part("what failed before a reload is answered after it, and the run goes on", () => afterReload(bench, workspace, chat));
});

async function leaveAct(bench, workspace, chat) {
  const [plan, act] = ["Plan", "Act"].map((name) => chat.frame.getByRole("button", { name, exact: true }));
  assert.match(await plan.getAttribute("title"), /nothing else can change/);
  assert.match(await act.getAttribute("title"), /what you approved/);
  const card = await planInChat(chat);
  await card.button("Execute Plan").click();
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await act.getAttribute("aria-pressed"), "true");
  await plan.click();
  await bench.dialog(words.stopQuestion).getByText(texts.stopDetail).waitFor();
  await bench.screenshot("confirmation");
  await bench.clickDialogButton(words.stopQuestion, words.confirm.cancel);
  await bench.waitForStatus(words.status.act);
  assert.equal(await act.getAttribute("aria-pressed"), "true");
  await plan.click();
  await bench.clickDialogButton(words.stopQuestion, words.confirm.stop);
  await bench.waitForStatus(words.status.plan);
  await chat.question(words.question.text).waitFor({ state: "detached" });
  await chat.card("Paused").waitFor();
  await bench.screenshot("paused");
  assert.equal(await plan.getAttribute("aria-pressed"), "true");
  assert.ok(workspace.read("store.py").includes("def load(path):"), workspace.diff());
}

async function marked(bench, workspace, chat) {
  await say(chat, texts.lookAround);
  const card = chat.plan(texts.tidy);
  await card.waitFor({ timeout: RUN_LIMIT_MS });
  for (const text of [texts.refused, texts.contained]) await chat.frame.locator(".fold", { hasText: text }).waitFor();
  for (const text of ["Plugins may import", "~3 min"]) await card.getByText(text).first().waitFor();
  await chat.frame.getByRole("button", { name: /% of the context · .* · \$0\.04/ }).waitFor();
  await bench.screenshot("plan");
  await chat.frame.locator(".calls .fold", { hasText: texts.contained }).click();
  await chat.frame.locator(".calls li .fold", { hasText: "execute_command" }).click();
  await chat.frame.locator(".calls pre", { hasText: /^\(contained: .*\n42/s }).waitFor();
  await bench.screenshot("calls");
  assert.deepEqual(await seriousFindings(chat), []);
  const before = workspace.read("app.py");
  await card.button("Execute Plan").click();
  const run = chat.run(texts.tidy);
  await run.waitFor({ timeout: RUN_LIMIT_MS });
  const adaptation = chat.frame.getByRole("region", { name: "Adaptation" });
  for (const text of [texts.adapted.done, texts.adapted.why]) await adaptation.getByText(text).waitFor();
  await bench.screenshot("run");
  assert.deepEqual(await seriousFindings(chat), []);
  assert.notEqual(workspace.read("app.py"), before);
  await chat.card("Done").button("Roll Back").click();
  const { question, confirm } = words.trees.rollBack;
  const asked = chat.question(new RegExp(question)); // the card before it has a button of that name
  await asked.waitFor();
  await bench.screenshot("roll-back");
  await asked.button(confirm).click();
  await chat.card("Rolled back").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await chat.frame.getByRole("button", { name: "Roll Back" }).count(), 0);
  assert.equal(workspace.read("app.py"), before);
  assert.equal(workspace.diff(), "");
  await bench.screenshot("rolled-back");
}

function actSetup() {
  return chatSetup({ "planact.approval": "acceptEdits" });
}

async function live(bench, chat) {
  const { request, goal, question, step, answer, adapted } = texts.live;
  await say(chat, request);
  const card = chat.plan(goal);
  await card.waitFor({ timeout: RUN_LIMIT_MS });
  await card.button("Execute Plan").click();
  await chat.question(question).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.question(question).getByText(step).waitFor();
  const adaptations = chat.frame.getByRole("region", { name: "Adaptation" });
  await adaptations.filter({ hasText: adapted.done }).getByText(adapted.why).waitFor();
  assert.equal(await chat.run(goal).count(), 0, "the run has not ended");
  await bench.screenshot("live");
  assert.deepEqual(await seriousFindings(chat), []);
  await chat.question(question).button(answer).click();
  await chat.run(goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await adaptations.count(), 1, "it is told once");
  await bench.screenshot("ended");
}

async function afterReload(bench, workspace, before) {
  const { request, question, answer, file, status } = texts.look;
  await say(before, request);
  const card = before.plan(request);
  await card.waitFor({ timeout: RUN_LIMIT_MS });
  await card.button("Execute Plan").click();
  await before.question(question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.reload();
  await bench.waitForStatus(new RegExp(`${words.status.act}.*· failed`), RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await bench.screenshot("reloaded");
  await chat.question(question).button(answer).click();
  await chat.run(request).getByText("Partly done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await chat.question(question).count(), 0);
  assert.ok(existsSync(join(workspace.path, file)));
  const plans = join(workspace.path, ".planact", "plans");
  const plan = readdirSync(plans).find((name) => name.endsWith("look-then-write.plan"));
  await bench.openFile(plan);
  await waitForFrontMatter(bench, plan, status);
  await bench.screenshot("gone on");
}

async function streams(bench, chat) {
  const { request, begun, end } = texts.slow;
  await say(chat, request);
  await chat.frame.getByText(begun).first().waitFor({ timeout: RUN_LIMIT_MS });
  const stop = chat.frame.locator(".composer").getByRole("button", { name: "Stop" });
  await bench.screenshot("streams");
  await stop.click();
  await stop.waitFor({ state: "detached" });
  await bench.screenshot("stopped");
  await say(chat, texts.picture.request);
  await chat.frame.getByText(texts.picture.answer).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await chat.frame.getByText(end).count(), 0, "nothing more came");
}

async function reviewed(bench, workspace, chat) {
  const { request, goal, question, deed, step, first, second, allow, reject, box, words: said, after, created } = words.several;
  await say(chat, request.trim());
  await chat.plan(goal).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.plan(goal).button("Execute Plan").click();
  const card = chat.question(question);
  for (const text of [step, deed]) await card.getByText(text).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  assert.deepEqual(await seriousFindings(chat), []);
  await card.button("More").last().click();
  await chat.frame.getByRole("menuitem", { name: "All 2 Files" }).click();
  await bench.page.locator(".multiDiffEntry", { hasText: "morning.txt" }).first().waitFor();
  await bench.screenshot("all");
  await card.button("Open Diff").click();
  await bench.waitForDifference(after);
  await titleButton(bench, first, allow).click();
  await bench.waitForDifference(created);
  await titleButton(bench, second, reject).click();
  await bench.inputBox(said, box);
  await waitForNoDifference(bench, second);
  await chat.run(goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.step("1 ").first().locator("h3 > .fold").click();
  const answer = chat.frame.locator(".answered");
  for (const [what, path] of [["allowed", "app.py"], ["rejected", "greetings/morning.txt"]]) await answer.locator("p", { hasText: what }).getByText(path).waitFor();
  await answer.getByText(`greetings/morning.txt: ${said}`).waitFor();
  await chat.run(goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("answered");
  assert.ok(workspace.read("app.py").includes(after));
}

function reviewSetup() {
  return setup({ "planact.approval": "review" });
}
