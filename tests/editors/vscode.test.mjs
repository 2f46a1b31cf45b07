// VS Code: from a request to executed edits, as a person does it.
//   all:  node --test tests/editors/vscode.test.mjs
//   one:  node --test --test-name-pattern="leaving Act" tests/editors/vscode.test.mjs
import assert from "node:assert/strict";

import { executeToQuestion, makePlan, PLAN, RUN_LIMIT_MS, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("a request becomes a plan, and the plan becomes edits", setup, async (bench, workspace) => {
  await makePlan(bench);
  assert.ok((await bench.editorText(PLAN)).includes(words.inPlan.goal));
  const lenses = (await bench.lenses(PLAN)).join("\n");
  for (const title of ["execute", "revise", "runStep", "skip"]) assert.ok(lenses.includes(words.lenses[title]), lenses);
  await bench.screenshot("plan");
  assert.equal(workspace.read("store.py").includes("def load(path):"), true, "planning changes no source file");

  await executeToQuestion(bench);
  const buttons = await bench.notificationButtons(words.question.text);
  assert.deepEqual(buttons.slice(0, 2), words.question.answers);
  await bench.waitForStatus(new RegExp(`${words.status.act}.*${words.status.waiting}`));
  await bench.waitForText(PLAN, words.inPlan.running);
  await bench.screenshot("question");
  await bench.clickNotificationButton(words.question.text, words.question.answer);

  await bench.waitForText("store.py", words.edits["store.py"], RUN_LIMIT_MS);
  await bench.screenshot("edit");
  for (const mark of words.inPlan.done) await bench.waitForText(PLAN, mark, RUN_LIMIT_MS);
  await bench.waitUntil(async () => !(await bench.isDirty("store.py")), "the edited file is saved");
  await bench.waitUntil(async () => (await bench.lenses(PLAN)).includes(words.lenses.allDone), "the lens counts what is done");
  await bench.waitUntil(async () => !(await bench.isDirty(PLAN)), "the plan is saved, as it was before it was marked");
  await bench.screenshot("done");
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
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
  await bench.waitForText(PLAN, words.inPlan.paused);
  await bench.screenshot("paused");
});

function withStrayEdit() {
  return { ...setup(), files: { [PLAN]: words.approval.request } };
}

scenario("a change that the plan doesn't name is shown line by line, and waits when the dialog is closed", withStrayEdit, async (bench, workspace) => {
  const { question, review, lines, cancel, allow, edit } = words.approval;
  await makePlan(bench);
  await bench.clickLens(PLAN, words.lenses.execute);
  await bench.notification(question).waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await bench.notificationButtons(question), [review]);
  await bench.screenshot("question");
  await bench.clickNotificationButton(question, review);
  const shown = (await bench.dialog(question).innerText()).split("\n");
  for (const line of lines) assert.ok(shown.some((each) => each.startsWith(line)), shown.join("\n"));
  await bench.screenshot("difference");
  await bench.clickDialogButton(question, cancel);
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.dialog(question).waitFor();
  assert.equal(workspace.read("app.py").includes(edit), false, "nothing changes before the answer");
  await bench.clickDialogButton(question, allow);
  await bench.waitUntil(() => workspace.read("app.py").includes(edit), "the allowed edit is made", RUN_LIMIT_MS);
});
