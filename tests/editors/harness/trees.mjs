// The trees in the side bar, by what a person does and sees in them.
import { TRY_LIMIT_MS } from "./limits.mjs";
import { chooseFromMenu } from "./menus.mjs";

/** The row that says `text`. */
export function row(bench, text) {
  return bench.page.locator(".sidebar .monaco-list-row").filter({ hasText: text }).first();
}

export async function expandRow(bench, text) {
  await row(bench, text).locator(".monaco-tl-twistie").click();
}

/** Waits for the hover over a row to say `said`; asks again where the row was drawn anew, which takes its hover away. */
export async function waitForRowHover(bench, text, said) {
  await bench.waitUntil(async () => {
    await bench.page.locator(".part.statusbar").hover();
    await row(bench, text).hover();
    return bench.page.locator(".monaco-hover:visible", { hasText: said }).first().waitFor({ timeout: TRY_LIMIT_MS }).then(() => true, () => false);
  }, `the hover over ${text} says ${said}`);
}

/** The titles of what a row offers at its right, while the pointer is on it. */
export async function inlineActions(bench, text) {
  await row(bench, text).hover();
  return row(bench, text).locator(".actions .action-label").evaluateAll((labels) => labels.map((label) => label.getAttribute("aria-label")));
}

/** Chooses an item of a row's context menu; `meanwhile` happens while it is open. */
export async function rowMenu(bench, text, item, meanwhile) {
  await chooseFromMenu(bench, () => row(bench, text).click({ button: "right" }), item, meanwhile);
}
