// Differences between two texts, by what a person does and sees in them.
import { chooseFromMenu } from "./menus.mjs";

/** Waits for a difference in view that says `text` of how it was before. */
export async function waitForBefore(bench, text) {
  const words = text.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const lines = bench.page.locator(".monaco-diff-editor :is(.editor.original .view-line, .view-zones .view-line, .line-delete)");
  await lines.filter({ hasText: new RegExp(words.join("[ \\u00a0]")) }).first().waitFor({ state: "attached" });
}

/** Closes the difference whose tab reads `tab`; a difference has the file's name for the workbench. */
export async function closeDifference(bench, tab) {
  await tabs(bench, tab).hover();
  await tabs(bench, tab).locator(".tab-actions a").click();
  await waitForNoDifference(bench, tab);
}

export async function waitForNoDifference(bench, tab) {
  await tabs(bench, tab).waitFor({ state: "detached" });
}

function tabs(bench, tab) {
  return bench.page.locator(".tab").filter({ hasText: tab });
}

/** The buttons at the top of the editor whose tab reads `tab`. */
export function titleButton(bench, tab, label) {
  const active = tabs(bench, tab).and(bench.page.locator(".active"));
  return bench.page.locator(".editor-group-container").filter({ has: active }).locator(".editor-actions").getByRole("button", { name: label }).first();
}

/** Chooses what stands behind the dots at the top of the editor whose tab reads `tab`. */
export async function moreActions(bench, tab, label) {
  await chooseFromMenu(bench, () => titleButton(bench, tab, /More Actions/).click(), label);
}
