// VS Code: the first minutes, from nothing to a change that was planned, made and taken back; and a workspace that nobody trusts.
//   node --test tests/editors/vscode_first.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { first } = words;

function withoutModel() {
  return setup({ "planact.model": "" });
}

scenario("the first minutes", withoutModel, async (bench, workspace, _code, part) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await part("the guide opens with its pictures, and leads to the other pages", () => guide(bench));
  await bench.palette(words.folders.closeAll);
  await part("the walkthrough leads to the demo model, and that to a change which is made and taken back", () => walkthrough(bench, workspace));
});

async function walkthrough(bench, workspace) {
  await bench.palette(first.getStarted);
  const picture = bench.page.frameLocator("iframe.webview.ready:not([src*='purpose=webviewView'])").frameLocator("#active-frame");
  for (const title of first.steps) {
    await bench.page.getByRole("button", { name: title }).or(bench.page.locator(".step-title", { hasText: title })).first().click();
    await picture.getByText(first.pictures[title]).waitFor();
    await bench.screenshot(title);
  }
  const chat = await openChat(bench);
  await chat.card(first.noModel).waitFor();
  await chat.frame.getByRole("button", { name: first.chooseModel }).waitFor();
  await bench.screenshot("no model");
  await chat.frame.getByRole("button", { name: first.demo }).click();
  await chat.card(first.noModel).waitFor({ state: "detached" });
  await bench.screenshot("demo model");

  await chat.write("Show me how this works");
  await chat.press("Enter");
  await chat.plan(first.goal).waitFor({ timeout: RUN_LIMIT_MS });
  assert.equal(workspace.diff(), "", "planning changes nothing");
  await chat.plan(first.goal).button("Execute Plan").click();
  await chat.question(first.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("question");
  await chat.question(first.question).button("Good day").click();
  await chat.run(first.goal).getByText("Done").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("done");
  assert.ok(workspace.read(first.file).startsWith("# Good day\n"));
  await chat.card("Done").button("Roll Back").click();
  await chat.question(new RegExp(words.trees.rollBack.question)).button(words.trees.rollBack.confirm).click();
  await bench.waitUntil(() => !existsSync(join(workspace.path, first.file)), "the file is gone again");
  await bench.palette(first.getStarted);
  await bench.page.locator(".getting-started-step .codicon-getting-started-step-checked, .getting-started-step.done").nth(first.steps.length - 1).waitFor();
  await bench.screenshot("walked through");
}

async function guide(bench) {
  await bench.palette(first.openGuide);
  const preview = bench.page.frameLocator("iframe.webview.ready[src*='vscode.markdown-language-features']").frameLocator("#active-frame");
  await preview.getByRole("heading", { name: first.guide.title }).waitFor();
  const pictures = preview.getByRole("img");
  await bench.waitUntil(async () => (await pictures.evaluateAll((all) => all.length === 3 && all.every((each) => each.naturalWidth > 0))), "the pictures are loaded");
  await bench.screenshot("guide");
  for (const { link, title } of first.guide.pages) {
    await preview.getByRole("link", { name: link, exact: true }).first().click();
    await preview.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor();
    await bench.screenshot(title);
  }
}

const KEY = "correct-horse-battery-9f3c2a71";

scenario("trust and a key are asked for", untrusted, async (bench, workspace, code, part) => {
  await part("in a workspace that isn't trusted no command runs, until it is", () => notTrusted(bench));
  code.configure(withoutModel().machineSettings);
  await part("a key is asked for with its model, and is in no file and no log", () => key(bench, workspace, code));
});

async function key(bench, workspace, code) {
  const chat = await openChat(bench);
  await chat.frame.getByRole("button", { name: first.chooseModel }).click();
  await bench.quickPick("anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5");
  await bench.page.locator(".quick-input-widget:visible", { hasText: "ANTHROPIC_API_KEY" }).waitFor();
  await chat.frame.getByRole("button", { name: "claude-sonnet-4-5", exact: true }).waitFor(); // chosen, whatever is said to the key
  await bench.screenshot("key");
  await bench.press("Escape");
  await chat.card(first.noKey).waitFor();
  await bench.screenshot("no key");
  await chat.frame.getByRole("button", { name: first.setKey }).click();
  await bench.quickPick("ANTHROPIC_API_KEY");
  await bench.inputBox(KEY, "ANTHROPIC_API_KEY");
  await chat.card(first.noKey).waitFor({ state: "detached" });
  await bench.palette(words.palette.restart);
  await bench.waitUntil(async () => !(await bench.statusBarText()).includes(words.status.plan), "the server stops");
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.waitUntil(async () => (await chat.card(first.noKey).count()) === 0, "the key is handed over again");
  await bench.screenshot("with a key");
  await chat.frame.getByRole("button", { name: "claude-sonnet-4-5", exact: true }).click();
  await bench.quickPick("openai/gpt-4o", "openai/gpt-4o");
  await bench.page.locator(".quick-input-widget:visible", { hasText: "OPENAI_API_KEY" }).waitFor();
  await chat.frame.getByRole("button", { name: "gpt-4o", exact: true }).waitFor();
  await bench.screenshot("another model");
  await bench.press("Escape");
  await chat.card(first.noKey).waitFor();
  // the browser's profile is where this editor keeps secrets, enciphered or not
  assert.deepEqual(filesWith(KEY, workspace.path, ...code.logs, code.data), []);
}

function filesWith(text, ...places) {
  try {
    return execFileSync("grep", ["-rlaF", text, ...places.filter(existsSync)], { encoding: "utf8" }).split("\n").filter(Boolean);
  } catch (error) {
    if (error.status === 1) return []; // nothing was found
    throw error;
  }
}

const CHECK = "Check the program";

function untrusted() {
  const model = {
    scenes: [
      {
        when: CHECK,
        turns: [
          { say: "I run the checks.", calls: [{ tool: "execute_command", args: { command: "python3 -m unittest check_app" } }] },
          { say: "That is all." },
        ],
      },
    ],
  };
  const { files, ...others } = setup({ "planact.model": "scripted:checks.yaml" });
  return { ...others, files: { ...files, "checks.yaml": JSON.stringify(model) } };
}

async function notTrusted(bench) {
  await bench.trustFolder(false);
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  const chat = await openChat(bench);
  await chat.card(first.untrusted).waitFor();
  await chat.write(CHECK);
  await chat.press("Enter");
  await chat.frame.getByText("That is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByText(/hasn't trusted it/).first().waitFor({ state: "attached" });
  await bench.screenshot("refused");
  await chat.frame.getByRole("button", { name: "Manage Trust" }).click();
  await bench.page.getByRole("button", { name: "Trust", exact: true }).first().click();
  await chat.card(first.untrusted).waitFor({ state: "detached" });
  await bench.screenshot("trusted");
  await chat.write(CHECK);
  await chat.press("Enter");
  await chat.frame.getByText("That is all.").nth(1).waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByText(/1 command ran contained/).first().waitFor();
  await bench.screenshot("run");
}
