// The extension around the chat: one view in the side bar, one item in the status bar, and lists behind the title's buttons.
import assert from "node:assert/strict";

import { chatInView } from "./harness/chat.mjs";
import { begin, newSession, say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { makePlan, PLAN, planRequest, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { titles, card, menu, sessions, plans, states, comment } = words.around;

scenario("what is around the chat", setup, async (bench, _workspace, _code, part) => {
  const chat = await begin(bench);
  await part("the chat has the side bar for itself, and its title leads to sessions, plans and runs", () => byItself(bench, chat));
  await newSession(bench);
  await bench.palette(words.folders.explorer);
  await planRequest(bench);
  await part("a comment is a line of the plan, written in the box at a step and taken back by undo", () => commented(bench));
});

async function byItself(bench, chat) {
  assert.deepEqual(await paneHeaders(bench), [], "no other header stands in the side bar");
  for (const title of titles) await bench.page.locator(".sidebar .composite.title").getByRole("button", { name: title }).first().waitFor();
  await titleAction(bench, titles[2]);
  await bench.page.locator(".quick-input-widget:visible").getByPlaceholder(plans.none).waitFor();
  await bench.press("Escape");
  await say(chat, words.request.trim());
  await chat.question(card).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitForStatus(states.toReview);
  await bench.screenshot("to-review");

  await titleAction(bench, titles[2]);
  assert.deepEqual(await listed(bench), plans.rows);
  await bench.screenshot("plans");
  await bench.press("Enter");
  const shown = bench.page.locator(".tab.active[data-resource-name$='.plan']");
  await shown.waitFor();
  const file = await shown.getAttribute("data-resource-name");
  await bench.waitUntil(async () => !(await bench.editorText(file)).includes("context:"), "the front matter is folded");
  await bench.screenshot("plan");

  await titleAction(bench, titles[1]);
  assert.match((await listed(bench)).join("\n"), new RegExp(sessions.row));
  await bench.screenshot("sessions");
  await bench.press("Escape");
  await bench.page.locator(".part.statusbar").getByRole("button", { name: states.toReview }).click();
  assert.deepEqual(await listed(bench), menu);
  await bench.screenshot("menu");
  await bench.press("Escape");
}

async function commented(bench) {
  await bench.goToEndOf(PLAN, comment.step);
  await bench.press("Alt+P", "c");
  const box = bench.page.locator(".review-widget .monaco-editor");
  await box.first().waitFor();
  await bench.type(comment.text);
  await bench.screenshot("box");
  await bench.page.locator(".review-widget").getByRole("button", { name: comment.add }).click();
  await bench.waitForText(PLAN, `> ${comment.text}`);
  await bench.page.locator(".review-widget").waitFor({ state: "detached" });
  assert.ok(await bench.isDirty(PLAN), "the document is unsaved, as after typing");
  await bench.waitForLens(PLAN, comment.lens);
  await bench.screenshot("commented");
  await bench.focus(PLAN);
  await bench.press("Control+Z");
  await bench.waitUntil(async () => !(await bench.editorText(PLAN)).includes(comment.text), "undo takes it back");
}

scenario("a question is told once where the view is hidden, the status item leads to it, and both know it again after a reload", setup, async (bench) => {
  await makePlan(bench);
  await bench.clickLens(PLAN, words.lenses.execute);
  await bench.waitForStatus(states.answer, RUN_LIMIT_MS);
  await bench.notification(words.question.text).waitFor();
  assert.deepEqual(await bench.notificationButtons(words.question.text), [states.button]);
  assert.match(await background(bench), /warning/);
  await bench.screenshot("told");
  await bench.reload();
  await bench.waitForStatus(/Planact: Act \d\/2 · /, RUN_LIMIT_MS);
  await bench.screenshot("reloaded");
  await bench.page.locator(".part.statusbar").getByRole("button", { name: /Planact: Act/ }).click();
  const again = await chatInView(bench);
  await again.question(words.question.text).waitFor();
  await bench.waitUntil(async () => !/warning/.test(await background(bench)), "nothing is coloured while the view is seen");
  await bench.screenshot("at-the-question");
});

/** The headers of views in the side bar that aren't merged into its title. */
async function paneHeaders(bench) {
  return bench.page.locator(".sidebar .pane-header:visible").allInnerTexts();
}

async function titleAction(bench, title) {
  await bench.page.locator(".sidebar .composite.title").getByRole("button", { name: title }).first().click();
}

/** The rows of the open list, as a person reads them. */
async function listed(bench) {
  const rows = bench.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
  await rows.first().waitFor();
  return (await rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll(".quick-input-list-separator, .label-name, .label-description")].filter((part) => part.getClientRects().length > 0).map((part) => part.textContent.trim()).filter(Boolean).join(" | ")))).map((text) => text.replace(/[\u2060\u00a0]/g, (c) => (c === "\u00a0" ? " " : "")).replace(/plan_\w{8}_\w{4}-/, "plan_DATE_ID-"));
}

async function background(bench) {
  return (await bench.page.locator(".part.statusbar .statusbar-item[id*='planact.mode']").getAttribute("class")) ?? "";
}
