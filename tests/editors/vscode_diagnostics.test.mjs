// What VS Code's own language features find amiss, read by the model in Plan, and in the results of its edits; and what they know of
// names, which the model finds in Plan, and renames in Act.
import assert from "node:assert/strict";

import { openChat } from "./harness/chat.mjs";
import { chatSetup, newSession, say } from "./harness/chat_rig.mjs";
import { titleButton, waitForNoDifference } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const FAULTY = "# A goal\n## Steps\n- [ ] 1. Look\n  - tools: reed_file\n";

const NAMES = '{\n  "first": 1,\n  "name": "Ada"\n}\n';

const STYLE = ":root {\n  --price: 1;\n}\n.bill {\n  order: var(--price);\n  z-index: var(--price);\n  colour: red;\n}\n";

const NEAR = "export function load(): number {\n  return 'one';\n}\n";
const FAR = 'import { load } from "./near";\n\nexport const total = load() + load();\n';

function withFaults() {
  const plain = { "names.json": '{\n  "name": "Ada",\n}\n', "faulty.plan": FAULTY, "near.json": NAMES, "far.json": NAMES };
  const typed = { "total.ts": "export const total: number = 1;\n", "seen.ts": "export const seen: number = 'none';\n" };
  const userSettings = { "security.workspace.trust.enabled": false }; // VS Code's TypeScript isn't there before
  const named = { "bill.css": STYLE, "near.ts": NEAR, "far.ts": FAR, "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }) };
  return { ...settings("acceptEdits"), userSettings, files: { ...plain, ...typed, ...named } };
}

function settings(approval) {
  return chatSetup({ "planact.approval": approval, "typescript.disableAutomaticTypeAcquisition": true });
}

scenario("the model is told what VS Code's own languages know", withFaults, async (bench, workspace, code, part) => {
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await part("the model reads what a language of VS Code's finds amiss, and nothing of planact's own", () => reads(bench, chat));
  await part("an edit's own result tells what a language of VS Code's finds in it", () => toldOfOpen(bench, workspace, chat));
  await part("an edit of a file that no tab shows tells what VS Code's TypeScript finds in it", () => toldOfUnseen(bench, workspace, chat));
  code.configure(settings("acceptAll").machineSettings);
  await newSession(bench);
  await part("the model finds where a name is used by a language of VS Code's, and renames it there", () => ofStyles(bench, chat));
  await bench.save("bill.css");
  workspace.restore();
  code.configure(settings("review").machineSettings);
  await newSession(bench);
  await part("a rename by VS Code's TypeScript is made in a file that no tab shows too, or in none, and is taken back", () => ofModules(bench, workspace, chat));
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
  await bench.waitForFlash("Saved: near.json.");
  assert.match(workspace.read("near.json"), /"Ada",/);
  await bench.palette(words.palette.saveFiles);
  await bench.waitForFlash("All files of the run are saved.");
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

async function ofStyles(bench, chat) {
  await bench.openFile("bill.css");
  await bench.page.locator(".squiggly-warning").first().waitFor({ state: "attached", timeout: RUN_LIMIT_MS }); // it has read the file
  await say(chat, "Who uses the price?");
  await chat.said("I read: --price: 3 places where it is used or defined, by the editor's language server").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByText(words.modes.act, { exact: true }).first().click();
  await bench.waitForStatus(words.status.act, RUN_LIMIT_MS);
  await say(chat, "Call it cost");
  await chat.said("It says: renamed --price to --cost in 3 places in 1 file, by the editor's language server").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForText("bill.css", "order: var(--cost);", RUN_LIMIT_MS);
  await bench.screenshot("renamed");
}

async function ofModules(bench, workspace, chat) {
  await bench.openFile("near.ts");
  await bench.page.locator(".squiggly-error").first().waitFor({ state: "attached", timeout: RUN_LIMIT_MS }); // it has read the files
  await chat.frame.getByRole("button", { name: words.modes.act, exact: true }).click();
  await bench.waitForStatus(words.status.act, RUN_LIMIT_MS);
  await say(chat, "Call it fetch");

  const review = chat.question("Change near.ts and far.ts");
  await review.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await review.button("Open Diff").click();
  await bench.waitForDifference("function fetch()");
  await titleButton(bench, "near.ts (1 of 2, would change)", "Allow File").click();
  await bench.waitForDifference("fetch() + fetch()");
  await titleButton(bench, "far.ts (2 of 2, would change)", "Reject File…").click();
  await bench.inputBox("call it take", "Reject the change of far.ts");
  await waitForNoDifference(bench, "would change");
  await review.button("Allow").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(workspace.diff(), "");
  await bench.waitForText("near.ts", "function load()");

  await review.button("Allow").click();
  await chat.said("It says: renamed load to take in 4 places in 2 files, by the editor's language server").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForText("near.ts", "function take()");
  assert.equal(workspace.read("near.ts"), NEAR, "it is open, and unsaved");
  assert.equal(workspace.read("far.ts"), FAR.replaceAll("load", "take"));
  assert.equal(await bench.page.locator('.tab[data-resource-name="far.ts"]').count(), 0);
  await bench.screenshot("renamed");

  await say(chat, "/undo");
  const { question, confirm } = words.trees.rollBack;
  await chat.question(question).button(confirm).click();
  await bench.waitForText("near.ts", "function load()", RUN_LIMIT_MS);
  await bench.waitUntil(() => workspace.read("far.ts") === FAR, "the unseen file is as it was", RUN_LIMIT_MS);
  assert.equal(workspace.diff(), "");
  await bench.screenshot("rolled-back");
}
