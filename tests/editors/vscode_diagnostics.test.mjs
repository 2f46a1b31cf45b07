// What VS Code's own language features find amiss, read by the model in Plan, and in the results of its edits.
import assert from "node:assert/strict";

import { chatSetup, begin, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const FAULTY = "# A goal\n## Steps\n- [ ] 1. Look\n  - tools: reed_file\n";

function withFaults() {
  return { ...chatSetup(), files: { "names.json": '{\n  "name": "Ada",\n}\n', "faulty.plan": FAULTY } };
}

scenario("the model reads what a language of VS Code's finds amiss, and nothing of planact's own", withFaults, async (bench) => {
  const chat = await begin(bench);
  const faults = (path, kind) => bench.page.locator(`.editor-group-container:has(.tab.active[data-resource-name="${path}"]) .squiggly-${kind}`).first();
  await bench.openFile("faulty.plan");
  await faults("faulty.plan", "warning").waitFor({ state: "attached" });
  await bench.openFile("names.json");
  await faults("names.json", "error").waitFor({ state: "attached" });
  await say(chat, "What is amiss?");
  await chat.said("I read: names.json:2: error: Trailing comma (json 519); that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("read");
  await chat.frame.getByText("get_diagnostics").first().waitFor({ state: "attached" });
});

const NAMES = '{\n  "first": 1,\n  "name": "Ada"\n}\n';

function withNames() {
  return { ...chatSetup({ "planact.approval": "acceptEdits" }), files: { "near.json": NAMES } };
}

scenario("an edit's own result tells what a language of VS Code's finds in it", withNames, async (bench, workspace) => {
  const chat = await begin(bench);
  await bench.openFile("near.json");
  await bench.page.locator('.statusbar-item:has-text("JSON")').first().waitFor({ state: "attached" });
  await chat.frame.getByRole("button", { name: "Act", exact: true }).click();
  await bench.waitForStatus(words.status.act, RUN_LIMIT_MS);
  await say(chat, "Break the names");
  await chat.said("My edit says: the editor: 1 new error in near.json since your edit near.json:3: error: Trailing comma (json 519); that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("told");
  assert.doesNotMatch(workspace.read("near.json"), /"Ada",/); // it is open, and unsaved
});
