// Menus that are open, by what a person does in them.

/** The item of an open menu that says `label`. */
export function menuItem(bench, label) {
  return bench.page.locator(".monaco-menu .action-item").filter({ hasText: label }).first();
}

/** Chooses an item by the keyboard: for the first 0.1 s after it is drawn, a menu takes no click, and whoever clicks can't see when that is over. */
export async function chooseFromMenu(bench, label) {
  const found = menuItem(bench, label);
  await found.hover();
  await found.and(bench.page.locator(".focused")).waitFor();
  await bench.press("Enter");
  await found.waitFor({ state: "detached" });
}
