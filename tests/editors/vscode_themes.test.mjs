// VS Code in themes other than the light one: the plan with its marks, a difference, the trees and the walkthrough.
import assert from "node:assert/strict";

import { openChat } from "./harness/chat.mjs";
import { faintColours } from "./harness/contrast.mjs";
import { closeDifference } from "./harness/differences.mjs";
import { makePlan, PLAN, RUN_LIMIT_MS, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { expandRow, row } from "./harness/trees.mjs";

const THEMES = [
  ["dark", "Default Dark Modern"],
  ["high contrast", "Default High Contrast"],
  ["light high contrast", "Default High Contrast Light"],
];

for (const [name, theme] of THEMES) {
  scenario(`the plan, a difference, the trees and the walkthrough can be seen in a ${name} theme`, () => ({ ...setup(), userSettings: { "workbench.colorTheme": theme } }), look);
}

async function look(bench) {
  const { views, goal, steps, evidence } = words.trees;
  const { show, tab, added } = words.stepDiff;
  await makePlan(bench);
  await bench.palette(views.plans);
  await row(bench, goal).waitFor();
  await expandRow(bench, goal);
  await row(bench, steps[0]).waitFor();
  await seen(bench, words.modes.plan, "plan");
  await bench.focus(PLAN);
  await bench.palette(words.palette.execute); // the chat is in view, so nothing is asked by a notification
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.quickPick(words.confirm.execute);
  await bench.waitForText(PLAN, words.inPlan.running, RUN_LIMIT_MS);
  await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
  await (await openChat(bench)).question("").button(words.question.answer).waitFor();
  await row(bench, "running").waitFor();
  const { marks } = await seen(bench, words.modes.act, "running");
  assert.ok(marks > 0, "the steps are marked");
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.quickPick(words.question.answer);
  await bench.waitForLensText(PLAN, words.lenses.allDone, RUN_LIMIT_MS);
  await bench.clickLens(PLAN, show);
  await bench.waitForDifference(added);
  await bench.screenshot("difference");
  await closeDifference(bench, tab);
  await bench.palette(views.executions);
  await row(bench, "success").waitFor({ timeout: RUN_LIMIT_MS });
  await expandRow(bench, "success");
  await row(bench, evidence).waitFor();
  await seen(bench, words.modes.act, "done");
  await bench.palette(words.first.getStarted);
  for (const title of words.first.steps) {
    await bench.page.getByRole("button", { name: title }).or(bench.page.locator(".step-title", { hasText: title })).first().click();
    await bench.screenshot(title);
  }
}

async function seen(bench, mode, name) {
  await bench.screenshot(name);
  const { counts, faint } = await faintColours(bench, mode);
  assert.ok(counts.status === 1 && counts.icons > 0, JSON.stringify(counts));
  assert.deepEqual(faint, [], name);
  return counts;
}
