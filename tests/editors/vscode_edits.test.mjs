// Edits in VS Code: seen before they are made, seen after a step, and taken back.
import assert from "node:assert/strict";

import { titleButton, waitForBefore } from "./harness/differences.mjs";
import { executeToQuestion, makePlan, PLAN, RUN_LIMIT_MS, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("what a step did is seen beside the plan, and taken back from there", setup, async (bench, workspace) => {
  const { show, tab, removed, added, rollBack, question, confirm, told } = words.stepDiff;
  await makePlan(bench);
  await executeToQuestion(bench);
  await bench.clickNotificationButton(words.question.text, words.question.answer);
  await bench.waitForLensText(PLAN, words.lenses.allDone, RUN_LIMIT_MS);
  await bench.clickLens(PLAN, show);
  await bench.waitForDifference(added);
  await waitForBefore(bench, removed);
  assert.ok((await bench.editorText(PLAN)).includes(words.inPlan.goal), "the plan stays in view");
  await bench.screenshot("difference");
  await titleButton(bench, tab, rollBack).click();
  await bench.clickNotificationButton(question, confirm);
  await bench.notification(told).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitUntil(() => workspace.read("store.py").includes(removed), "the file is as it was", RUN_LIMIT_MS);
  await bench.waitForText(PLAN, words.inPlan.pending);
  await bench.waitForLensText(PLAN, words.stepDiff.afterwards);
  await bench.screenshot("rolled-back");
});
