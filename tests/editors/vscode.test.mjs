// VS Code: from a request to executed edits, as a person does it.
//   all:  node --test tests/editors/vscode.test.mjs
//   one:  node --test --test-name-pattern="leaving Act" tests/editors/vscode.test.mjs
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { closeDifference, titleButton, waitForBefore, waitForNoDifference } from "./harness/differences.mjs";
import { chatInView } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { waitForFrontMatter } from "./harness/plan_editor.mjs";
import { answer, answerByPalette, executeToQuestion, makePlan, PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("a request becomes a plan, and the plan becomes edits", setup, async (bench, workspace) => {
  await makePlan(bench);
  assert.ok((await bench.editorText(PLAN)).includes(words.inPlan.goal));
  const lenses = (await bench.lenses(PLAN)).join("\n");
  for (const title of ["execute", "revise", "runStep", "skip"]) assert.ok(lenses.includes(words.lenses[title]), lenses);
  await bench.screenshot("plan");
  assert.equal(workspace.read("store.py").includes("def load(path):"), true, "planning changes no source file");

  await executeToQuestion(bench);
  const asked = (await chatInView(bench)).question(words.question.text);
  for (const choice of words.question.answers) await asked.button(choice).waitFor();
  assert.equal(await bench.notification(words.question.text).count(), 0, "nothing tells what is in view");
  await bench.waitForStatus(words.status.answer);
  await bench.waitForText(PLAN, words.inPlan.running);
  await bench.screenshot("question");
  await answer(bench, words.question.text, words.question.answer);

  await bench.waitForText("store.py", words.edits["store.py"], RUN_LIMIT_MS);
  await bench.screenshot("edit");
  for (const mark of words.inPlan.done) await bench.waitForText(PLAN, mark, RUN_LIMIT_MS);
  await bench.waitUntil(async () => !(await bench.isDirty("store.py")), "the edited file is saved");
  await bench.waitUntil(async () => (await bench.lenses(PLAN)).includes(words.lenses.allDone), "the lens counts what is done");
  await bench.waitUntil(async () => !(await bench.isDirty(PLAN)), "the plan is saved, as it was before it was marked");
  await bench.screenshot("done");
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
});

scenario("a plan is commented, revised, approved, run for a step, relieved of one, and finished", setup, async (bench, workspace) => {
  const { review, lenses, inPlan, question, edits } = words;
  await makePlan(bench);
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
});

scenario("leaving Act while work runs asks first", setup, async (bench) => {
  await makePlan(bench);
  await executeToQuestion(bench);
  await bench.waitForStatus(words.status.act);
  await bench.palette(words.palette.switchMode);
  await bench.quickPick(words.modes.plan);
  await bench.dialog(words.stopQuestion).waitFor();
  await bench.screenshot("confirmation");
  await bench.clickDialogButton(words.stopQuestion, words.confirm.stop);
  await bench.waitForStatus(words.status.plan);
  await waitForFrontMatter(bench, PLAN, words.inPlan.paused);
  await bench.screenshot("paused");
});

function withStrayEdit() {
  return { ...setup(), files: { [PLAN]: words.approval.request } };
}

scenario("a change that the plan doesn't name is shown before it is made, and waits when it is closed", withStrayEdit, async (bench, workspace) => {
  const { question, tab, before, after, allow, edit } = words.approval;
  await makePlan(bench);
  await bench.clickLens(PLAN, words.lenses.execute);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await bench.notificationButtons(question), ["Answer"]);
  await bench.screenshot("question");
  await bench.palette(words.palette.answer);
  await bench.waitForDifference(after);
  await waitForBefore(bench, before);
  assert.ok((await bench.editorText(PLAN)).includes(words.inPlan.running), "the plan stays in view");
  await bench.screenshot("difference");
  await closeDifference(bench, tab);
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.waitForDifference(after);
  assert.equal(workspace.read("app.py").includes(edit), false, "nothing changes before the answer");
  await titleButton(bench, tab, allow).click();
  await bench.waitUntil(() => workspace.read("app.py").includes(edit), "the allowed edit is made", RUN_LIMIT_MS);
  await waitForNoDifference(bench, tab);
});

scenario("what changed in a plan since its approval is shown before it is executed", setup, async (bench) => {
  const { changed, line, question } = words.changedPlan;
  await makePlan(bench);
  await bench.clickLens(PLAN, words.review.approve);
  await bench.waitForLensText(PLAN, words.changedPlan.approved);
  await bench.goToEndOf(PLAN, words.review.under);
  await bench.type(changed);
  await bench.waitForLens(PLAN, words.review.approve);
  await bench.palette(words.palette.execute);
  const chat = await chatInView(bench);
  await chat.question(question).getByText(line).first().waitFor();
  await chat.question(question).button(words.confirm.cancel).waitFor();
  await bench.screenshot("difference");
  await answer(bench, question, words.confirm.execute);
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
});
