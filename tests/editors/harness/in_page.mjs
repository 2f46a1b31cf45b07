// Functions that run in the window's page.

/** Tells each error in a notification or a dialog once, when it appears. */
export function reportErrors() {
  const told = new Set();
  new MutationObserver(() => {
    for (const icon of document.querySelectorAll(":is(.notification-list-item, .monaco-dialog-box) .codicon-error")) {
      const text = icon.closest(".notification-list-item, .monaco-dialog-box").innerText;
      if (text && !told.has(text)) {
        told.add(text);
        window.reportError(text);
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Keeps icons and bars from turning while something is done, for each of which the window would be drawn anew. */
export function stopIcons() {
  const still = new CSSStyleSheet();
  still.replaceSync(".codicon, .codicon::before, .progress-bit { animation: none !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
}

/** Tells each message that the status bar shows for a while, when it appears: as text, and as what it is drawn of. */
export function reportFlashes() {
  let last = "";
  new MutationObserver(() => {
    const shown = document.getElementById("status.extensionMessage");
    const text = shown?.textContent ?? "";
    if (text && text !== last) window.reportFlash({ text, drawn: shown.innerHTML });
    last = text;
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Whether VS Code has kept the tabs of files as they are: it does so every few seconds, and not when the window is loaded again. */
export async function areTabsKept() {
  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases = (await indexedDB.databases()).map(({ name }) => name);
  const database = await result(indexedDB.open(databases.find((name) => /^vscode-web-state-db-(?!global)/.test(name))));
  const state = await result(database.transaction("ItemTable").objectStore("ItemTable").get("memento/workbench.parts.editor"));
  database.close();
  const editorsIn = ({ type, data }) => (type === "leaf" ? data.editors : data.flatMap(editorsIn));
  const grid = JSON.parse(state ?? "{}")["editorpart.state"]?.serializedGrid;
  const kept = (grid ? editorsIn(grid.root) : []).map(({ value }) => JSON.parse(value).resourceJSON?.path.split("/").pop());
  const shown = [...document.querySelectorAll(".tab[data-resource-name]")].map((tab) => tab.getAttribute("data-resource-name"));
  return JSON.stringify(kept.sort()) === JSON.stringify(shown.sort());
}
