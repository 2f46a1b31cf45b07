// The trees in VS Code's side bar: what there is, and what can be done with it.
import assert from "node:assert/strict";

import { chatInView } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { makePlan, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { expandRow, inlineActions, row, rowMenu, waitForRowHover } from "./harness/trees.mjs";

scenario("a plan is carried out from its row, its question answered from another, and its run rolled back from a third", setup, async (bench, workspace) => {
  const { hover, views, menu, goal, steps, usage, evidence, rollBack } = words.trees;
  await makePlan(bench);
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
  await answer(bench, words.confirm.question, words.confirm.execute);
  await answer(bench, words.question.text, words.question.answer);
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
});

/** Answers a question from its row. */
async function answer(bench, question, choice) {
  await row(bench, question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await row(bench, question).click();
  await bench.quickPick(choice);
  await row(bench, question).waitFor({ state: "detached" });
}
