// The chat view in VS Code's side bar, as a person uses it.
import assert from "node:assert/strict";

import { openChat, seriousFindings } from "./harness/chat.mjs";
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

scenario("a batch of questions of every kind is answered in one form", setup, async (bench) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await chat.write("Ask me everything");
  await chat.press("Enter");
  const form = chat.question("Which colour");
  await form.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("form");
  assert.equal(await form.getByRole("radio", { name: "Blue" }).isChecked(), true, "the default is marked");
  await form.getByRole("radio", { name: "Other" }).check();
  await form.getByRole("textbox", { name: "Other" }).fill("violet");
  const places = chat.field(form, "Where?");
  assert.equal(await places.getByRole("checkbox", { name: "Header default" }).isChecked(), true, "of several, the default is marked as well");
  await places.getByRole("checkbox", { name: "Footer" }).check();
  await places.getByRole("checkbox", { name: "Other" }).check();
  await places.getByRole("textbox", { name: "Other" }).fill("margin");
  await form.getByRole("radio", { name: "Yes" }).check();
  await chat.field(form, "How big?").getByRole("combobox").selectOption("large");
  await chat.field(form, "Which title?").getByRole("textbox").fill("no");
  await chat.field(form, "How many?").getByRole("spinbutton").fill("0");
  const owner = chat.field(form, "Who owns it?");
  await owner.getByRole("textbox", { name: "name" }).fill("Ada");
  await owner.getByRole("textbox", { name: "city" }).fill("London");
  const tags = chat.field(form, "Which tags?");
  await tags.getByRole("button", { name: /add/i }).click();
  await tags.getByRole("textbox").fill("new");
  await chat.field(form, "A number or a word?").getByRole("textbox").fill("7");
  await form.button("Answer").click();
  await bench.screenshot("faults");
  await chat.field(form, "Which title?").getByText(/short|length/i).waitFor();
  await chat.field(form, "How many?").getByText(/less|greater|minimum/i).waitFor();
  await chat.field(form, "Which title?").getByRole("textbox").fill("no capital");
  await chat.field(form, "How many?").getByRole("spinbutton").fill("2");
  await form.button("Answer").click();
  await form.getByRole("alert").waitFor();
  await bench.screenshot("refused");
  await chat.field(form, "Which title?").getByRole("textbox").fill("Capital");
  await form.button("Answer").click();
  await chat.frame.getByText("Thank you for all the answers.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("answered");
  const said = await chat.frame.locator(".user").last().innerText();
  for (const answer of ["violet", "Header, Footer, margin", "large", "Capital", "London", "new", "7"]) assert.ok(said.includes(answer), said);
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
  await chat.frame.getByText("It reads a file.").waitFor({ timeout: RUN_LIMIT_MS });
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

scenario("a window loaded again has all that was said and the question that waits, in every kind of theme", setup, async (bench, _workspace, code) => {
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
    await chat.waitForTheme(theme);
    await bench.screenshot(theme);
    assert.deepEqual(await seriousFindings(chat), []);
  }
  await chat.question(words.question.text).button(words.question.answer).click();
  await chat.question(words.question.text).waitFor({ state: "detached" });
});
