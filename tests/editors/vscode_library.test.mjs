// VS Code: templates, revisions, and what else the palette does with the plans that are kept.
//   node --test tests/editors/vscode_library.test.mjs
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { row } from "./harness/trees.mjs";

const library = words.library;

scenario("a plan from a template is pinned, changed, restored, exported, made a template of, and deleted", setup, async (bench, workspace) => {
  const folder = join(workspace.path, ".planact", "plans");
  const plans = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".plan")) : []);
  const reopen = async () => {
    await bench.palette(words.palette.showPlans);
    await bench.quickPick(library.row);
    await bench.waitForText(plans()[0], library.goal);
  };
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.palette(library.useTemplate);
  await bench.screenshot("templates");
  await bench.quickPick(library.template, library.filter);
  for (const [title, value] of library.values) await bench.inputBox(value, title);
  await bench.waitUntil(async () => plans().length > 0, "the plan is written");
  const [plan] = plans();
  await bench.waitForText(plan, library.goal);
  await bench.screenshot("plan");

  for (const told of [library.pinned, library.unpinned]) {
    await bench.palette(library.pin);
    await bench.waitForStatus(told);
  }

  await bench.goToEndOf(plan, library.goal);
  await bench.type(library.change);
  await bench.palette(library.showChanges);
  await bench.waitForDifference(library.change);
  await bench.screenshot("changes");

  await bench.palette(library.restore);
  await bench.screenshot("revisions");
  await bench.quickPick(library.revision);
  await bench.notification(library.restoreQuestion).waitFor();
  await bench.screenshot("restore");
  await bench.clickNotificationButton(library.restoreQuestion, library.restoreButton);
  await bench.waitForNoDifference();
  await bench.waitUntil(async () => !(await bench.editorText(plan)).includes(library.change), "the revision is restored");
  assert.ok((await bench.editorText(plan)).includes(library.goal));

  await bench.palette(library.export);
  await bench.quickPick(library.markdown);
  await bench.waitForText(library.exported, library.goal);
  await bench.screenshot("exported");
  const chat = await openChat(bench);
  await bench.palette(words.trees.views.templates);
  await row(bench, words.trees.template).waitFor();
  await reopen();

  await bench.palette(library.saveTemplate);
  await bench.inputBox(library.templateName, library.saveTemplate);
  const template = join(workspace.path, ".planact", "templates", `${library.templateName}.plan`);
  await bench.waitUntil(() => existsSync(template), "the template is written");
  await bench.waitForText(`${library.templateName}.plan`, library.goal);
  await row(bench, library.templateName).waitFor();
  await bench.screenshot("template");
  await bench.palette(library.deleteTemplate);
  await bench.quickPick(library.templateName);
  await chat.question(library.deleteQuestion).button(library.delete).click();
  await bench.waitUntil(() => !existsSync(template), "the template is deleted");
  await row(bench, library.templateName).waitFor({ state: "detached" });

  await reopen();
  await bench.palette(library.deletePlan);
  await chat.question(library.deleteQuestion).button(library.delete).click();
  await bench.waitUntil(() => plans().length === 0, "the plan is deleted");
});
