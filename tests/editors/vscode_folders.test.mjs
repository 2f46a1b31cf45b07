// A window on several folders in VS Code: each works for itself, one is in hand, and all that waits is seen.
import assert from "node:assert/strict";

import { chatInView, openChat } from "./harness/chat.mjs";
import { begin, planInChat } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { planInView } from "./harness/plan_editor.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { row } from "./harness/trees.mjs";

const { names: [api, web], choose, newPlan, explorer } = words.folders;

/** The same project twice, as two worktrees of a repository are. */
function twoFolders() {
  return { ...setup(), beside: [web] };
}

scenario("each folder has its own mode, plans and questions, and one that is removed waits until it is back", twoFolders, async (bench, workspace) => {
  let chat = await begin(bench);
  const folder = (name) => chat.frame.getByRole("button", { name: `Folder ${name}`, exact: true });
  const inHand = async (name, mode) => {
    await folder(name).waitFor();
    await bench.waitForStatus(`Planact: ${name}`);
    await bench.waitForStatus(mode);
  };
  await inHand(api, words.status.plan);
  const plan = await planInChat(chat);
  const first = await planInView(bench);
  await bench.screenshot("one-folder-in-hand");

  await folder(api).click();
  await bench.quickPick(web);
  await inHand(web, words.status.plan);
  await plan.waitFor({ state: "detached" });
  await chat.frame.getByRole("button", { name: words.modes.act, exact: true }).click();
  await inHand(web, words.status.act);
  await bench.screenshot("the-other-in-act");
  await bench.palette(choose);
  await bench.quickPick(api);
  await inHand(api, words.status.plan);
  await plan.waitFor();
  await bench.palette(choose);
  await bench.quickPick(web);
  await inHand(web, words.status.act);

  await bench.palette(words.palette.newPlan);
  await bench.inputBox(words.request.trim(), newPlan);
  await planInView(bench, first);
  await bench.palette(words.trees.views.plans);
  for (const name of [api, web]) await row(bench, name).waitFor();
  await bench.waitUntil(async () => (await rows(bench, words.trees.goal).count()) === 2, "each folder has its plan", RUN_LIMIT_MS);
  await bench.screenshot("plans");

  await bench.palette(explorer);
  await executeIn(bench, api);
  await (await chatInView(bench)).question(words.confirm.question).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.palette(explorer);
  await bench.palette(words.palette.answer);
  await bench.quickPick(words.confirm.execute);
  const asked = `In ${api}: ${words.question.text}`;
  await bench.notification(asked).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("notified");
  await bench.dismissNotification(asked);
  chat = await openChat(bench);
  await chat.frame.locator(".card").getByText(new RegExp(`^In ${api}\\b`)).waitFor();
  await bench.palette(words.trees.views.questions);
  await row(bench, api).waitFor();
  await row(bench, words.question.text).waitFor();
  await bench.screenshot("asked-elsewhere");
  await chat.question(words.question.text).button(words.question.answer).click();
  const [edited, other] = ["store.py", "app.py"].map((name) => () => workspace.read(name).includes(words.edits[name]));
  await bench.waitUntil(() => edited() && other(), `the run in ${api} is done`, RUN_LIMIT_MS);
  assert.equal(workspace.others[0].diff(), "");
  await rows(bench, words.trees.goal).filter({ hasText: "done" }).waitFor();
  await bench.waitUntil(async () => (await bench.page.locator(".tab.dirty").count()) === 0, "its plan, which the workbench opens for a moment's change, is saved");

  await executeIn(bench, web);
  await chat.question(words.confirm.question).button(words.confirm.execute).click();
  await chat.question(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
  workspace.open(api);
  await chat.question(words.question.text).waitFor({ state: "detached" });
  await folder(web).waitFor({ state: "detached" });
  await bench.waitUntil(async () => !(await bench.statusBarText()).includes(`Planact: ${api}`), "no folder is told from others");
  await bench.waitForStatus(words.status.act);
  await chat.card("Done").waitFor();
  await bench.screenshot("removed");
  workspace.open(api, web);
  await chat.question(words.question.text).waitFor();
  await bench.waitForStatus(`Planact: ${web}`);
  await bench.screenshot("back");
  assert.equal(workspace.others[0].diff(), "");
});

function rows(bench, text) {
  return bench.page.locator(".sidebar .monaco-list-row").filter({ hasText: text });
}

/** Executes the plan of a folder, chosen from those of all: one in view would be taken. */
async function executeIn(bench, name) {
  await bench.palette(words.folders.closeAll);
  await bench.palette(words.palette.execute);
  await bench.quickPick(`${name} ·`);
}
