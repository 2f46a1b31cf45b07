// The trees in the side bar, by what a person does and sees in them.
import { chooseFromMenu } from "./menus.mjs";

/** The row that says `text`. */
export function row(bench, text) {
  return bench.page.locator(".sidebar .monaco-list-row").filter({ hasText: text }).first();
}

export async function expandRow(bench, text) {
  await row(bench, text).locator(".monaco-tl-twistie").click();
}

/** The titles of what a row offers at its right, while the pointer is on it. */
export async function inlineActions(bench, text) {
  await row(bench, text).hover();
  return row(bench, text).locator(".actions .action-label").evaluateAll((labels) => labels.map((label) => label.getAttribute("aria-label")));
}

/** Chooses an item of a row's context menu; `meanwhile` happens while it is open. */
export async function rowMenu(bench, text, item, meanwhile = async () => undefined) {
  await row(bench, text).click({ button: "right" });
  await meanwhile();
  await chooseFromMenu(bench, item);
}
