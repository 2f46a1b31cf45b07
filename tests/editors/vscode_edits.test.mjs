// Edits in VS Code: seen before they are made, seen after a step, and taken back.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { chatSetup, newSession, say } from "./harness/chat_rig.mjs";
import { moreActions, titleButton, waitForBefore, waitForNoDifference } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { answer, answerByPalette, executeToQuestion, makePlan, PLAN, planRequest, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const KIND = "kind.plan";
const GREET = "greet.plan";
const SHOWN = "shown.plan";

function withRequests() {
  return { ...setup(), files: { [PLAN]: words.request, [SHOWN]: words.request, [KIND]: words.rejected.request, [GREET]: words.several.request } };
}

scenario("edits are seen and answered", withRequests, async (bench, workspace, code, part) => {
  /** Begins with the project as it was, the chat hidden, and one request beside a file. */
  const begin = async (plan, settings) => {
    await bench.palette(words.palette.saveFiles);
    workspace.restore();
    await bench.palette(words.folders.closeAll);
    code.configure(settings.machineSettings);
    await openChat(bench);
    await newSession(bench);
    await bench.palette(words.folders.explorer);
    await planRequest(bench, "store.py", plan);
  };
  await makePlan(bench);
  await part("what a step did is seen beside the plan, and taken back from there", () => seenAndTakenBack(bench, workspace));
  await begin(KIND, setup());
  await part("an edit is rejected with words, and the agent does it otherwise", () => rejected(bench, workspace));
  await bench.waitForLensText(KIND, "1 of 1 done", RUN_LIMIT_MS);
  await bench.dismissNotification("Be kind. Done"); // one is told after another
  await begin(GREET, setup({ "planact.approval": "review" }));
  await part("of a change of several files one is allowed and another rejected", () => ofSeveral(bench, workspace));
  await bench.waitForLensText(GREET, "1 of 1 done", RUN_LIMIT_MS);
  await begin(SHOWN, setup({ "planact.showEdits": true }));
  await part("an edit that needs no leave is seen as soon as its step is done, and taken back from there", () => seenAtOnce(bench, workspace));
  code.configure(chatSetup({ "planact.approval": "review" }).machineSettings);
  await openChat(bench);
  await newSession(bench);
  await part("a difference of many lines stands in the editor's own beside the chat, which keeps the keyboard", () => besideChat(bench, workspace));
});

async function seenAndTakenBack(bench, workspace) {
  const { show, tab, removed, added, rollBack, question, confirm } = words.stepDiff;
  await executeToQuestion(bench);
  await answer(bench, words.question.text, words.question.answer);
  await bench.waitForLensText(PLAN, words.lenses.allDone, RUN_LIMIT_MS);
  await bench.clickLens(PLAN, show);
  await bench.waitForDifference(added);
  await waitForBefore(bench, removed);
  assert.ok((await bench.editorText(PLAN)).includes(words.inPlan.goal), "the plan stays in view");
  await bench.screenshot("difference");
  await titleButton(bench, tab, rollBack).click();
  await answer(bench, question, confirm);
  await bench.waitUntil(() => workspace.read("store.py").includes(removed), "the file is as it was", RUN_LIMIT_MS);
  await bench.waitForText(PLAN, words.inPlan.pending);
  await bench.waitForLensText(PLAN, words.stepDiff.afterwards);
  await bench.screenshot("rolled-back");
}

async function seenAtOnce(bench, workspace) {
  const { first, second, added, question } = words.applied;
  const before = workspace.read("app.py");
  await titleButton(bench, SHOWN, words.marks.execute).click();
  await answer(bench, words.confirm.question, words.confirm.execute);
  await bench.waitForStatus(words.status.answer, RUN_LIMIT_MS);
  await bench.focus(SHOWN);
  await answerByPalette(bench, words.question.answer);
  await bench.waitForLensText(SHOWN, words.lenses.allDone, RUN_LIMIT_MS);
  await bench.waitForDifference(added);
  await waitForNoDifference(bench, first);
  await bench.screenshot("shown");
  assert.ok((await bench.editorText(SHOWN)).includes(words.inPlan.goal), "the plan stays in view");
  const keyboard = bench.page.locator(".editor-group-container:has(.monaco-editor.focused) .tab.active");
  assert.equal(await keyboard.getAttribute("data-resource-name"), SHOWN, "it keeps the keyboard");
  assert.notEqual(workspace.read("app.py"), before);
  await titleButton(bench, second, words.stepDiff.rollBack).click();
  await answer(bench, question, words.stepDiff.confirm);
  await bench.waitUntil(() => workspace.read("app.py") === before, "the file is as it was", RUN_LIMIT_MS);
}

async function rejected(bench, workspace) {
  const { question, tab, first, reject, box, words: said, second, done, kept } = words.rejected;
  const before = workspace.read("app.py");
  await bench.clickLens(KIND, words.lenses.execute);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.palette(words.palette.answer);
  await bench.waitForDifference(first);
  await bench.screenshot("first");
  await titleButton(bench, tab, reject).click();
  await bench.inputBox(said, box);
  await waitForNoDifference(bench, tab);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(workspace.read("app.py"), before, "the rejected edit was not made");
  await bench.palette(words.palette.answer);
  await bench.waitForDifference(second);
  await bench.screenshot("second");
  await titleButton(bench, tab, words.approval.allow).click();
  await bench.waitUntil(() => workspace.read("app.py").includes(kept), "the other edit is made", RUN_LIMIT_MS);
  await bench.waitForText(KIND, done, RUN_LIMIT_MS);
}

async function ofSeveral(bench, workspace) {
  const { deed, first, second, all, showAll, oneByOne, allow, reject, box, words: said, after, created, told, done } = words.several;
  const before = workspace.read("app.py");
  await bench.clickLens(GREET, words.lenses.execute);
  await bench.notification(deed).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.palette(words.palette.answer);
  await bench.waitForDifference(after);
  await bench.screenshot("first");
  await moreActions(bench, first, showAll);
  await bench.page.locator(".multiDiffEntry", { hasText: "morning.txt" }).first().waitFor();
  await bench.screenshot("all");
  await moreActions(bench, all, oneByOne);
  await titleButton(bench, first, allow).click();
  await bench.waitForDifference(created);
  assert.equal(workspace.read("app.py"), before, "nothing is changed before all is said");
  await bench.screenshot("second");
  await titleButton(bench, second, reject).click();
  await bench.inputBox(said, box);
  await bench.waitUntil(() => workspace.read("app.py").includes(after), "what was allowed is made", RUN_LIMIT_MS);
  await waitForNoDifference(bench, second);
  await bench.waitForText(GREET, done, RUN_LIMIT_MS);
  assert.equal(existsSync(join(workspace.path, "greetings")), false, "what was rejected is not made");
  const chat = await openChat(bench);
  await chat.run(words.several.goal).waitFor();
  await chat.step("1 ").first().locator("h3 > .fold").click(); // a finished step is one line
  await chat.frame.getByText(told).first().waitFor();
  await bench.screenshot("chat");
}

async function besideChat(bench, workspace) {
  const { request, question, tab, line, file } = words.chat.poem;
  const chat = await openChat(bench);
  await say(chat, request);
  await chat.plan(request).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
  const card = chat.question(question);
  await card.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForDifference(line);
  await chat.write("Say it in prose");
  await bench.screenshot("beside");
  assert.equal(await card.locator("pre").count(), 0, "the card doesn't repeat it");
  assert.equal(await chat.input.evaluate((input) => input === document.activeElement), true);
  await chat.write("");
  await card.button("Allow").first().click();
  await waitForNoDifference(bench, tab);
  await chat.run(request).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.match(workspace.read(file), new RegExp(line));
}
