// The one door to VS Code's notifications, lists, boxes, rows, lenses and tooltips: what passes it is plain text, wherever it comes from.
import {
  CodeLens,
  commands,
  languages,
  MarkdownString,
  ProgressLocation,
  QuickPickItemKind,
  Range,
  StatusBarAlignment,
  TreeItem,
  window,
  type Command,
  type Disposable,
  type QuickPickItem,
  type QuickPickOptions,
  type TextDocumentShowOptions,
  type ThemeColor,
  type TreeDataProvider,
  type TreeItemCollapsibleState,
  type TreeView,
  type Uri,
} from "vscode";

import { plain, plainLines } from "./plain_text";
import type { Stop } from "./program";

export type Level = "info" | "warning" | "error";

/** A button by its title alone, or with what the caller keeps with it. */
export type Button = string | { readonly title: string };

/** A row of a list; what else the caller keeps with it isn't shown. */
export interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly isPicked?: boolean;
}

/** A heading between rows. */
export interface Heading {
  readonly heading: string;
}

type ListOptions = Pick<QuickPickOptions, "title" | "placeHolder" | "ignoreFocusOut" | "matchOnDescription" | "matchOnDetail">;

interface BoxOptions {
  readonly title: string;
  readonly prompt?: string;
  readonly placeHolder?: string;
  /** What stands in the box, as it is: the user may hand it on. */
  readonly value?: string;
  readonly isPassword?: boolean;
  readonly faultOf?: (value: string) => string | undefined;
}

/** Show a notification; return the button that was clicked, as it was given. */
export async function notify<B extends Button>(level: Level, message: string, ...buttons: B[]): Promise<B | undefined> {
  const show = { info: window.showInformationMessage, warning: window.showWarningMessage, error: window.showErrorMessage }[level];
  const shown = buttons.map((button) => ({ title: plain(titleOf(button)), button }));
  return (await show(plain(message), ...shown))?.button;
}

/** Ask in a dialog that stops everything else; return the button that was clicked. */
export async function confirm(message: string, detail: string, ...buttons: string[]): Promise<string | undefined> {
  const shown = buttons.map((button) => ({ title: plain(button), button }));
  return (await window.showWarningMessage(plain(message), { modal: true, detail: plainLines(detail) }, ...shown))?.button;
}

/** Let the user pick a row; return it as it was given. */
export async function pick<T extends Item>(items: readonly (T | Heading)[], options: ListOptions): Promise<T | undefined> {
  return (await window.showQuickPick(items.map(row), plainOptions(options)))?.item;
}

/** Let the user pick any number of rows; return them as they were given. */
export async function pickMany<T extends Item>(items: readonly T[], options: ListOptions): Promise<T[] | undefined> {
  const picked = await window.showQuickPick(items.map((item) => row<T>(item)), { ...plainOptions(options), canPickMany: true });
  return picked?.flatMap(({ item }) => item ?? []);
}

/** Ask for a text in a box that stays when the focus leaves it. */
export async function askText({ title, prompt = "", placeHolder = "", value = "", isPassword = false, faultOf }: BoxOptions): Promise<string | undefined> {
  const validateInput = (typed: string) => {
    const fault = faultOf?.(typed);
    return fault === undefined ? undefined : plain(fault);
  };
  return window.showInputBox({ title: plain(title), prompt: plain(prompt), placeHolder: plain(placeHolder), value, password: isPassword, ignoreFocusOut: true, validateInput });
}

/** Run `task` under a notification with a button that stops it; `report` says what it is at. */
export async function withProgress<T>(title: string, task: (report: (text: string) => void, stop: Stop & { readonly isCancellationRequested: boolean }) => Promise<T>): Promise<T> {
  const options = { location: ProgressLocation.Notification, title: plain(title), cancellable: true };
  return window.withProgress(options, (progress, token) => task((text) => { progress.report({ message: plain(text) }); }, token));
}

/** Markdown of the extension's own; the values in it are text, whatever they say. */
export function markdown(own: TemplateStringsArray, ...values: readonly string[]): MarkdownString {
  const made = new MarkdownString();
  for (const [index, part] of own.entries()) made.appendMarkdown(part).appendText(plainLines(values[index] ?? ""));
  return made;
}

/** Markdown that `markdown` made, one below the other. */
export function paragraphs(...parts: readonly MarkdownString[]): MarkdownString {
  return new MarkdownString(parts.map(({ value }) => value).join("\n\n"));
}

/** What a status bar item shows. */
export interface StatusShown {
  readonly text: string;
  readonly hover: string | MarkdownString;
  readonly spoken: string;
  readonly command: string;
  readonly color?: ThemeColor | undefined;
}

/** An item at the left of the status bar; hidden until it is shown. */
export class StatusItem implements Disposable {
  private readonly item;

  constructor(id: string, name: string, priority: number) {
    this.item = window.createStatusBarItem(id, StatusBarAlignment.Left, priority);
    this.item.name = plain(name);
  }

  show({ text, hover, spoken, command, color }: StatusShown): void {
    this.item.text = plain(text);
    this.item.tooltip = typeof hover === "string" ? plainLines(hover) : hover;
    this.item.accessibilityInformation = { label: plain(spoken) };
    this.item.command = command;
    this.item.color = color;
    this.item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** A row of a tree. */
export class PlainRow extends TreeItem {
  // No object literal has this type.
  protected readonly isPlain = true;

  constructor(label: string, detail: string, state: TreeItemCollapsibleState) {
    super(plain(label), state);
    if (detail) this.description = plain(detail);
  }

  hover(text: string): void {
    this.tooltip = markdown`${text}`;
  }
}

/** Fill the view `id` with rows. */
export function openTree<R extends PlainRow>(id: string, provider: TreeDataProvider<R> & { getTreeItem(row: R): R }): TreeView<R> {
  return window.createTreeView(id, { treeDataProvider: provider });
}

/** Show how many there are at a view; nothing where there are none. */
export function count(view: TreeView<PlainRow>, value: number, words: string): void {
  view.badge = value > 0 ? { value, tooltip: plain(words) } : undefined;
}

/** Show lenses above the documents of a scheme. */
export function registerLenses(scheme: string, commandsOf: (uri: Uri) => readonly Command[]): Disposable {
  const top = new Range(0, 0, 0, 0);
  const provideCodeLenses = ({ uri }: { readonly uri: Uri }) => commandsOf(uri).map((command) => new CodeLens(top, { ...command, title: plain(command.title) }));
  return languages.registerCodeLensProvider({ scheme }, { provideCodeLenses });
}

/** Show two texts side by side. */
export async function compare(before: Uri, after: Uri, title: string, options: TextDocumentShowOptions = {}): Promise<void> {
  await commands.executeCommand("vscode.diff", before, after, plain(title), options);
}

/** Show several files in one editor, each by its URI, its text before and its text after. */
export async function compareAll(files: readonly (readonly [Uri, Uri | undefined, Uri | undefined])[], title: string): Promise<void> {
  await commands.executeCommand("vscode.changes", plain(title), files);
}

function titleOf(button: Button): string {
  return typeof button === "string" ? button : button.title;
}

function row<T extends Item>(item: T | Heading): QuickPickItem & { readonly item?: T } {
  if ("heading" in item) return { label: plain(item.heading), kind: QuickPickItemKind.Separator };
  const { label, description = "", detail = "", isPicked = false } = item;
  return { label: plain(label), description: plain(description), ...(detail ? { detail: plain(detail) } : {}), picked: isPicked, item };
}

function plainOptions({ title = "", placeHolder = "", ...others }: ListOptions): ListOptions {
  return { ...others, title: plain(title), placeHolder: plain(placeHolder) };
}
