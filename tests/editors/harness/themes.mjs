// The workbench's colour themes, chosen while a window is open.
import { TRY_LIMIT_MS } from "./limits.mjs";

const CLASSES = { "Light Modern": "vs", "Dark Modern": "vs-dark", "Dark High Contrast": "hc-black", "Light High Contrast": "hc-light" };

/** Chooses a theme by its title and waits until the window is shown in it. A document that opens meanwhile closes the list. */
export async function chooseTheme(bench, title) {
  const limit = 2 * TRY_LIMIT_MS;
  const choose = async () => {
    await bench.press("F1");
    await bench.quickPick(/^Preferences: Color Theme/, ">Preferences: Color Theme", limit); // Enter would take another, which the palette finds better
    await bench.page.locator(".quick-input-widget:visible").getByPlaceholder(/Select Color Theme/).waitFor({ timeout: limit });
    await bench.quickPick(title, title, limit);
    return true;
  };
  await bench.waitUntil(() => choose().catch(() => false), `the theme ${title} is chosen`);
  await bench.page.locator(".quick-input-widget:visible").waitFor({ state: "detached" });
  await bench.page.locator(`.monaco-workbench.${CLASSES[title]}`).waitFor();
}
