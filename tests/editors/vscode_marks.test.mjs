// A plan in VS Code's editor while it runs, for those who turned lenses off.
import assert from "node:assert/strict";

import { titleButton } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { sourceAction, stepMarks, waitForHover } from "./harness/plan_editor.mjs";
import { answerByPalette, PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { chooseTheme } from "./harness/themes.mjs";

function withoutLenses() {
  return { ...setup(), userSettings: { "editor.codeLens": false } };
}

async function areMarked(bench, marks, limit) {
  for (const theme of ["Dark Modern", "Dark High Contrast"]) {
    await chooseTheme(bench, theme);
    await bench.waitUntil(async () => same(await stepMarks(bench), marks), `the steps are marked ${marks}: ${theme}`, limit);
    await bench.screenshot(`${marks} ${theme}`);
  }
}

scenario("steps are marked while they run, in a dark and in a high contrast theme, and all is done by code actions where lenses are off", withoutLenses, async (bench) => {
  const { generate, execute, running, done, showDiff, buttons, hint, hover } = words.marks;
  await bench.trustFolder();
  await bench.openFile("store.py");
  await bench.openFile(PLAN, { beside: true });
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.focus(PLAN);
  await titleButton(bench, PLAN, /Split Editor/).waitFor();
  assert.deepEqual(await offered(bench), [], "there is nothing to execute or to revise yet");
  await sourceAction(bench, generate);
  await bench.waitForText(PLAN, words.inPlan.pending, RUN_LIMIT_MS);
  await bench.waitUntil(async () => same(await offered(bench), buttons), `the buttons are ${buttons}`);
  assert.deepEqual(await stepMarks(bench), [], "nobody has begun");
  await bench.goToEndOf(PLAN, words.inPlan.goal);
  await sourceAction(bench, execute);
  await bench.notification(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  await areMarked(bench, running);
  await answerByPalette(bench, words.question.answer);
  await areMarked(bench, done, RUN_LIMIT_MS);
  assert.deepEqual(await bench.lenses(PLAN), []);
  await bench.waitUntil(async () => same(await offered(bench), buttons.slice(1)), "what is done is not executed again");
  await bench.waitForText(PLAN, hint);
  await waitForHover(bench, hover.over, ...hover.says);
  await bench.screenshot("hover");
  await bench.goToEndOf(PLAN, words.marks.step);
  await sourceAction(bench, showDiff);
  await bench.waitForDifference(words.stepDiff.added);
  await bench.screenshot("done");
});

/** The buttons of planact at the top of the plan's editor. */
async function offered(bench) {
  const labels = await Promise.all(words.marks.buttons.map((label) => titleButton(bench, PLAN, label).count()));
  return words.marks.buttons.filter((_, index) => labels[index] > 0);
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
