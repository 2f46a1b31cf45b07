// Sessions in VS Code's chat: they are gone on with, named and deleted, also after the window was loaded again.
import { openChat } from "./harness/chat.mjs";
import { begin, chatSetup, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { long, picture, sessions } = words.chat;

scenario("a session is named, gone on with after another, deleted after a question, and there again after a reload", chatSetup, async (bench) => {
  let chat = await begin(bench);
  const button = (name) => chat.frame.getByRole("button", { name, exact: true });
  const said = (text) => chat.frame.locator(".said", { hasText: text });
  await say(chat, long.request);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await button("New").click();
  await said(long.end).waitFor({ state: "detached" });
  await say(chat, picture.request);
  await said(picture.answer).waitFor({ timeout: RUN_LIMIT_MS });

  await button("Sessions").click();
  await button(`Rename ${picture.request}`).click();
  await chat.frame.getByRole("textbox", { name: "Title" }).fill(sessions.title);
  await bench.screenshot("rename");
  await chat.frame.getByRole("textbox", { name: "Title" }).press("Enter");
  await button("Sessions").click();
  await button(sessions.title).waitFor();
  await bench.screenshot("sessions");
  await button(long.request).click();
  await said(long.end).waitFor();
  await said(picture.answer).waitFor({ state: "detached" });

  await button("Sessions").click();
  await button(`Delete ${sessions.title}`).click();
  const question = chat.question(sessions.title);
  await question.waitFor();
  await bench.screenshot("delete");
  await question.button(sessions.delete).click();
  await question.waitFor({ state: "detached" });
  await button("Sessions").click();
  await button(long.request).waitFor();
  await bench.waitUntil(async () => !(await button(sessions.title).isVisible()), "the session is gone");
  await bench.screenshot("deleted");
  await bench.reload();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  chat = await openChat(bench);
  await said(long.end).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("reloaded");
});
