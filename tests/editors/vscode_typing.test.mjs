// VS Code: the user types into the file that the agent edits.
//   node --test tests/editors/vscode_typing.test.mjs
import assert from "node:assert/strict";

import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { answerByPalette, makePlan, PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const PEOPLES_DELAY_MS = 90;
const typing = words.typing;

function withNumbers() {
  return { ...setup(), files: { [PLAN]: typing.request, [typing.file]: typing.text } };
}

// The model's script goes on only after it was told what was typed before its first edit.
scenario("what the user types before and while a file is edited stays, and the model is told", withNumbers, async (bench, workspace) => {
  const { file, text, last, before, meanwhile, result } = typing;
  await makePlan(bench, file);
  await bench.clickLens(PLAN, words.lenses.execute);
  await bench.notification(typing.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.goToEndOf(file, last);
  await bench.press("Enter");
  await bench.type(before);
  await bench.press("Enter");
  await bench.screenshot("typed-before");
  await answerByPalette(bench, typing.begin);
  await bench.goToEndOf(file, before);
  await bench.press("Enter");
  await bench.type(meanwhile, PEOPLES_DELAY_MS);
  await bench.screenshot("typed-meanwhile");
  await answerByPalette(bench, typing.finish);
  await bench.waitForText(PLAN, typing.done, RUN_LIMIT_MS);
  await bench.screenshot("done");

  const typed = `${before}\n${meanwhile}\n`;
  assert.equal((await bench.editorText(file)).trim(), `${result}${typed}`.trim());
  assert.equal(workspace.read(file), text, "nothing is saved over the user's head");
  await bench.save(file);
  assert.equal(workspace.read(file).trim(), `${result}${typed}`.trim());
});
