// The work that the scenarios have done: a rename, in a sample project, by a model that plays a script. All texts are in words.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { chatInView } from "./chat.mjs";
import { RUN_LIMIT_MS } from "./limits.mjs";
import { editors, planactCommand, planactVsix } from "./rig.mjs";

export const words = JSON.parse(readFileSync(join(editors, "words.json"), "utf8"));
export const PLAN = "request.plan";
const ASKED = /Planact: (Plan|Act)( \d+\/\d+)? · (answer|allow\?)/;

/** The extension with the server of this checkout; `settings` come on top. */
export function setup(settings = {}) {
  const command = planactCommand();
  return {
    vsix: planactVsix(),
    project: join(editors, "project"),
    files: { [PLAN]: words.request },
    machineSettings: {
      "planact.server.command": [command, "serve"],
      "planact.model": `scripted:${join(editors, "model.yaml")}`,
      ...settings,
    },
  };
}

/** Trusts the folder, opens the request beside a file, and has the server make a plan of it. */
export async function makePlan(bench, file = "store.py", plan = PLAN) {
  await bench.screenshot("trust");
  await bench.trustFolder();
  await planRequest(bench, file, plan);
}

/** Opens the request beside a file, and has the server make a plan of it. */
export async function planRequest(bench, file = "store.py", plan = PLAN) {
  await bench.openFile(file);
  await bench.openFile(plan, { beside: true });
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.waitForLens(plan, words.lenses.generate);
  await bench.screenshot("request");
  await bench.clickLens(plan, words.lenses.generate);
  await bench.waitForText(plan, words.inPlan.pending, RUN_LIMIT_MS);
  await bench.waitForLens(plan, words.lenses.execute);
}

/** Starts the plan from the palette, up to the question of its first step. Both are asked in the chat, which comes into view for the first. */
export async function executeToQuestion(bench, plan = PLAN) {
  await bench.focus(plan);
  await bench.palette(words.palette.execute);
  await answer(bench, words.confirm.question, words.confirm.execute);
  await (await chatInView(bench)).question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
}

/** Answers a question in the chat, which is in view. */
export async function answer(bench, question, choice) {
  const asked = (await chatInView(bench)).question(question);
  await asked.button(choice).first().click({ timeout: RUN_LIMIT_MS });
  await asked.waitFor({ state: "detached" });
}

/** Answers a question by the keyboard, whether the chat is in view or not. */
export async function answerByPalette(bench, choice) {
  await bench.waitForStatus(ASKED, RUN_LIMIT_MS);
  await bench.palette(words.palette.answer);
  await bench.quickPick(choice);
}
