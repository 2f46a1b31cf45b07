// The pictures of the documentation: the demo's work in VS Code, with all that they show waited for. `make screenshots` takes them over.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { root } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const DEMO = join(root, "server", "planact", "cli", "demo");
const GOAL = "Mark overdue books in the report";
const QUESTION = "After how many days is a book overdue?";
const WINDOW = { width: 1240, height: 780 };

/** The demo's project, with its model beside it: pictures show no path of this machine. */
function demo() {
  const model = readFileSync(join(DEMO, "model.yaml"), "utf8");
  return { ...setup({ "planact.model": "scripted:model.yaml" }), project: join(DEMO, "project"), files: { "model.yaml": model } };
}

scenario("the pictures of the documentation", demo, async (bench) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.page.setViewportSize(WINDOW);
  const width = () => bench.page.locator(".monaco-workbench").evaluate((workbench) => workbench.clientWidth);
  await bench.waitUntil(async () => (await width()) === WINDOW.width, "the window has its size");
  const chat = await openChat(bench);
  await chat.write(GOAL);
  await chat.press("Enter");
  await chat.plan(GOAL).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.plan(GOAL).button("Open").waitFor({ state: "detached" }); // it is shown by itself
  const tab = bench.page.locator(".tab.active[data-resource-name$='.plan']");
  const plan = await tab.getAttribute("data-resource-name");
  await bench.waitForLens(plan, words.lenses.execute);
  await bench.focus(plan);
  await bench.press("Control+Home", "Control+Shift+[");
  await bench.page.locator(".view-line span.mtkb", { hasText: GOAL.split(" ")[0] }).waitFor(); // the grammar's bold: colours come late
  await bench.picture("plan");

  await chat.plan(GOAL).button("Execute Plan").click();
  await chat.question(QUESTION).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForText(plan, words.inPlan.running, RUN_LIMIT_MS);
  await bench.waitForLensText(plan, words.lenses.waiting);
  await bench.picture("question");

  await chat.question(QUESTION).button("Four weeks").click();
  await chat.run(GOAL).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForLensText(plan, words.lenses.allDone);
  await bench.picture("done");
});
