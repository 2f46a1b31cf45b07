// The trees in the side bar, by what a person does and sees in them.

/** The row that says `text`. */
export function row(bench, text) {
  return bench.page.locator(".sidebar .monaco-list-row").filter({ hasText: text }).first();
}

export async function expandRow(bench, text) {
  await row(bench, text).locator(".monaco-tl-twistie").click();
}

/** Chooses an item of a row's context menu. */
export async function rowMenu(bench, text, item) {
  await row(bench, text).click({ button: "right" });
  const found = bench.page.locator(".monaco-menu .action-item").filter({ hasText: item }).first();
  await found.hover(); // a click at once is taken for the end of the one that opened the menu
  await found.click();
  await found.waitFor({ state: "detached" });
}
