// The chat view in VS Code's side bar, as a person uses it.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { openChat, seriousFindings } from "./harness/chat.mjs";
import { begin, planInChat } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("a request in the chat becomes a plan there, and the plan becomes edits", setup, async (bench, workspace) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await bench.screenshot("welcome");
  await chat.write(words.request.trim());
  await chat.press("Enter");
  await chat.plan(words.chat.goal).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("plan");
  assert.equal(workspace.read("store.py").includes("def load(path):"), true, "planning changes no source file");
  await chat.plan(words.chat.goal).button("Execute Plan").click();
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForStatus(words.status.act);
  await bench.screenshot("question");
  await chat.question(words.question.text).button(words.question.answer).click();
  await chat.run(words.chat.goal).getByText("success").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("done");
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
});

scenario("a plan is commented on, revised, approved and carried out from its card, and what comes up is answered there", setup, async (bench, workspace) => {
  const { comment, button, wish, told, description, added, news } = words.chat.revise;
  const chat = await begin(bench);
  const card = await planInChat(chat);
  await bench.screenshot("plan");
  await card.button("Open Document").click();
  const [name] = readdirSync(join(workspace.path, ".planact", "plans")).filter((each) => each.endsWith(".plan"));
  await bench.waitForText(name, words.inPlan.goal);
  await bench.goToEndOf(name, words.review.under);
  await bench.press("Enter");
  await bench.type(comment);
  await card.button(button).click();
  await card.getByRole("textbox", { name: "What should be different?" }).fill(wish);
  await bench.screenshot("wish");
  await card.button("Revise").click();
  await card.getByText(added).waitFor({ timeout: RUN_LIMIT_MS });
  await card.getByText(description).waitFor();
  for (const text of [wish, told]) await chat.frame.locator(".user").last().getByText(text, { exact: true }).waitFor();
  assert.equal(await card.count(), 1, "one card, of the plan as it is now");
  assert.equal(await card.locator("ol > li").count(), 3);
  assert.ok(!(await bench.editorText(name)).includes(comment), "the comment is worked in");
  await bench.screenshot("revised");

  await card.button("Approve").click();
  await card.locator(".status", { hasText: "approved" }).waitFor();
  await card.button("Approve").waitFor({ state: "detached" });
  assert.equal(workspace.diff(), "", "approval starts nothing");
  await bench.screenshot("approved");

  await card.button("Execute Plan").click();
  const question = chat.question(words.question.text);
  await question.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await question.button(words.question.answer).click();
  await question.waitFor({ state: "detached" });
  await chat.frame.locator(".user", { hasText: "Your answer" }).getByText(words.question.answer, { exact: true }).waitFor();
  const run = chat.run(words.chat.goal);
  await run.getByText("success").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await run.locator("ol > li").count(), 3);
  await card.locator(".status", { hasText: "3 of 3 done" }).waitFor();
  await bench.screenshot("ended");
  for (const [file, text] of Object.entries({ ...words.edits, "NEWS.md": news })) assert.ok(workspace.read(file).includes(text), workspace.diff());
  assert.deepEqual(await seriousFindings(chat), []);
});

scenario("a batch of questions of every kind is answered in one form, and each fault is told where it is", setup, async (bench) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  const { request, thanks, answers } = words.chat.batch;
  await chat.write(request);
  await chat.press("Enter");
  const form = chat.question("Which colour");
  await form.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("form");
  const field = (text) => chat.field(form, text);
  const title = field("Which title?").getByRole("textbox");
  assert.equal(await form.getByRole("radio", { name: "Blue" }).isChecked(), true, "the default is marked");
  assert.equal(await field("How fast?").getByRole("radio", { name: "At leisure default" }).isChecked(), true, "also that of named values");
  const size = field("How big?");
  assert.equal(await size.getByRole("radio", { name: "small default" }).isChecked(), true, "and that of a schema that lists values");
  await field("Which colour").getByRole("radio", { name: "Other" }).check();
  await field("Which colour").getByRole("textbox", { name: "Other" }).fill("violet");
  const places = field("Where?");
  assert.equal(await places.getByRole("checkbox", { name: "Header default" }).isChecked(), true, "of several, the default is marked as well");
  await places.getByRole("checkbox", { name: "Footer" }).check();
  await places.getByRole("checkbox", { name: "Other" }).check();
  await places.getByRole("textbox", { name: "Other" }).fill("margin");
  await size.getByRole("radio", { name: "large" }).check();
  await title.fill("no");
  await field("How many?").getByRole("spinbutton").fill("0");
  const owner = field("Who owns it?");
  await owner.getByRole("textbox", { name: "city" }).fill("London");
  await owner.getByRole("spinbutton", { name: "share" }).fill("2");
  await owner.getByRole("button", { name: "Add" }).click();
  await owner.getByRole("group", { name: "tags" }).getByRole("textbox", { name: "1", exact: true }).fill("new");
  for (const day of ["Monday", "Wednesday"]) await owner.getByRole("checkbox", { name: day }).check();
  const people = field("Who works on it?");
  await people.getByRole("button", { name: "Add" }).click();
  const names = people.getByRole("textbox", { name: "name" });
  assert.equal(await people.locator(".item legend > .required:visible").count(), 0, "an item that is there is not called for");
  await names.nth(0).fill("Grace");
  await people.getByRole("combobox", { name: "role" }).nth(0).selectOption("Operator");
  await people.getByRole("radio", { name: "Yes" }).nth(0).check();
  await names.nth(1).fill("A");
  await form.button("Answer").click();
  const faults = [["Are you sure?", "Not answered yet."], ["Which title?", "Too short"], ["How many?", "0 is less than 1"], ["Who owns it?", "is required"], ["Who owns it?", "2 is greater than 1"], ["Who works on it?", "Too short"]];
  for (const [asked, fault] of faults) await field(asked).getByText(fault).waitFor();
  await bench.screenshot("faults");
  await field("Who works on it?").getByText("Too short").scrollIntoViewIfNeeded();
  await bench.screenshot("faults in lists");
  assert.deepEqual(await seriousFindings(chat), []);
  await field("Are you sure?").getByRole("radio", { name: "Yes" }).check();
  await title.fill("no capital");
  await field("How many?").getByRole("spinbutton").fill("2");
  await owner.getByRole("textbox", { name: "name" }).fill("Ada");
  await owner.getByRole("spinbutton", { name: "share" }).fill("0.25");
  await names.nth(1).fill("Alan");
  const either = field("A number or a word?");
  for (const [wrong, fault] of [["", "Not answered yet."], ["seven", "not JSON"]]) {
    await either.getByRole("textbox").fill(wrong);
    await form.button("Answer").click();
    await either.getByRole("alert").filter({ hasText: fault }).waitFor();
  }
  await either.getByRole("textbox").fill("7");
  await form.button("Answer").click();
  await field("Which title?").getByRole("alert").waitFor();
  await bench.screenshot("refused");
  await title.fill("Capital");
  await form.button("Answer").click();
  await chat.frame.getByText(thanks).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("answered");
  const said = chat.frame.locator(".user").last();
  for (const answer of ["violet", "Header, Footer, margin", "At leisure", "name: Grace, role: ops"]) await said.getByText(answer).waitFor();
  await chat.frame.locator(".calls summary").first().click();
  await chat.frame.locator(".calls li summary, .calls details details summary", { hasText: "ask_user" }).first().click();
  const told = JSON.parse(await chat.frame.locator(".calls pre").innerText());
  assert.deepEqual(told, { answers }, "what the agent was told");
});

scenario("words, paths and what is selected are completed and handed over, and a model is chosen from a list", setup, async (bench) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.openFile("store.py");
  await bench.focus("store.py");
  await bench.press("Control+A");
  const chat = await openChat(bench);
  await chat.type("What does @sel");
  await chat.completion("selection").waitFor();
  await bench.screenshot("mention");
  await chat.press("Enter");
  await chat.type("do?");
  await chat.press("Enter");
  await chat.frame.getByText("It reads a file.").first().waitFor({ timeout: RUN_LIMIT_MS });
  await chat.type("@check");
  await chat.completion("check_app.py").waitFor();
  await chat.write("/he");
  await chat.completion("/help").waitFor();
  await chat.write("/help");
  await chat.press("Enter");
  await chat.frame.getByText("/template use").waitFor();
  await bench.screenshot("help");
  await chat.frame.getByRole("button", { name: "model.yaml" }).click();
  await bench.page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await bench.insert("anthropic/claude-sonnet-4-5");
  await bench.screenshot("model");
  await bench.quickPick("anthropic/claude-sonnet-4-5");
  await bench.page.locator(".quick-input-widget:visible", { hasText: "ANTHROPIC_API_KEY" }).waitFor();
  await bench.page.keyboard.press("Escape");
  await chat.frame.getByRole("button", { name: /claude-sonnet/ }).waitFor();
});

scenario("a window loaded again has all that was said and the question that waits, in every kind of theme, and goes on upon the answer", setup, async (bench, _workspace, code) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  let chat = await openChat(bench);
  await chat.write(words.request.trim());
  await chat.press("Enter");
  await chat.plan(words.chat.goal).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.plan(words.chat.goal).button("Execute Plan").click();
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  for (const theme of ["Light Modern", "Dark Modern", "Default High Contrast"]) {
    code.configureUser({ "workbench.colorTheme": theme });
    await bench.reload();
    await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
    chat = await openChat(bench);
    await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
    await chat.plan(words.chat.goal).waitFor();
    await chat.run(words.chat.goal).getByText("paused").waitFor();
    assert.equal(await goingOn(chat).count(), 0, "what there is to do is to answer");
    await chat.waitForTheme(theme);
    await bench.screenshot(theme);
    assert.deepEqual(await seriousFindings(chat), []);
  }
  await chat.question(words.question.text).button(words.question.answer).click();
  await chat.question(words.question.text).waitFor({ state: "detached" });
  await chat.run(words.chat.goal).getByText("success").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.plan(words.chat.goal).locator(".status", { hasText: "2 of 2 done" }).waitFor();
  assert.equal(await goingOn(chat).count(), 0, "nothing is left to do");
  await bench.screenshot("done");
});

function goingOn(chat) {
  return chat.frame.getByRole("button", { name: /^(Continue|Resume|Execute Plan)$/ });
}
