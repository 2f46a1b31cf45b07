// What VS Code's own language features find amiss, read by the model in Plan, and in the results of its edits.
import assert from "node:assert/strict";

import { openChat } from "./harness/chat.mjs";
import { chatSetup, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const FAULTY = "# A goal\n## Steps\n- [ ] 1. Look\n  - tools: reed_file\n";

const NAMES = '{\n  "first": 1,\n  "name": "Ada"\n}\n';

function withFaults() {
  const plain = { "names.json": '{\n  "name": "Ada",\n}\n', "faulty.plan": FAULTY, "near.json": NAMES, "far.json": NAMES };
  const typed = { "total.ts": "export const total: number = 1;\n", "seen.ts": "export const seen: number = 'none';\n" };
  const userSettings = { "security.workspace.trust.enabled": false }; // VS Code's TypeScript isn't there before
  return { ...chatSetup({ "planact.approval": "acceptEdits" }), userSettings, files: { ...plain, ...typed } };
}

scenario("the model is told what VS Code's own languages find amiss", withFaults, async (bench, workspace, _code, part) => {
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await part("the model reads what a language of VS Code's finds amiss, and nothing of planact's own", () => reads(bench, chat));
  await part("an edit's own result tells what a language of VS Code's finds in it", () => toldOfOpen(bench, workspace, chat));
  await part("an edit of a file that no tab shows tells what VS Code's TypeScript finds in it", () => toldOfUnseen(bench, workspace, chat));
});

async function reads(bench, chat) {
  const faults = (path, kind) => bench.page.locator(`.editor-group-container:has(.tab.active[data-resource-name="${path}"]) .squiggly-${kind}`).first();
  await bench.openFile("faulty.plan");
  await faults("faulty.plan", "warning").waitFor({ state: "attached" });
  await bench.openFile("names.json");
  await faults("names.json", "error").waitFor({ state: "attached" });
  await say(chat, "What is amiss?");
  await chat.said("I read: names.json:2: error: Trailing comma (json 519); that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("read");
  await chat.frame.getByText("Read the problems").first().waitFor();
}

async function toldOfOpen(bench, workspace, chat) {
  await bench.openFile("near.json");
  await bench.page.locator('.statusbar-item:has-text("JSON")').first().waitFor({ state: "attached" });
  await chat.frame.getByRole("button", { name: "Act", exact: true }).click();
  await bench.waitForStatus(words.status.act, RUN_LIMIT_MS);
  await say(chat, "Break the names");
  await chat.said("My edit says: the editor: 1 new error in near.json since your edit near.json:3: error: Trailing comma (json 519); that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  // The language's client asks for those in tabs alone.
  await chat.said("Unseen: the editor hasn't checked far.json yet").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("told");
  assert.doesNotMatch(workspace.read("near.json"), /"Ada",/); // it is open, and unsaved
  await bench.palette(words.palette.saveFiles);
  await bench.waitForStatus("Saved: near.json.");
  assert.match(workspace.read("near.json"), /"Ada",/);
  await bench.palette(words.palette.saveFiles);
  await bench.waitForStatus("All files of the run are saved.");
}

async function toldOfUnseen(bench, workspace, chat) {
  await bench.openFile("seen.ts");
  await bench.page.locator('.editor-group-container:has(.tab.active[data-resource-name="seen.ts"]) .squiggly-error').first().waitFor({ state: "attached", timeout: RUN_LIMIT_MS }); // TypeScript has started
  await say(chat, "Break the total");
  await chat.said("My edit says: the editor: 1 new error in total.ts since your edit total.ts:1: error: Type 'string' is not assignable to type 'number'. (ts 2322); that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.said("Then: the editor: no new errors in total.ts since your edit, 1 gone; that is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("unseen");
  assert.equal(await bench.page.locator('.tab[data-resource-name="total.ts"]').count(), 0);
  assert.match(workspace.read("total.ts"), /= 2;/); // it was edited on disk
}
