// A model that another extension brings into VS Code, asked without a key.
import { join } from "node:path";

import { begin, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { editors } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const { language_models: texts } = words;

function withModel() {
  return { ...setup({ "planact.model": texts.model }), more: [join(editors, "language_models")] };
}

scenario("a model that another extension brings into VS Code reads, answers, is stopped, and says why it can't", withModel, async (bench) => {
  const chat = await begin(bench);
  await say(chat, texts.read);
  await chat.said(texts.answer).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("answer");
  await say(chat, texts.silent);
  await chat.said(texts.begun).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByRole("button", { name: "Stop", exact: true }).click();
  await say(chat, texts.tell);
  await chat.said(texts.told).waitFor({ timeout: RUN_LIMIT_MS });
  await say(chat, texts.spend);
  await chat.card(texts.blocked).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("blocked");
  await bench.palette(texts.choose);
  const list = bench.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
  await list.filter({ hasText: texts.model }).filter({ hasText: texts.group }).waitFor();
  await bench.screenshot("choice");
});
