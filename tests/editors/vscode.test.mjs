// VS Code: from a request to executed edits, as a person does it.
//   all:  node --test tests/editors/vscode.test.mjs
//   one:  node --test --test-name-pattern="leaving Act" tests/editors/vscode.test.mjs
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { closeDifference, titleButton, waitForBefore, waitForNoDifference } from "./harness/differences.mjs";
import { chatInView, openChat } from "./harness/chat.mjs";
import { newSession } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { waitForFrontMatter } from "./harness/plan_editor.mjs";
import { answer, answerByPalette, executeToQuestion, makePlan, PLAN, planRequest, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const POLITE = "polite.plan";
const SHOWN = "shown.plan";
const AGREED = "agreed.plan";
const NUMBERS = "numbers.plan";
const PEOPLES_DELAY_MS = 90;
const { typing } = words;

/** A request for each part, since a plan that was carried out is done. */
function withRequests() {
  return { ...setup(), files: { [PLAN]: words.request, [SHOWN]: words.request, [AGREED]: words.request, [POLITE]: words.approval.request, [NUMBERS]: typing.request, [typing.file]: typing.text } };
}

scenario("a plan is shown, approved, stopped, worked on and carried out, and what it doesn't name is shown", withRequests, async (bench, workspace, _code, part) => {
  await makePlan(bench, "store.py", SHOWN);
  await part("a request becomes a plan, and the plan becomes edits", () => becomesEdits(bench, workspace));
  await afresh(bench, workspace, NUMBERS, typing.file);
  await part("what the user types before and while a file is edited stays, and the model is told", () => typed(bench, workspace));
  await bench.waitForLensText(NUMBERS, "1 of 1 done", RUN_LIMIT_MS);
  await afresh(bench, workspace, AGREED);
  await part("what changed in a plan since its approval is shown before it is executed", () => sinceApproval(bench));
  await bench.focus(AGREED);
  await part("leaving Act while work runs asks first", () => leaveAct(bench));
  await bench.save(AGREED); // else it is asked whether to, where it is closed
  await afresh(bench, workspace, PLAN);
  await part("a plan is commented, revised, approved, run for a step, relieved of one, and finished", () => workedOn(bench, workspace));
  await bench.dismissNotification(words.review.told); // one is told after another
  await afresh(bench, workspace, POLITE);
  await part("a change that the plan doesn't name is shown before it is made, and waits when it is closed", () => strayEdit(bench, workspace));
});

/** Begins a session with the project as it was at first, the chat hidden and nothing open but the request and a file. */
async function afresh(bench, workspace, plan, file = "store.py") {
  workspace.restore();
  await bench.palette(words.folders.closeAll);
  await openChat(bench);
  await newSession(bench);
  await bench.palette(words.folders.explorer);
  await planRequest(bench, file, plan);
}

async function becomesEdits(bench, workspace) {
  assert.ok((await bench.editorText(SHOWN)).includes(words.inPlan.goal));
  const lenses = (await bench.lenses(SHOWN)).join("\n");
  for (const title of ["execute", "revise", "runStep", "skip"]) assert.ok(lenses.includes(words.lenses[title]), lenses);
  await bench.screenshot("plan");
  assert.equal(workspace.read("store.py").includes("def load(path):"), true, "planning changes no source file");

  await executeToQuestion(bench, SHOWN);
  const asked = (await chatInView(bench)).question(words.question.text);
  for (const choice of words.question.answers) await asked.button(choice).waitFor();
  assert.equal(await bench.notification(words.question.text).count(), 0, "nothing tells what is in view");
  await bench.waitForStatus(words.status.answer);
  await bench.waitForText(SHOWN, words.inPlan.running);
  await bench.screenshot("question");
  await answer(bench, words.question.text, words.question.answer);

  await bench.waitForText("store.py", words.edits["store.py"], RUN_LIMIT_MS);
  await bench.screenshot("edit");
  for (const mark of words.inPlan.done) await bench.waitForText(SHOWN, mark, RUN_LIMIT_MS);
  await bench.waitUntil(async () => !(await bench.isDirty("store.py")), "the edited file is saved");
  await bench.waitUntil(async () => (await bench.lenses(SHOWN)).includes(words.lenses.allDone), "the lens counts what is done");
  await bench.waitUntil(async () => !(await bench.isDirty(SHOWN)), "the plan is saved, as it was before it was marked");
  await bench.screenshot("done");
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
}

async function workedOn(bench, workspace) {
  const { review, lenses, inPlan, question, edits } = words;
  await bench.goToEndOf(PLAN, review.under);
  await bench.press("Enter");
  await bench.type(review.comment);
  await bench.screenshot("comment");
  await bench.clickLens(PLAN, review.revise);
  await bench.waitForText(PLAN, review.added, RUN_LIMIT_MS);
  assert.ok(!(await bench.editorText(PLAN)).includes(review.comment), "the comment is worked in");
  await bench.waitForLensText(PLAN, review.draft);
  await bench.screenshot("revised");

  await bench.clickLens(PLAN, review.approve);
  await bench.waitForLensText(PLAN, review.approved);
  assert.equal(workspace.read("store.py").includes(edits["store.py"]), false, "approval starts nothing");
  await bench.screenshot("approved");

  await bench.clickLens(PLAN, lenses.runStep, 0);
  await bench.waitForText(PLAN, inPlan.running, RUN_LIMIT_MS);
  await answerByPalette(bench, question.answer); // the plan is approved, so nothing brought the chat into view
  await bench.waitForText(PLAN, inPlan.done[0], RUN_LIMIT_MS);
  await bench.waitForLensText(PLAN, review.afterStep);
  await bench.notification(review.told).waitFor();
  await bench.waitForText("store.py", edits["store.py"]);
  assert.equal(workspace.read("app.py").includes(edits["app.py"]), false, "no other step has run");
  await bench.screenshot("one-step");
  assert.equal(workspace.read("store.py").includes(edits["store.py"]), false, "nothing is saved unasked");
  await bench.clickNotificationButton(review.told, review.saveAll);
  await bench.waitUntil(() => workspace.read("store.py").includes(edits["store.py"]), "what the step changed is saved");

  await bench.clickLens(PLAN, lenses.skip, 0);
  await bench.waitForText(PLAN, review.skipped);
  await bench.waitForLensText(PLAN, review.afterSkip);
  await bench.screenshot("skipped");

  await bench.clickLens(PLAN, lenses.execute);
  await bench.waitForText(PLAN, review.last, RUN_LIMIT_MS);
  await bench.waitForLensText(PLAN, review.finished, RUN_LIMIT_MS);
  await waitForFrontMatter(bench, PLAN, review.status);
  await bench.notification(review.told).waitFor();
  await bench.screenshot("finished");
  for (const [name, text] of Object.entries(edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
  assert.equal(existsSync(join(workspace.path, review.unwanted)), false, "what was skipped was not done");
  await bench.save(PLAN);
  for (const mark of [inPlan.done[0], review.skipped, review.last]) assert.ok(workspace.read(PLAN).includes(mark));
  assert.ok(!(await bench.lenses(PLAN)).some((title) => [lenses.execute, lenses.runStep].includes(title)));
}

async function leaveAct(bench) {
  await bench.waitForStatus(words.status.act);
  await bench.palette(words.palette.switchMode);
  await bench.quickPick(words.modes.plan);
  await bench.dialog(words.stopQuestion).waitFor();
  await bench.screenshot("confirmation");
  await bench.clickDialogButton(words.stopQuestion, words.confirm.stop);
  await bench.waitForStatus(words.status.plan);
  await waitForFrontMatter(bench, AGREED, words.inPlan.paused);
  await bench.screenshot("paused");
}

async function strayEdit(bench, workspace) {
  const { question, tab, before, after, allow, edit } = words.approval;
  await bench.clickLens(POLITE, words.lenses.execute);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await bench.notificationButtons(question), ["Answer"]);
  await bench.screenshot("question");
  await bench.palette(words.palette.answer);
  await bench.waitForDifference(after);
  await waitForBefore(bench, before);
  assert.ok((await bench.editorText(POLITE)).includes(words.inPlan.running), "the plan stays in view");
  await bench.screenshot("difference");
  await closeDifference(bench, tab);
  await bench.clickLens(POLITE, words.lenses.answer);
  await bench.waitForDifference(after);
  assert.equal(workspace.read("app.py").includes(edit), false, "nothing changes before the answer");
  await titleButton(bench, tab, allow).click();
  await bench.waitUntil(() => workspace.read("app.py").includes(edit), "the allowed edit is made", RUN_LIMIT_MS);
  await waitForNoDifference(bench, tab);
}

async function sinceApproval(bench) {
  const { changed, line, question } = words.changedPlan;
  await bench.clickLens(AGREED, words.review.approve);
  await bench.waitForLensText(AGREED, words.changedPlan.approved);
  await bench.goToEndOf(AGREED, words.review.under);
  await bench.type(changed);
  await bench.waitForLens(AGREED, words.review.approve);
  await bench.palette(words.palette.execute);
  const chat = await chatInView(bench);
  await chat.question(question).getByText(line).first().waitFor();
  await chat.question(question).button(words.confirm.cancel).waitFor();
  await bench.screenshot("difference");
  await answer(bench, question, words.confirm.execute);
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
}

// The model's script goes on only after it was told what was typed before its first edit.
async function typed(bench, workspace) {
  const { file, text, last, before, meanwhile, result } = typing;
  await bench.clickLens(NUMBERS, words.lenses.execute);
  await bench.notification(typing.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.goToEndOf(file, last);
  await bench.press("Enter");
  await bench.type(before);
  await bench.press("Enter");
  await bench.screenshot("typed-before");
  await answerByPalette(bench, typing.begin);
  await bench.goToEndOf(file, before);
  await bench.press("Enter");
  await bench.type(meanwhile, PEOPLES_DELAY_MS);
  await bench.screenshot("typed-meanwhile");
  await answerByPalette(bench, typing.finish);
  await bench.waitForText(NUMBERS, typing.done, RUN_LIMIT_MS);
  await bench.screenshot("done");

  const all = `${before}\n${meanwhile}\n`;
  assert.equal((await bench.editorText(file)).trim(), `${result}${all}`.trim());
  assert.equal(workspace.read(file), text, "nothing is saved over the user's head");
  await bench.save(file);
  assert.equal(workspace.read(file).trim(), `${result}${all}`.trim());
}
