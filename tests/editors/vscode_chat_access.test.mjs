// VS Code's chat for those who use no mouse, read by ear, or have little room: every state of it.
import assert from "node:assert/strict";

import { seriousFindings } from "./harness/chat.mjs";
import { begin, chatSetup, newSession, say, widenSideBar } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { chooseTheme } from "./harness/themes.mjs";

const { chat: texts } = words;
const NARROW_PX = 250;

scenario("the chat is used without a mouse, by ear and with little room", setup, async (bench, workspace, code, part) => {
  const chat = await begin(bench);
  await part("a plan is made, executed, answered and left with the keyboard alone", () => byKeyboard(bench, workspace, chat));
  await newSession(bench);
  await widenSideBar(bench, NARROW_PX);
  await part("a batch of questions with faults can be read in a narrow side bar", () => batch(bench, chat));
  code.configure(blind().machineSettings);
  await newSession(bench);
  await part("a pasted picture goes to a model that takes it, and is kept where one doesn't", () => pictures(bench, code, chat));
  await newSession(bench);
  await part("every state of a narrow chat can be read, in light, in dark and in high contrast", () => everyState(bench, chat));
});

async function byKeyboard(bench, workspace, chat) {
  const keys = keyboard(bench, chat);
  await keys.until("Message", "Tab");
  await bench.type(words.request.trim(), 0);
  await bench.press("Enter");
  await chat.plan(texts.goal).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await keys.focused(), "Message", "what was sent leaves the keyboard where it was");
  await keys.until("Execute Plan", "Shift+Tab");
  await bench.screenshot("on-execute");
  await bench.press("Enter");
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(await keys.focused(), "Message", "the card that had the keyboard is gone, and the input has it");
  await keys.until(new RegExp(`^\\d?${words.question.answer}`), "Shift+Tab");
  await bench.screenshot("on-answer");
  await bench.press("Enter");
  await chat.run(texts.goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  assert.ok(workspace.read("store.py").includes(words.edits["store.py"]), workspace.diff());
  await keys.until("Message", "Tab");
  await keys.until("Plan", "Tab");
  await bench.press("Space");
  await chat.frame.getByRole("button", { name: words.modes.plan, exact: true, pressed: true }).waitFor();
  await keys.until(/^(You|Planact), /, "Shift+Tab");
  await bench.press("Home");
  assert.match(await keys.focused(), /^You, /, "the conversation is walked through by arrows");
  await bench.screenshot("entry");
  assert.deepEqual(await seriousFindings(chat), []);
  await bench.press("Escape");
  assert.equal(await keys.focused(), "Message");
  await bench.type("/he", 0);
  await chat.completion("/help").waitFor();
  assert.deepEqual(await seriousFindings(chat), []);
  await bench.press("Tab", "Enter");
  await chat.frame.getByText("/template use").waitFor();
}

async function everyState(bench, chat) {
  const check = async (name) => {
    await bench.screenshot(name);
    assert.deepEqual(await seriousFindings(chat), [], name);
    assert.ok(await fits(chat), `${name}: nothing is wider than the side bar`);
  };
  await check("welcome");
  await say(chat, texts.failure.request);
  await chat.card(texts.failure.title).waitFor({ timeout: RUN_LIMIT_MS });
  await check("error");
  await say(chat, texts.lookAround);
  await chat.plan(texts.tidy).waitFor({ timeout: RUN_LIMIT_MS });
  await check("plan");
  await say(chat, texts.minor.request);
  const minor = chat.question(texts.minor.question);
  await minor.waitFor({ timeout: RUN_LIMIT_MS });
  await minor.button("Other…").click();
  await check("minor");
  await minor.getByRole("textbox", { name: "Your answer" }).fill(texts.minor.answer);
  await minor.button("Answer").last().click();
  await chat.answered(texts.minor.question).getByText(texts.minor.answer).waitFor({ timeout: RUN_LIMIT_MS });
  await say(chat, texts.critical.request);
  const critical = chat.question(texts.critical.question);
  await critical.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitUntil(() => critical.evaluate((card) => card === document.activeElement), "what is critical has the keyboard");
  await check("critical");
  for (const [title, theme] of [["Dark Modern", "Dark Modern"], ["Dark High Contrast", "Default High Contrast"], ["Light High Contrast", "Default High Contrast Light"]]) {
    await chooseTheme(bench, title);
    await chat.waitForTheme(theme);
    await critical.waitFor();
    await chat.planLine(texts.tidy).waitFor();
    await check(theme);
  }
  await critical.button(texts.critical.answer).click();
  await critical.waitFor({ state: "detached" });
}

async function batch(bench, chat) {
  await say(chat, "Ask me everything");
  const form = chat.question("");
  await form.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("form");
  assert.deepEqual(await seriousFindings(chat), []);
  while (!(await form.locator("h2", { hasText: "Who owns it?" }).isVisible())) await form.button("Next question").click();
  await form.getByRole("button", { name: /add/i }).click();
  await form.locator(".primary").click();
  await form.locator(".error-detail").first().waitFor();
  await bench.screenshot("faults");
  assert.deepEqual(await seriousFindings(chat), []);
  assert.ok(await fits(chat), "nothing is wider than the side bar");
  await form.button("Decline").click();
  await form.waitFor({ state: "detached" });
}

async function pictures(bench, code, chat) {
  await chat.write(texts.picture.request);
  await chat.pastePicture();
  const picture = chat.frame.getByRole("img", { name: "Image 1" });
  await picture.waitFor();
  await bench.screenshot("pasted");
  await chat.press("Enter");
  await chat.frame.getByRole("alert").getByText(texts.picture.refusal).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("refused");
  assert.equal(await chat.input.inputValue(), texts.picture.request, "what was written is still there");
  await picture.waitFor();
  const { machineSettings } = chatSetup();
  code.configure(machineSettings);
  await bench.waitUntil(async () => {
    if (await chat.input.inputValue()) await chat.press("Enter");
    return chat.frame.getByText(texts.picture.answer).isVisible();
  }, "the model sees it", RUN_LIMIT_MS);
  await chat.frame.locator(".user").getByRole("img", { name: "Image 1" }).waitFor();
  assert.equal(await chat.frame.locator(".composer img").count(), 0);
  await bench.screenshot("sent");
}

function blind() {
  const { machineSettings, ...rest } = chatSetup();
  const model = machineSettings["planact.model"];
  return { ...rest, machineSettings: { ...machineSettings, "planact.models": { [model]: { images: false } } } };
}

/** Moves with keys only, and tells where the keyboard is by the name a screen reader has for it. */
function keyboard(bench, chat) {
  const focused = () =>
    chat.frame.locator("body").evaluate(() => {
      const { activeElement: element } = document;
      return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
    });
  return {
    focused,
    until: async (name, key) => {
      const is = (text) => (name instanceof RegExp ? name.test(text) : text === name);
      const passed = [];
      while (!is(await focused())) {
        passed.push(await focused());
        if (passed.length > 60) throw new Error(`${key} never came to ${name}, but to: ${passed.join(" | ")}`);
        await bench.press(key);
      }
    },
  };
}

/** Whether nothing has to be scrolled sideways, but code. */
function fits(chat) {
  return chat.frame.locator("body").evaluate((body) => body.scrollWidth <= body.clientWidth && [...body.querySelectorAll(".transcript, .dock, .card, .body")].every((part) => part.scrollWidth <= part.clientWidth + 1));
}
