// VS Code: templates, revisions, and what else the palette does with the plans that are kept. Names and texts from outside: what looks
// like a link or an icon is shown as it is written, and does nothing. A code of the linter leads to what it means.
//   node --test tests/editors/vscode_library.test.mjs
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";
import { looks } from "./harness/texts.mjs";
import { row, rowMenu } from "./harness/trees.mjs";

const library = words.library;

const { file, text, goal, menu, told, template } = words.names;
const { plan, fault } = words.language;

scenario("plans and templates are kept, and shown by their names", hostile, async (bench, workspace, _code, part) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await part("a file's name that is a link elsewhere is a name in what is told of it, and so is a goal with an icon in a list", () => inTold(bench));
  await part("a code of the linter leads to its explanation", () => toExplanation(bench));
  await part("a template's description with a link and an icon is read as it is written above the box that asks for a value", () => aboveBox(bench));
  await part("a plan from a template is pinned, changed, restored, exported, made a template of, and deleted", () => fromTemplate(bench, workspace));
});

async function fromTemplate(bench, workspace) {
  const folder = join(workspace.path, ".planact", "plans");
  const plans = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".plan")) : []);
  const reopen = async () => {
    await bench.palette(words.palette.showPlans);
    await bench.quickPick(library.row);
    await bench.waitForText(plans()[0], library.goal);
  };
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
    await bench.waitForFlash(told);
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
}

async function inTold(bench) {
  await bench.palette(words.trees.views.plans);
  const shownPlan = row(bench, "Look at");
  await shownPlan.waitFor();
  assert.ok(looks(await shownPlan.innerText()).includes(goal), "the row shows the goal as it is");
  assert.equal(await shownPlan.locator(".monaco-icon-label-container .codicon").count(), 0, "and no icon in it");
  await bench.openFile("store.py");
  for (const [item, said] of [[menu.approve, told.approved], [menu.pin, told.pinned]]) {
    await rowMenu(bench, "Look at", item);
    assert.doesNotMatch(await bench.waitForFlash(said), /href="command:|codicon-trash/, "it has neither a link nor an icon");
  }
  await bench.screenshot("told");
  await bench.palette(words.palette.showPlans);
  const picked = bench.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row", { hasText: "Look at" }).first();
  await picked.waitFor();
  const shown = looks(await picked.innerText());
  assert.ok(shown.includes(goal) && shown.includes(file), `the list shows the goal and the path as they are: ${shown}`);
  assert.equal(await picked.locator("a[href], .codicon-trash").count(), 0);
  await bench.screenshot("list");
  await bench.press("Escape");
}

async function toExplanation(bench) {
  await bench.openFile(PLAN);
  const squiggle = bench.page.locator(".monaco-editor .squiggly-warning").first();
  await squiggle.waitFor({ state: "attached", timeout: RUN_LIMIT_MS });
  await bench.goToEndOf(PLAN, fault.text);
  await bench.palette("Go to Next Problem in Files (Error, Warning, Info)");
  const link = bench.page.locator(".marker-widget a").filter({ hasText: fault.code });
  await link.waitFor();
  await bench.screenshot("problem");
  await link.click({ modifiers: ["ControlOrMeta"] });
  await bench.waitForText("codes.md", `## ${fault.code}`);
  await bench.screenshot("explained");
}

async function aboveBox(bench) {
  await bench.palette(words.trees.views.templates);
  await row(bench, template.row).waitFor();
  await rowMenu(bench, template.row, template.use);
  const box = bench.page.locator(".quick-input-widget:visible", { hasText: template.asked });
  const prompt = box.locator(".quick-input-message");
  await bench.waitUntil(async () => looks(await prompt.innerText()).includes(template.description), "the box shows the description", RUN_LIMIT_MS);
  assert.equal(await prompt.locator("a, .codicon-trash").count(), 0);
  await bench.screenshot("box");
  await bench.press("Escape");
}

function hostile() {
  const parameter = `{name: where, description: "${template.asked}"}`;
  const asTemplate = `---\nformat_version: "1.0"\ndescription: "${template.description}"\ncategory: testing\nparameters:\n  - ${parameter}\n---\n${text.replace("store.py", "{{where}}")}`;
  return { ...setup(), files: { [file]: text, [template.file]: asTemplate, [PLAN]: plan } };
}
