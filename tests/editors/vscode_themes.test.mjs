// VS Code in themes other than the light one: the plan with its marks, a difference, the trees and the walkthrough.
import assert from "node:assert/strict";

import { openChat } from "./harness/chat.mjs";
import { faintColours } from "./harness/contrast.mjs";
import { closeDifference } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { makePlan, PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { chooseTheme } from "./harness/themes.mjs";
import { expandRow, row } from "./harness/trees.mjs";

const THEMES = ["Dark Modern", "Dark High Contrast", "Light High Contrast"];

scenario("the plan, a difference, the trees and the walkthrough can be seen in a dark, a high contrast and a light high contrast theme", setup, async (bench) => {
  const { views, goal, steps, evidence } = words.trees;
  const { show, tab, added } = words.stepDiff;
  await makePlan(bench);
  await bench.palette(views.plans);
  await row(bench, goal).waitFor();
  await expandRow(bench, goal);
  await row(bench, steps[0]).waitFor();
  await inEachTheme(bench, () => seen(bench, words.modes.plan, "plan"));
  await bench.focus(PLAN);
  await bench.palette(words.palette.execute); // the chat is in view, so nothing is asked by a notification
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.quickPick(words.confirm.execute);
  await bench.waitForText(PLAN, words.inPlan.running, RUN_LIMIT_MS);
  await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
  await (await openChat(bench)).question("").button(words.question.answer).waitFor();
  await row(bench, "running").waitFor();
  await inEachTheme(bench, async (theme) => {
    const { marks } = await seen(bench, words.modes.act, "running");
    assert.ok(marks > 0, `the steps are marked: ${theme}`);
  });
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.quickPick(words.question.answer);
  await bench.waitForLensText(PLAN, words.lenses.allDone, RUN_LIMIT_MS);
  await bench.clickLens(PLAN, show);
  await inEachTheme(bench, async (theme) => {
    await bench.waitForDifference(added);
    await bench.screenshot(`difference ${theme}`);
  });
  await closeDifference(bench, tab);
  await bench.palette(views.executions);
  await row(bench, "success").waitFor({ timeout: RUN_LIMIT_MS });
  await expandRow(bench, "success");
  await row(bench, evidence).waitFor();
  await inEachTheme(bench, () => seen(bench, words.modes.act, "done"));
  await bench.palette(words.first.getStarted);
  const stepOf = (title) => bench.page.getByRole("button", { name: title }).or(bench.page.locator(".step-title", { hasText: title })).first();
  await stepOf(words.first.steps[0]).waitFor(); // the page takes the keyboard when it is there
  await inEachTheme(bench, async (theme) => {
    for (const title of words.first.steps) {
      await stepOf(title).click();
      await bench.screenshot(`${title} ${theme}`);
    }
  });
});

async function inEachTheme(bench, look) {
  for (const theme of THEMES) {
    await chooseTheme(bench, theme);
    await look(theme);
  }
}

async function seen(bench, mode, name) {
  await bench.screenshot(name);
  const { counts, faint } = await faintColours(bench, mode);
  assert.ok(counts.status === 1 && counts.icons > 0, JSON.stringify(counts));
  assert.deepEqual(faint, [], name);
  return counts;
}
