// From an empty folder to a plan that is carried out, as somebody goes who never saw it: by what is on the screen alone.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { chatInView } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { first } = words;

/** Nothing is set, and the server is on the PATH. */
function nothing() {
  const { machineSettings, ...others } = setup();
  const [command] = machineSettings["planact.server.command"];
  return { ...others, project: "", files: {}, machineSettings: {}, profile: `PATH='${join(command, "..")}':"$PATH"\n` };
}

scenario("from an empty folder one gets to a plan that is carried out, and back, by what is on the screen", nothing, async (bench, workspace) => {
  const { page } = bench;
  await bench.trustFolder();
  await page.locator(".activitybar").getByRole("tab", { name: "Planact" }).click();
  const chat = await chatInView(bench);
  await chat.card(first.noModel).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByText(first.welcome).waitFor(); // what this is, before anything is asked
  await bench.screenshot("no model");
  await chat.card(first.noModel).button(first.demo).click();
  await chat.card(first.noModel).waitFor({ state: "detached" });
  await bench.screenshot("ready");
  await chat.frame.getByRole("button", { name: first.wish }).click();
  assert.equal(await chat.input.inputValue(), first.wish);
  await chat.frame.getByRole("button", { name: "Send" }).click();
  await chat.plan(first.goal).waitFor({ timeout: RUN_LIMIT_MS });
  await page.locator(".tab.active[data-resource-name$='.plan']").waitFor(); // by itself
  await chat.plan(first.goal).button("Open").waitFor({ state: "detached" });
  await bench.screenshot("plan");
  await chat.plan(first.goal).button("Execute Plan").click();
  await chat.question(first.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await chat.question(first.question).button("Good day").click();
  await chat.run(first.goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("done");
  await chat.card("Done").button("Review Changes").click();
  await bench.waitForDifference("Good day");
  await bench.screenshot("review");
  await chat.card("Done").button("Roll Back").click();
  await chat.question(new RegExp(words.trees.rollBack.question)).button(words.trees.rollBack.confirm).click();
  await chat.card("Rolled back").waitFor();
  await bench.waitForNoDifference(); // it shows what is no longer so
  await bench.screenshot("rolled back");
  assert.equal(await chat.card("Rolled back").button("Open Plan").count(), 0, "it is in view");
  assert.deepEqual(readdirSync(workspace.path).filter((name) => ![".git", ".planact"].includes(name)), []);
});
