// A mistake in a real package that only VS Code's own language server for TypeScript sees: the model that made it repairs it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { chatSetup, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { words } from "./harness/rename.mjs";
import { present, root } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const { chat: { numbered: texts } } = words;
const OPTIONS = { strict: true, noEmit: true, types: [], target: "es2022", module: "esnext", moduleResolution: "bundler" };
const ERRORS = "src/utils/errors.ts";

/** Immer's sources. Without Node's types there are errors in them, which shows when VS Code has read the project. */
function withPackage() {
  const sources = present(join(root, "tests", "real", ".cache", "node_modules", "immer", "src"), "tests/real/install");
  const names = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const files = Object.fromEntries(names.map((name) => [`src/${name}`, readFileSync(join(sources, name), "utf8")]));
  const settings = { "planact.approval": "acceptEdits", "typescript.disableAutomaticTypeAcquisition": true };
  const userSettings = { "security.workspace.trust.enabled": false }; // the language server isn't there before
  return { ...chatSetup(settings), userSettings, project: undefined, files: { ...files, "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }) } };
}

scenario("a type error is told to the model that made it, repaired without a question, and in the record", withPackage, async (bench, workspace) => {
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await bench.openFile(ERRORS);
  await bench.page.locator(".squiggly-error").first().waitFor({ state: "attached", timeout: RUN_LIMIT_MS });
  await say(chat, texts.request);
  const card = chat.plan(texts.request);
  await card.waitFor({ timeout: RUN_LIMIT_MS });
  await card.button("Execute Plan").click();
  const records = join(workspace.path, ".planact", "executions");
  const record = () => readdirSync(records).filter((name) => name.endsWith(".json") && name !== "index.json").map((name) => JSON.parse(readFileSync(join(records, name), "utf8")))[0];
  await bench.waitUntil(() => existsSync(records) && record()?.status === "success", "the record tells that the run is done", 2 * RUN_LIMIT_MS);
  await bench.screenshot("repaired");
  const [{ checks, evidence, repairs }] = record().steps;
  assert.equal(evidence.filter(({ tool }) => tool === "update_file").length, 3);
  assert.deepEqual(checks.map(({ kind, passed }) => [kind, passed]), [["diagnostics", true]]);
  assert.deepEqual(repairs, []);
  await chat.run(texts.request).getByText("Done").waitFor();
  await chat.frame.locator(".step h3 > .fold").first().click();
  for (const text of [texts.told, texts.done]) await chat.said(text).first().waitFor();
  await chat.frame.locator(".step .fold", { hasText: texts.passed }).first().waitFor();
  await bench.openFile(ERRORS); // the plan has opened over it
  await bench.waitForText(ERRORS, texts.right, RUN_LIMIT_MS);
});
