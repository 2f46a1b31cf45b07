// Questions as notifications in VS Code: shown until they were seen, and leading to the card in the chat.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { leave } from "./harness/background.mjs";
import { chatInView, openChat } from "./harness/chat.mjs";
import { chatSetup, newSession, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { planInView } from "./harness/plan_editor.mjs";
import { answer, makePlan, PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("questions are told", setup, async (bench, workspace, code, part) => {
  await makePlan(bench);
  await part("a question is shown again after a reload until it was seen, and stays open", () => againUntilSeen(bench));
  await bench.notification(words.review.told).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.notification(words.review.told).waitFor({ state: "hidden" }); // VS Code puts it away, and nobody closes it
  code.configure(unasked().machineSettings);
  await openChat(bench);
  await newSession(bench);
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await part("a question that comes while the window is in the background is told once, and answered from what told it", () => inBackground(bench, workspace));
  code.configure(withFailure().machineSettings);
  await bench.palette(words.folders.closeAll);
  await newSession(bench);
  await part("a check that fails while the view is hidden is told, and opens nothing, nor does a reload", () => failsHidden(bench));
});

async function againUntilSeen(bench) {
  const { text } = words.question;
  const badge = bench.page.locator(".activitybar .badge-content").filter({ hasText: "1" }).first();
  await bench.clickLens(PLAN, words.lenses.execute);
  await bench.notification(text).waitFor({ timeout: RUN_LIMIT_MS });
  await badge.waitFor();
  await bench.reload();
  await bench.notification(text).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.dismissNotification(text);
  await bench.palette(words.palette.switchMode); // the extension has heard of it by now, and VS Code has kept what it said
  await bench.page.locator(".quick-input-widget:visible", { hasText: words.palette.switchMode }).waitFor();
  await bench.press("Escape");
  await bench.reload();
  await bench.waitForStatus(words.status.answer, RUN_LIMIT_MS); // of the session that is gone on with
  await badge.waitFor();
  assert.equal(await bench.notification(text).count(), 0, "it has been seen");
  await bench.screenshot("seen");
  await bench.palette(words.palette.answer);
  await bench.quickPick(words.question.answer);
  await badge.waitFor({ state: "detached" });
}

async function inBackground(bench, workspace) {
  const { text, answers } = words.question;
  const shown = (selector) => bench.page.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((each) => each.textContent), selector);
  const told = async () => (await shown(".notification-list-item")).filter((each) => each.includes(text)).length;
  const badges = () => shown(".activitybar .badge-content");
  const chat = await openChat(bench);
  await chat.frame.getByRole("button", { name: words.modes.act, exact: true }).click();
  await bench.waitForStatus(words.status.act);
  await say(chat, "Wait until it is there");
  await chat.frame.locator(".doing").first().waitFor({ timeout: RUN_LIMIT_MS });
  await bench.openFile("store.py"); // a browser's window hears nothing when it is left from within a view
  await bench.focus("store.py");
  const comeBack = await leave(bench);
  assert.ok(!(await badges()).includes("1"));
  writeFileSync(join(workspace.path, "go"), "");
  await bench.waitUntil(async () => (await badges()).includes("1"), "the badge counts the question", RUN_LIMIT_MS);
  await bench.waitUntil(async () => (await told()) > 0, "the question is told");
  await comeBack();
  await chat.question(text).waitFor();
  assert.equal(await told(), 1, "it is told once");
  assert.deepEqual(await bench.notificationButtons(text), ["Answer"]);
  await bench.screenshot("told");
  await bench.clickNotificationButton(text, "Answer");
  await answer(bench, text, answers[1]);
  await chat.said("It is kept as an alias.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitUntil(async () => !(await badges()).includes("1"), "nothing waits");
  assert.equal(await told(), 0, "nor is it told again");
  await bench.screenshot("answered");
}

function unasked() {
  return chatSetup({ "planact.approval": "acceptAll" });
}

async function failsHidden(bench) {
  const { request, question } = words.chat.look;
  const tabs = () => bench.page.locator(".editor-group-container").evaluateAll((groups) => groups.map((group) => [...group.querySelectorAll(".tab")].map((tab) => tab.getAttribute("data-resource-name"))));
  const chat = await openChat(bench);
  await say(chat, request);
  await chat.plan(request).waitFor({ timeout: RUN_LIMIT_MS });
  const plan = await planInView(bench);
  await bench.palette(words.folders.explorer);
  await bench.clickLens(plan, words.lenses.execute);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await bench.notificationButtons(question), ["Answer"]);
  assert.deepEqual(await tabs(), [[plan]]);
  await bench.screenshot("told");
  await bench.reload();
  await bench.waitForStatus(/· failed/, RUN_LIMIT_MS);
  await bench.waitUntil(async () => (await tabs()).flat().length > 0, "the plan is open again");
  await bench.screenshot("reloaded");
  await bench.page.locator(".part.statusbar").getByRole("button", { name: /Planact: Act/ }).click();
  await (await chatInView(bench)).question(question).waitFor();
  assert.deepEqual(await tabs(), [[plan]]);
}

function withFailure() {
  return chatSetup({ "planact.approval": "acceptEdits" });
}
