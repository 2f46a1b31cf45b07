// A plan in its editor without lenses: its front matter, marks beside the steps, and code actions at the cursor.
import { RUN_LIMIT_MS, TRY_LIMIT_MS } from "./limits.mjs";

/** Waits until a plan, another than `before`, is open with what can be done with it, and has taken the keyboard; returns its file's name. */
export async function planInView(bench, before = "") {
  const tab = bench.page.locator(`.tab.active[data-resource-name$=".plan"]:not([data-resource-name="${before}"])`);
  await tab.waitFor({ timeout: RUN_LIMIT_MS });
  const name = await tab.getAttribute("data-resource-name");
  await bench.waitForLens(name, "Execute Plan");
  return name;
}

/** Waits for a text in the front matter, which is folded away when a plan is opened. */
export async function waitForFrontMatter(bench, path, text) {
  await bench.focus(path);
  await bench.palette("Unfold All");
  await bench.waitForText(path, text);
}

/** The marks beside the steps in view, top to bottom: `pending`, `running`, `done`, `skipped`, `failed`. */
export async function stepMarks(bench) {
  const shown = await bench.page.locator(".glyph-margin-widgets .cgmr, .margin-view-overlays .cgmr").evaluateAll((marks) =>
    marks
      .map((mark) => ({ image: decodeURIComponent(getComputedStyle(mark).backgroundImage), top: mark.getBoundingClientRect().top }))
      .sort((a, b) => a.top - b.top),
  );
  return shown.map(({ image }) => /step-(\w+)-\w+\.svg/.exec(image)?.[1]).filter(Boolean);
}

/** Waits for the hover over the words `text` in an editor to say all of `said`. */
export async function waitForHover(bench, text, ...said) {
  const words = bench.page.locator(".monaco-editor .view-line span:not(:has(span))").filter({ hasText: text }).first();
  for (const each of said) {
    await bench.waitUntil(async () => {
      await words.hover();
      return bench.page.locator(".monaco-hover:visible", { hasText: each }).first().waitFor({ timeout: TRY_LIMIT_MS }).then(() => true, () => false);
    }, `the hover over ${text} says ${each}`);
  }
}

/**
 * Chooses a code action where the cursor is, from the menu that VS Code has for those that mend nothing. Asks for the menu again
 * where none comes: a request of the workbench's own, after the cursor moved, ends the user's when that takes over half a second.
 */
export async function sourceAction(bench, title) {
  const found = bench.page.locator(".action-widget .monaco-list-row").filter({ hasText: title }).first();
  const isOffered = async () => {
    await bench.palette("Source Action...");
    return found.waitFor({ timeout: TRY_LIMIT_MS }).then(() => true, () => false);
  };
  await bench.waitUntil(isOffered, `${title} is among the source actions`);
  await found.click();
}
