// Questions as notifications in VS Code: shown until they were seen, and answered by their buttons.
import assert from "node:assert/strict";

import { executeToQuestion, makePlan, RUN_LIMIT_MS, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("a question is shown again after a reload until it was seen, and stays open", setup, async (bench) => {
  const { text } = words.question;
  const badge = bench.page.locator(".activitybar .badge-content").filter({ hasText: "1" }).first();
  await makePlan(bench);
  await executeToQuestion(bench);
  await badge.waitFor();
  await bench.reload();
  await bench.notification(text).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.dismissNotification(text);
  await bench.palette(words.palette.switchMode); // the extension has heard of it by now, and VS Code has kept what it said
  await bench.page.locator(".quick-input-widget:visible", { hasText: words.palette.switchMode }).waitFor();
  await bench.press("Escape");
  await bench.reload();
  await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
  await badge.waitFor();
  assert.equal(await bench.notification(text).count(), 0, "it has been seen");
  await bench.screenshot("seen");
  await bench.palette(words.palette.answer);
  await bench.quickPick(words.question.answer);
  await badge.waitFor({ state: "detached" });
});
