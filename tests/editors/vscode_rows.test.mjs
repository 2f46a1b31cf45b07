// The trees in VS Code's side bar: what there is, and what their rows offer, each done to what the row stands for, whatever is open in
// the editor.
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { chatInView } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { executeToQuestion, makePlan, planRequest, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { expandRow, inlineActions, row, rowMenu, waitForRowHover } from "./harness/trees.mjs";

const { here, there, menu, runs, templates, ...said } = words.rows;

const LATER = "later.plan";

function twoPlans() {
  const { files, ...others } = setup();
  return { ...others, files: { ...files, [here.file]: here.text, [there.file]: there.text } };
}

scenario("what is chosen on a row is done to what it stands for", twoPlans, async (bench, workspace, _code, part) => {
  await makePlan(bench);
  await part("a plan is carried out from its row, its question answered from another, and its run rolled back from a third", () => fromRows(bench, workspace));
  workspace.restore();
  await bench.palette(words.trees.views.plans);
  await expandRow(bench, words.trees.goal); // shut again: another plan has steps of the same names
  await row(bench, there.goal).waitFor();
  await bench.openFile(here.file);
  await part("what is chosen on a row that goes meanwhile is done to nothing", () => toNothing(bench, workspace));
  await bench.dismissNotification(said.gone);
  writeFileSync(join(workspace.path, there.file), there.text);
  await row(bench, there.goal).waitFor();
  await part("what is chosen on a plan's row is done to that plan, and not to the one that is open", () => toThatPlan(bench, workspace));
  await part("what is chosen on a template's row is done to that template", () => toThatTemplate(bench, workspace));
  writeFileSync(join(workspace.path, LATER), words.request);
  await planRequest(bench, "store.py", LATER);
  await part("what is chosen on the rows of a question and of a run is done to them", () => toThatRun(bench, workspace));
});

async function fromRows(bench, workspace) {
  const { hover, views, menu, goal, steps, usage, evidence, rollBack } = words.trees;
  await bench.page.locator(".part.statusbar").getByRole("button", { name: words.status.plan }).hover();
  for (const text of hover) await bench.page.locator(".monaco-hover:visible", { hasText: text }).waitFor();
  await bench.screenshot("mode");
  await bench.palette(views.plans);
  await row(bench, goal).waitFor();
  await expandRow(bench, goal);
  for (const step of steps) await row(bench, step).waitFor();
  assert.match((await inlineActions(bench, goal)).join(), new RegExp(`^${menu.execute}`));
  await bench.screenshot("plan");
  await rowMenu(bench, goal, menu.execute);
  await (await chatInView(bench)).question(words.confirm.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.palette(views.questions);
  await answerInTree(bench, words.confirm.question, words.confirm.execute);
  await answerInTree(bench, words.question.text, words.question.answer);
  for (const mark of words.inPlan.done) await bench.waitForText("request.plan", mark, RUN_LIMIT_MS);
  await bench.palette(views.plans);
  await row(bench, "done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.deepEqual(await inlineActions(bench, "done"), [], "what is done is not carried out again");
  for (const text of usage) await waitForRowHover(bench, "done", text);
  await bench.screenshot("done");
  await bench.palette(views.executions);
  await row(bench, "success").waitFor({ timeout: RUN_LIMIT_MS });
  await expandRow(bench, "success");
  await row(bench, evidence).waitFor();
  await bench.screenshot("run");
  assert.ok(workspace.read("store.py").includes(words.edits["store.py"]));
  await rowMenu(bench, "success", menu.rollBack);
  const chat = await chatInView(bench);
  await chat.question(new RegExp(rollBack.question)).button(rollBack.confirm).click();
  await bench.waitUntil(() => !workspace.read("store.py").includes(words.edits["store.py"]), "the file is as it was", RUN_LIMIT_MS);
  await bench.screenshot("rolled-back");
  await bench.palette(views.templates);
  await row(bench, words.trees.template).waitFor();
  await bench.screenshot("templates");
}

/** Answers a question from its row. */
async function answerInTree(bench, question, choice) {
  await row(bench, question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await row(bench, question).click();
  await bench.quickPick(choice);
  await row(bench, question).waitFor({ state: "detached" });
}

async function toNothing(bench, workspace) {
  await rowMenu(bench, there.goal, menu.pin, async () => {
    rmSync(join(workspace.path, there.file));
    await row(bench, there.goal).waitFor({ state: "detached" });
  });
  await bench.notification(said.gone).waitFor();
  await bench.screenshot("gone");
  assert.equal(await row(bench, "pinned").count(), 0, "the plan that is open is not pinned");
}

async function toThatPlan(bench, workspace) {
  await rowMenu(bench, there.goal, menu.open);
  await bench.waitForText(there.file, there.goal);
  await bench.openFile(here.file);
  await rowMenu(bench, there.goal, menu.approve);
  await bench.waitForFlash(said.approved);
  await row(bench, `${there.goal}approved`).waitFor();
  await bench.screenshot("approved");
  await bench.goToEndOf(there.file, there.goal);
  await bench.insert(said.change.slice(there.goal.length));
  await bench.save(there.file);
  await bench.openFile(here.file);
  await rowMenu(bench, said.change, menu.changes);
  await bench.waitForDifference(said.change);
  await bench.screenshot("changes");
  await bench.openFile(here.file);
  await rowMenu(bench, said.change, menu.pin);
  await bench.waitForFlash(said.pinned);
  await row(bench, "pinned").waitFor();
  await expandRow(bench, said.change);
  await rowMenu(bench, said.step, menu.skip);
  await bench.waitUntil(() => workspace.read(there.file).includes(said.skipped), "its step is skipped");
  await row(bench, said.step).locator(".codicon-debug-step-over").waitFor(); // a menu opened on the rows before would lead to nothing
  await bench.screenshot("skipped");
  await rowMenu(bench, said.change, menu.delete);
  await (await chatInView(bench)).question(said.deleteQuestion).button(said.delete).click();
  await bench.waitUntil(() => !existsSync(join(workspace.path, there.file)), "its file is deleted");
  await row(bench, said.change).waitFor({ state: "detached" });
  assert.equal(workspace.read(here.file), here.text);
}

async function toThatRun(bench, workspace) {
  const before = workspace.read("app.py");
  await executeToQuestion(bench, LATER);
  await bench.palette(words.trees.views.questions);
  await rowMenu(bench, words.question.text, runs.answer);
  await bench.quickPick(words.question.answer);
  await bench.palette(words.trees.views.executions);
  await row(bench, "success").waitFor({ timeout: RUN_LIMIT_MS });
  await rowMenu(bench, "success", runs.show);
  await bench.waitForText(runs.report, runs.told);
  await bench.screenshot("report");
  await expandRow(bench, "success");
  await rowMenu(bench, runs.first, runs.diff);
  await bench.waitForDifference(words.edits["store.py"]);
  await bench.screenshot("difference");
  await rowMenu(bench, runs.second, words.trees.menu.rollBack);
  await (await chatInView(bench)).question(new RegExp(words.trees.rollBack.question)).button(words.trees.rollBack.confirm).click();
  await bench.waitUntil(() => workspace.read("app.py") === before, "what its step changed is as before", RUN_LIMIT_MS);
  await row(bench, runs.partly).waitFor();
  assert.ok(workspace.read("store.py").includes(words.edits["store.py"]), "the other step's change stays");
  await bench.screenshot("rolled-back");
}

async function toThatTemplate(bench, workspace) {
  await bench.palette(words.trees.views.templates);
  await rowMenu(bench, words.trees.template, templates.use);
  for (const [title, value] of templates.values) await bench.inputBox(value, title);
  await bench.page.locator(".tab.active[data-resource-name$='-test-store-py.plan']").waitFor(); // it takes the keyboard
  await bench.palette(words.trees.views.plans);
  await row(bench, templates.goal).waitFor();
  await rowMenu(bench, templates.goal, templates.save);
  await bench.inputBox(templates.name, templates.save);
  const saved = join(workspace.path, ".planact", "templates", `${templates.name}.plan`);
  await bench.waitUntil(() => existsSync(saved), "the template is written");
  await bench.page.locator(`.tab.active[data-resource-name="${templates.name}.plan"]`).waitFor(); // or it takes the keyboard from a menu
  await bench.palette(words.trees.views.templates);
  await rowMenu(bench, templates.name, templates.delete);
  await (await chatInView(bench)).question(templates.question).button(said.delete).click();
  await bench.waitUntil(() => !existsSync(saved), "the template is deleted");
  await row(bench, templates.name).waitFor({ state: "detached" });
  await bench.screenshot("deleted");
}
