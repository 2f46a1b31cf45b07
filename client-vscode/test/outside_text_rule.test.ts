import assert from "node:assert/strict";
import { test } from "node:test";

import { ESLint } from "eslint";

const RULES = /^(no-restricted-syntax|@typescript-eslint\/no-restricted-imports)$/;

/** Lines that the rule refuses in src, each in a way of its own to get text onto a surface of VS Code. */
const REFUSED = [
  'import * as vscode from "vscode";',
  'import { window as editor } from "vscode";',
  'import { MarkdownString, TreeItem, CodeLens, Hover } from "vscode";',
  'export * from "vscode";',
  'export { window } from "vscode";',
  'const later = import("vscode");',
  "void window.showInformationMessage(name);",
  "void window.showWarningMessage(name, { modal: true, detail: name });",
  "void window.showErrorMessage(`${name} failed`);",
  'void window["showErrorMessage"](name);',
  "void window.showQuickPick([name]);",
  "void window.createQuickPick();",
  "void window.showInputBox({ prompt: name });",
  "void window.createInputBox();",
  "void window.setStatusBarMessage(name);",
  "void window.createStatusBarItem();",
  'void window.createTreeView("x", { treeDataProvider: rows });',
  "void window.withProgress({ location: 15, title: name }, work);",
  'void window.createWebviewPanel("x", name, 1);',
  "const { showErrorMessage } = window;",
  "const alias = window;",
  "hand(window);",
  "languages.registerHoverProvider(name, hover);",
  "item.tooltip = name;",
  "item.text = name;",
  "view.message = name;",
  "view.badge = { value: 1, tooltip: name };",
  "view.webview.html = name;",
  "view.webview.html = `<p>${name}</p>`;",
  'void commands.executeCommand("vscode.diff", one, other, name);',
  "const trusted = { markdown: { isTrusted: true } };",
  "const drawn = { supportHtml: true };",
  "const icons = { supportThemeIcons: true };",
  "editor.setDecorations(kind, [{ range, hoverMessage: name }]);",
  "class Mine extends PlainRow { more() { this.tooltip = name; } }",
];

const ALLOWED = [
  'import { window, workspace, type CodeLens } from "vscode";',
  'import * as ui from "./ui";',
  'void ui.notify("info", `${name} is pinned.`);',
  "void window.showTextDocument(uri);",
  "window.tabGroups.all.forEach(look);",
  "view.webview.html = page(view.webview, dist);",
];

/** The numbers of the lines that the rule refuses, in a file that is part of the project. */
async function refused(path: string, lines: readonly string[]): Promise<number[]> {
  const [result] = await new ESLint().lintText(lines.join("\n"), { filePath: path });
  assert.ok(result && !result.messages.some(({ fatal }) => fatal), "it is parsed");
  return [...new Set(result.messages.filter(({ ruleId }) => RULES.test(ruleId ?? "")).map(({ line }) => line - 1))];
}

test("lint refuses each way past the door for text from outside, and nothing else", async () => {
  const found = await refused("src/mode.ts", [...REFUSED, ...ALLOWED]);
  const lines = [...REFUSED, ...ALLOWED];
  assert.deepEqual(found.map((line) => lines[line]), REFUSED);
});

test("lint lets the door alone call VS Code, and refuses HTML in a view", async () => {
  assert.deepEqual(await refused("src/ui.ts", ["void window.showInformationMessage(name);"]), []);
  const html = ["const a = <p dangerouslySetInnerHTML={{ __html: name }} />;", "element.innerHTML = name;", 'import raw from "rehype-raw";'];
  assert.deepEqual(await refused("webview/app.tsx", html), [0, 1, 2]);
});
