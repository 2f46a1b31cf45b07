// Differences between two texts, by what a person does and sees in them.

/** Waits for a difference in view that says `text` of how it was before. */
export async function waitForBefore(bench, text) {
  const words = text.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const lines = bench.page.locator(".monaco-diff-editor :is(.editor.original .view-line, .view-zones .view-line, .line-delete)");
  await lines.filter({ hasText: new RegExp(words.join("[ \\u00a0]")) }).first().waitFor({ state: "attached" });
}

/** The buttons at the top of the editor whose tab reads `tab`. */
export function titleButton(bench, tab, label) {
  const active = bench.page.locator(".tab.active").filter({ hasText: tab });
  return bench.page.locator(".editor-group-container").filter({ has: active }).locator(".editor-actions").getByRole("button", { name: label }).first();
}

/** Chooses what stands behind the dots at the top of the editor whose tab reads `tab`. */
export async function moreActions(bench, tab, label) {
  await titleButton(bench, tab, /More Actions/).click();
  const found = bench.page.locator(".monaco-menu .action-item").filter({ hasText: label }).first();
  await found.hover();
  await found.click();
}
