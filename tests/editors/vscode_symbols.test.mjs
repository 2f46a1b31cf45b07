// What VS Code's own language features know of names: the model finds a name's uses in Plan, and renames it in Act.
//   node --test tests/editors/vscode_symbols.test.mjs
import { chatSetup, begin, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const STYLE = ":root {\n  --price: 1;\n}\n.bill {\n  order: var(--price);\n  z-index: var(--price);\n  colour: red;\n}\n";

function withNames() {
  return { ...chatSetup({ "planact.approval": "acceptAll" }), files: { "bill.css": STYLE } };
}

scenario("the model finds where a name is used by a language of VS Code's, and renames it there", withNames, async (bench) => {
  const chat = await begin(bench);
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
});
