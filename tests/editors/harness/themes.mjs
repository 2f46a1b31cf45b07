// The workbench's colour themes, chosen while a window is open.

const CLASSES = { "Light Modern": "vs", "Dark Modern": "vs-dark", "Dark High Contrast": "hc-black", "Light High Contrast": "hc-light" };

/** Chooses a theme by its title and waits until the window is shown in it. */
export async function chooseTheme(bench, title) {
  await bench.press("F1");
  await bench.quickPick(/^Preferences: Color Theme/, ">Preferences: Color Theme"); // Enter would take another, which the palette finds better
  await bench.page.locator(".quick-input-widget:visible").getByPlaceholder(/Select Color Theme/).waitFor();
  await bench.quickPick(title, title);
  await bench.page.locator(".quick-input-widget:visible").waitFor({ state: "detached" });
  await bench.page.locator(`.monaco-workbench.${CLASSES[title]}`).waitFor();
}
