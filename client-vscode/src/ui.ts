// The one door to VS Code's notifications, lists, boxes, rows, lenses and tooltips: what passes it is plain text, wherever it comes from.
import {
  CodeLens,
  commands,
  comments,
  languages,
  MarkdownString,
  QuickPickItemKind,
  Range,
  StatusBarAlignment,
  ThemeIcon,
  TreeItem,
  window,
  type Command,
  type Disposable,
  type QuickInputButton,
  type QuickPickItem,
  type QuickPickOptions,
  type TextDocument,
  type TextDocumentShowOptions,
  type ThemeColor,
  type TreeDataProvider,
  type TreeItemCollapsibleState,
  type TreeView,
  type Uri,
} from "vscode";

import { plain, plainLines } from "./plain_text";

const FLASH_MS = 8_000;

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

/** A button at the right of a row. */
export interface IconButton {
  readonly icon: string;
  readonly title: string;
}

interface Pressable extends Item {
  readonly buttons?: readonly IconButton[];
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

/** Say for a few seconds, in the status bar, what the user's command did. */
export function flash(message: string): void {
  window.setStatusBarMessage(plain(message), FLASH_MS);
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

/** Let the user pick a row, or press a button of one; return the row as it was given, and the button. */
export async function pickOrPress<T extends Pressable>(items: readonly (T | Heading)[], options: ListOptions): Promise<{ readonly row: T; readonly button: IconButton | undefined } | undefined> {
  const list = window.createQuickPick<ReturnType<typeof row<T>>>();
  const { placeHolder, ...others } = plainOptions(options);
  Object.assign(list, others, { placeholder: placeHolder });
  list.items = items.map(row);
  return new Promise((resolve) => {
    const end = (item: T | undefined, button?: IconButton) => {
      resolve(item && { row: item, button });
      list.dispose();
    };
    list.onDidAccept(() => { end(list.selectedItems[0]?.item); });
    list.onDidTriggerItemButton(({ item: { item }, button }) => { end(item, item?.buttons?.find(({ title }) => plain(title) === button.tooltip)); });
    list.onDidHide(() => { end(undefined); });
    list.show();
  });
}

/** Ask for a text in a box that stays when the focus leaves it. */
export async function askText({ title, prompt = "", placeHolder = "", value = "", isPassword = false, faultOf }: BoxOptions): Promise<string | undefined> {
  const validateInput = (typed: string) => {
    const fault = faultOf?.(typed);
    return fault === undefined ? undefined : plain(fault);
  };
  return window.showInputBox({ title: plain(title), prompt: plain(prompt), placeHolder: plain(placeHolder), value, password: isPassword, ignoreFocusOut: true, validateInput });
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
  readonly icon?: StatusIcon;
  readonly text: string;
  readonly hover: string | MarkdownString;
  readonly spoken: string;
  readonly command: string;
  readonly color?: ThemeColor | undefined;
  readonly background?: ThemeColor | undefined;
}

export type StatusIcon = "warning" | "sync" | "sync~spin" | "checklist" | "bell-dot" | "error" | "watch" | "debug-pause" | "pass" | "discard";

/** An item at the left of the status bar; hidden until it is shown. */
export class StatusItem implements Disposable {
  private readonly item;

  constructor(id: string, name: string, priority: number) {
    this.item = window.createStatusBarItem(id, StatusBarAlignment.Left, priority);
    this.item.name = plain(name);
  }

  show({ icon, text, hover, spoken, command, color, background }: StatusShown): void {
    this.item.text = icon ? `$(${icon}) ${plain(text)}` : plain(text);
    this.item.tooltip = typeof hover === "string" ? plainLines(hover) : hover;
    this.item.accessibilityInformation = { label: plain(spoken) };
    this.item.command = command;
    this.item.color = color;
    this.item.backgroundColor = background;
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

export interface OpenComments {
  /** VS Code asks for the ranges of an open document anew only when it is told to. */
  refresh(): void;
  dispose(): void;
}

/** Let comments be written on lines of documents; `rangesOf` gives the ranges where. The box is VS Code's. */
export function openComments(id: string, prompt: string, placeHolder: string, rangesOf: (document: TextDocument) => Promise<Range[]>): OpenComments {
  const controller = comments.createCommentController(id, "Planact");
  controller.options = { prompt: plain(prompt), placeHolder: plain(placeHolder) };
  const refresh = () => { controller.commentingRangeProvider = { provideCommentingRanges: (document) => rangesOf(document) }; };
  refresh();
  return { refresh, dispose: () => { controller.dispose(); } };
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

function row<T extends Pressable>(item: T | Heading): QuickPickItem & { readonly item?: T } {
  if ("heading" in item) return { label: plain(item.heading), kind: QuickPickItemKind.Separator };
  const { label, description = "", detail = "", isPicked = false, buttons = [] } = item;
  return { label: plain(label), description: plain(description), ...(detail ? { detail: plain(detail) } : {}), picked: isPicked, buttons: buttons.map(iconButton), item };
}

function iconButton({ icon, title }: IconButton): QuickInputButton {
  return { iconPath: new ThemeIcon(icon), tooltip: plain(title) };
}

function plainOptions({ title = "", placeHolder = "", ...others }: ListOptions): ListOptions {
  return { ...others, title: plain(title), placeHolder: plain(placeHolder) };
}
