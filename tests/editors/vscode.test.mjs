// VS Code: from a request to executed edits, as a person does it. All texts are in words.json.
//   all:  node --test tests/editors/vscode.test.mjs
//   one:  node --test --test-name-pattern="leaving Act" tests/editors/vscode.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { planactCommand, planactVsix } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const words = JSON.parse(readFileSync(join(here, "words.json"), "utf8"));
const PLAN = "request.plan";
const RUN_LIMIT_MS = 60_000;

function setup() {
  const command = planactCommand();
  return {
    vsix: planactVsix(),
    project: join(here, "project"),
    files: { [PLAN]: words.request },
    machineSettings: {
      "planact.server.command": [command, "serve"],
      "planact.model": `scripted:${join(here, "model.yaml")}`,
    },
    path: `${dirname(command)}:${process.env.PATH}`,
  };
}

/** Trusts the folder, opens the request, and has the server make a plan of it. */
async function makePlan(bench) {
  await bench.screenshot("trust");
  await bench.trustFolder();
  await bench.openFile("store.py");
  await bench.openFile(PLAN, { beside: true });
  await bench.waitForStatus(words.status.plan);
  await bench.waitForLens(PLAN, words.lenses.generate);
  await bench.screenshot("request");
  await bench.clickLens(PLAN, words.lenses.generate);
  await bench.waitForText(PLAN, words.inPlan.pending, RUN_LIMIT_MS);
  await bench.waitForLens(PLAN, words.lenses.execute);
}

/** Starts the plan from the palette, up to the question of its first step. */
async function executeToQuestion(bench) {
  await bench.focus(PLAN);
  await bench.palette(words.palette.execute);
  const question = bench.notification(words.question.text);
  await bench.confirmUntil(words.confirm.execute, question);
}

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
