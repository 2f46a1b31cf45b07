// What VS Code's own language features know of names: the model finds a name's uses in Plan, and renames it in Act.
//   node --test tests/editors/vscode_symbols.test.mjs
import assert from "node:assert/strict";

import { openChat } from "./harness/chat.mjs";
import { chatSetup, newSession, say } from "./harness/chat_rig.mjs";
import { titleButton, waitForNoDifference } from "./harness/differences.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const STYLE = ":root {\n  --price: 1;\n}\n.bill {\n  order: var(--price);\n  z-index: var(--price);\n  colour: red;\n}\n";

scenario("VS Code's languages know of names", withModules, async (bench, workspace, code, part) => {
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await part("the model finds where a name is used by a language of VS Code's, and renames it there", () => ofStyles(bench, chat));
  await bench.save("bill.css");
  workspace.restore();
  code.configure(settings("review").machineSettings);
  await newSession(bench);
  await part("a rename by VS Code's TypeScript is made in a file that no tab shows too, or in none, and is taken back", () => ofModules(bench, workspace, chat));
});

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

const NEAR = "export function load(): number {\n  return 'one';\n}\n";
const FAR = 'import { load } from "./near";\n\nexport const total = load() + load();\n';

function withModules() {
  const userSettings = { "security.workspace.trust.enabled": false }; // VS Code's TypeScript isn't there before
  const files = { "bill.css": STYLE, "near.ts": NEAR, "far.ts": FAR, "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }) };
  return { ...settings("acceptAll"), userSettings, files };
}

function settings(approval) {
  return chatSetup({ "planact.approval": approval, "typescript.disableAutomaticTypeAcquisition": true });
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
