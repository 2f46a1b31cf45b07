// The chat view in VS Code's side bar, as a person uses it.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { openChat, seriousFindings } from "./harness/chat.mjs";
import { begin, newSession, planInChat } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

scenario("the chat is used as a person does", setup, async (bench, workspace, code, part) => {
  const chat = await begin(bench);
  const again = async () => {
    workspace.restore();
    await newSession(bench);
    await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  };
  await part("questions of every kind are answered one at a time, and each fault is told where it is", () => everyKind(bench, chat));
  await again();
  await part("a request in the chat becomes a plan there, and the plan becomes edits", () => becomesEdits(bench, workspace, chat));
  await again();
  await part("a plan is commented on, revised, approved and carried out from its card, and what comes up is answered there", () => revised(bench, workspace, chat));
  await again();
  await part("a window loaded again has all that was said and the question that waits, in every kind of theme, and goes on upon the answer", () => loadedAgain(bench, code, chat));
  await again();
  await part("words, paths and what is selected are completed and handed over, and a model is chosen from a list", () => completed(bench));
});

async function becomesEdits(bench, workspace, chat) {
  await bench.screenshot("welcome");
  await chat.write(words.request.trim());
  await chat.press("Enter");
  const plan = chat.plan(words.chat.goal);
  await plan.waitFor({ timeout: RUN_LIMIT_MS });
  await chat.planLine(words.chat.goal).waitFor();
  await bench.screenshot("plan");
  assert.equal(workspace.read("store.py").includes("def load(path):"), true, "planning changes no source file");
  assert.equal(await filled(chat), 1, "one filled button");
  await plan.button("Execute Plan").click();
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForStatus(words.status.act);
  await chat.frame.locator(".strip", { hasText: "1/2" }).getByText("waits for you").waitFor();
  assert.equal(await filled(chat), 0, "a row answers");
  await bench.screenshot("question");
  await chat.question(words.question.text).button(words.question.answer).click();
  await chat.run(words.chat.goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.card("Done").button("Review Changes").waitFor();
  assert.equal(await chat.frame.locator(".strip").count(), 0);
  await chat.step("1 ").first().getByText("✓").waitFor();
  await chat.step("1 ").first().locator("h3 > .fold").click();
  await chat.answered(words.question.text).getByText(words.question.answer).waitFor();
  await bench.screenshot("done");
  assert.deepEqual(await seriousFindings(chat), []);
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
}

function filled(chat) {
  return chat.frame.locator(".primary:not(.chevron)").count();
}

async function revised(bench, workspace, chat) {
  const { comment, button, wish, told, added, news } = words.chat.revise;
  const plans = () => readdirSync(join(workspace.path, ".planact", "plans")).filter((each) => each.endsWith(".plan"));
  const earlier = plans();
  const card = await planInChat(chat);
  await bench.screenshot("plan");
  await chat.planLine(words.chat.goal).click();
  const [name] = plans().filter((each) => !earlier.includes(each));
  await bench.waitForText(name, words.inPlan.goal);
  await card.button("Open").waitFor({ state: "detached" });
  await bench.goToEndOf(name, words.review.under);
  await bench.press("Enter");
  await bench.type(comment);
  await card.button(button).waitFor();
  await bench.screenshot("comment");
  await chat.write(wish);
  await chat.press("Enter");
  await chat.frame.locator(".plan-line").getByText(added).waitFor({ timeout: RUN_LIMIT_MS });
  for (const text of [wish, told]) await chat.frame.locator(".user").last().getByText(text, { exact: true }).waitFor();
  assert.equal(await chat.planLine(words.chat.goal).count(), 1, "one line, of the plan as it is now");
  assert.equal(await chat.frame.locator(".plan-line ol > li").count(), 3);
  assert.ok(!(await bench.editorText(name)).includes(comment), "the comment is worked in");
  await bench.screenshot("revised");

  await card.button("More").click();
  await chat.frame.getByRole("menuitem", { name: "Approve Only" }).click();
  await card.getByText("approved").waitFor();
  assert.equal(workspace.diff(), "", "approval starts nothing");
  await bench.screenshot("approved");

  await card.button("Execute Plan").click();
  const question = chat.question(words.question.text);
  await question.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await question.button(words.question.answer).click();
  await question.waitFor({ state: "detached" });
  await chat.run(words.chat.goal).getByText("Done · 3 steps").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await chat.frame.locator(".step.over").count(), 3);
  await bench.screenshot("ended");
  for (const [file, text] of Object.entries({ ...words.edits, "NEWS.md": news })) assert.ok(workspace.read(file).includes(text), workspace.diff());
  assert.deepEqual(await seriousFindings(chat), []);
}

async function everyKind(bench, chat) {
  const { request, thanks } = words.chat.batch;
  await chat.write(request);
  await chat.press("Enter");
  const form = chat.question("");
  await form.waitFor({ timeout: RUN_LIMIT_MS });
  const at = (text) => form.locator("h2", { hasText: text }).waitFor();
  const next = () => form.locator(".primary").click();
  const fault = (text) => form.getByText(text).first().waitFor();
  await bench.screenshot("form");
  const pages = Number(/of (\d+)/.exec(await form.locator(".pages").innerText())[1]);
  for (let page = 1; page <= pages; page += 1) {
    await form.locator(".pages", { hasText: `${page} of ${pages}` }).waitFor();
    await fillPage(form, fault, next);
    if (page === 1) await bench.screenshot("first page");
    await next();
  }
  await at("Which title?"); // the server alone knows the pattern
  await form.getByRole("alert").waitFor();
  assert.doesNotMatch(await form.getByRole("alert").innerText(), /\^\[/, "no pattern is shown to people");
  await bench.screenshot("refused");
  await form.getByRole("textbox", { name: "Your answer" }).fill("Capital");
  // on to the last page, where all is sent
  while (await form.locator(".primary", { hasText: "Next" }).isVisible()) await next();
  await form.locator(".primary", { hasText: "Answer" }).click();
  await chat.frame.getByText(thanks).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("answered");
  const said = chat.frame.locator(".answered").last();
  const told = ["violet", "Header, Footer, margin", "Yes", "large", "Capital", "2", "At leisure", /^name: Ada, .*city: London.*share: 0.25, tags: new, days: mon, wed$/, /^name: Grace, role: ops, lead: Yes; name: Alan, role: dev, lead: No$/, "7"];
  for (const answer of told) await said.locator(".given").getByText(answer, { exact: true }).waitFor();
  assert.deepEqual(await seriousFindings(chat), []);
}

/** Fills in one page, at first with what doesn't fit. */
async function fillPage(form, fault, next) {
  const title = await form.locator("h2").innerText();
  const own = form.getByRole("textbox", { name: "Your answer" });
  const is = (text) => title.includes(text);
  const isChosen = async (role, name, what) => assert.equal(await form.getByRole(role, { name }).getAttribute("aria-checked"), "true", what);
  if (is("Which colour")) {
    await isChosen("radio", /Blue/, "the default is marked");
    await form.getByRole("radio", { name: "Other…" }).click();
    await form.getByRole("textbox", { name: "Other" }).fill("violet");
  } else if (is("Where?")) {
    await isChosen("checkbox", /Header/, "of several, the default is marked as well");
    await form.getByRole("checkbox", { name: /Footer/ }).click();
    await form.getByRole("checkbox", { name: "Other…" }).click();
    await form.getByRole("textbox", { name: "Other" }).fill("margin");
  } else if (is("How fast?")) {
    await isChosen("radio", /At leisure/, "also that of named values");
  } else if (is("How big?")) {
    await isChosen("radio", /small/, "and that of a schema that lists values");
    await form.getByRole("radio", { name: /large/ }).click();
  } else if (is("Are you sure?")) {
    await next();
    await fault("Not answered yet.");
    await form.getByRole("radio", { name: /Yes/ }).click();
  } else if (is("Which title?")) {
    await own.fill("no");
    await next();
    await fault("Too short");
    await own.fill("no capital");
  } else if (is("How many?")) {
    await form.getByRole("spinbutton").fill("0");
    await next();
    await fault("0 is less than 1");
    await form.getByRole("spinbutton").fill("2");
  } else if (is("Who owns it?")) {
    await form.getByRole("textbox", { name: "city" }).fill("London");
    await form.getByRole("spinbutton", { name: "share" }).fill("2");
    await next();
    for (const text of ["is required", "2 is greater than 1"]) await fault(text);
    await form.getByRole("button", { name: "Add" }).click();
    await form.getByRole("group", { name: "tags" }).getByRole("textbox", { name: "1", exact: true }).fill("new");
    for (const day of ["Monday", "Wednesday"]) await form.getByRole("checkbox", { name: day }).check();
    await form.getByRole("textbox", { name: "name" }).fill("Ada");
    await form.getByRole("spinbutton", { name: "share" }).fill("0.25");
  } else if (is("Who works on it?")) {
    await form.getByRole("button", { name: "Add" }).click();
    const names = form.getByRole("textbox", { name: "name" });
    assert.equal(await form.locator(".item legend > .required:visible").count(), 0, "an item that is there is not called for");
    await names.nth(0).fill("Grace");
    await form.getByRole("combobox", { name: "role" }).nth(0).selectOption("Operator");
    await form.getByRole("radio", { name: "Yes" }).nth(0).check();
    await names.nth(1).fill("A");
    await next();
    await fault("Too short");
    await names.nth(1).fill("Alan");
  } else if (is("A number or a word?")) {
    for (const [wrong, text] of [["", "Not answered yet."], ["seven", "not JSON"]]) {
      await form.getByRole("textbox").fill(wrong);
      await next();
      await fault(text);
    }
    await form.getByRole("textbox").fill("7");
  }
}

async function completed(bench) {
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
  await newSession(bench);
  await chat.frame.getByText("/template use").waitFor({ state: "detached" });
  await chat.frame.getByRole("button", { name: "model.yaml" }).click();
  await bench.page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await bench.insert("anthropic/claude-sonnet-4-5");
  await bench.screenshot("model");
  await bench.quickPick("anthropic/claude-sonnet-4-5");
  await bench.page.locator(".quick-input-widget:visible", { hasText: "ANTHROPIC_API_KEY" }).waitFor();
  await bench.page.keyboard.press("Escape");
  await chat.frame.getByRole("button", { name: /claude-sonnet/ }).waitFor();
}

async function loadedAgain(bench, code, begun) {
  let chat = begun;
  await chat.write(words.request.trim());
  await chat.press("Enter");
  await chat.plan(words.chat.goal).button("Execute Plan").click({ timeout: RUN_LIMIT_MS });
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  for (const theme of ["Light Modern", "Dark Modern", "Default High Contrast"]) {
    code.configureUser({ "workbench.colorTheme": theme });
    await bench.reload();
    await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
    chat = await openChat(bench);
    await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
    await chat.planLine(words.chat.goal).waitFor();
    assert.equal(await goingOn(chat).count(), 0, "what there is to do is to answer");
    await chat.waitForTheme(theme);
    await bench.screenshot(theme);
    assert.deepEqual(await seriousFindings(chat), []);
  }
  await chat.question(words.question.text).button(words.question.answer).click();
  await chat.question(words.question.text).waitFor({ state: "detached" });
  await chat.run(words.chat.goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await goingOn(chat).count(), 0, "nothing is left to do");
  await bench.screenshot("done");
}

function goingOn(chat) {
  return chat.frame.getByRole("button", { name: /^(Continue|Resume|Execute Plan)$/ });
}
