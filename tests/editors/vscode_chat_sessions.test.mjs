// Sessions in VS Code's chat: they are gone on with, named and deleted, also after the window was loaded again.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { begin, chatSetup, inSessions, newSession, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { draft, long, picture, sessions } = words.chat;

scenario("sessions are there after a reload", chatSetup, async (bench, _workspace, code, part) => {
  await begin(bench);
  await part("a session is named, gone on with after another, deleted after a question, and there again after a reload", () => named(bench));
  await part("what was written and pasted and not sent, and the session opened last, are there after a reload at once", () => drafts(bench, code));
});

async function named(bench) {
  let chat = await openChat(bench);
  const said = (text) => chat.frame.locator(".said", { hasText: text });
  await say(chat, long.request);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await newSession(bench);
  await said(long.end).waitFor({ state: "detached" });
  await say(chat, picture.request);
  await said(picture.answer).waitFor({ timeout: RUN_LIMIT_MS });

  await inSessions(bench, picture.request, "Rename");
  await bench.screenshot("rename");
  await bench.inputBox(sessions.title, "Rename Session");
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: sessions.title }).first().waitFor();
  await bench.screenshot("sessions");
  await bench.quickPick(long.request);
  await said(long.end).waitFor();
  await said(picture.answer).waitFor({ state: "detached" });

  await inSessions(bench, sessions.title, "Delete");
  const question = chat.question(sessions.title);
  await question.waitFor();
  await bench.screenshot("delete");
  await question.button(sessions.delete).click();
  await question.waitFor({ state: "detached" });
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: long.request }).first().waitFor();
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: sessions.title }).first().waitFor({ state: "detached" });
  await bench.screenshot("deleted");
  await bench.press("Escape");
  await bench.reload();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  chat = await openChat(bench);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("reloaded");
}

async function drafts(bench, code) {
  let chat = await openChat(bench);
  const said = (text) => chat.frame.locator(".said", { hasText: text });
  for (const { request, answer } of [picture, { ...long, answer: long.end }]) {
    await newSession(bench);
    await say(chat, request);
    await said(answer).waitFor({ timeout: RUN_LIMIT_MS });
  }
  await chat.pastePicture();
  await chat.frame.getByRole("img", { name: draft.image }).waitFor();
  await chat.type(draft.text);
  await inSessions(bench, picture.request);
  await said(picture.answer).waitFor();
  // no screen tells that it is kept; an editor that is left sooner has not heard of it
  for (const text of [draft.text, "image/png"]) await bench.waitUntil(() => keptIn(code).some((kept) => kept.includes(text)), `${text} is kept`);
  await bench.reload();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  chat = await openChat(bench);
  await said(picture.answer).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.locator(".composer").getByRole("img", { name: draft.image }).waitFor();
  assert.equal(await chat.input.inputValue(), draft.text);
  await bench.screenshot("reloaded");
  await chat.press("Enter");
  await chat.frame.locator(".user", { hasText: draft.text }).getByRole("img", { name: draft.image }).waitFor();
  await bench.waitUntil(() => !keptIn(code).some((kept) => kept.includes(draft.text) || kept.includes("image/png")), "what was sent is not kept");
}

/** What the extension keeps of the workspace, file by file. */
function keptIn({ data }) {
  const all = join(data, "User", "workspaceStorage");
  const folders = readdirSync(all).map((workspace) => join(all, workspace, "planact.planact")).filter(existsSync);
  return folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => readFileSync(join(folder, name), "utf8")));
}
