// Menus, by what a person does in them.
import { TRY_LIMIT_MS } from "./limits.mjs";

/** The item of an open menu that says `label`. */
export function menuItem(bench, label) {
  return bench.page.locator(".monaco-menu .action-item").filter({ hasText: label }).first();
}

/**
 * Chooses an item of the menu that `open` opens; `meanwhile` happens once while it is open. Opens it again where it was closed before
 * the choice: by what belongs to it being drawn anew, or by an editor that takes the keyboard late.
 */
export async function chooseFromMenu(bench, open, label, meanwhile = async () => undefined) {
  const found = menuItem(bench, label);
  const comes = (locator) => locator.waitFor({ timeout: TRY_LIMIT_MS }).then(() => true, () => false);
  let isFirst = true;
  await bench.waitUntil(async () => {
    await open();
    if (await comes(found)) {
      if (isFirst) await meanwhile();
      isFirst = false;
      if (await takes(bench, found, comes)) return true;
    }
    await bench.press("Escape");
    return false;
  }, `the menu offers ${label} and takes it`);
  await found.waitFor({ state: "detached" });
}

/** By the keyboard: for the first 0.1 s after it is drawn, a menu takes no click, and whoever clicks can't see when that is over. */
async function takes(bench, found, comes) {
  const isPointedAt = await found.hover({ timeout: TRY_LIMIT_MS }).then(() => true, () => false);
  if (!isPointedAt || !(await comes(found.and(bench.page.locator(".focused"))))) return false;
  const isWatched = await found.evaluate(watchForKey, undefined, { timeout: TRY_LIMIT_MS }).then(() => true, () => false);
  if (!isWatched) return false;
  await bench.press("Enter");
  return bench.page.evaluate(() => window.itemGotKey);
}

function watchForKey(item) {
  window.itemGotKey = false;
  item.addEventListener("keydown", () => { window.itemGotKey = true; }, { capture: true, once: true });
}
