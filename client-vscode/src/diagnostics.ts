// What language servers and linters say of files, told to the server for the agent.
import { DiagnosticSeverity, Disposable, languages, TabInputText, Uri, window, workspace, type TextDocument } from "vscode";

import type { Diagnosed, DiagnosedFile, Diagnostic, Diagnostics } from "./protocol";
import { isTypeScript, TYPESCRIPT, typeScriptErrors } from "./typescript";

const SEVERITIES = { [DiagnosticSeverity.Error]: "error", [DiagnosticSeverity.Warning]: "warning", [DiagnosticSeverity.Information]: "information", [DiagnosticSeverity.Hint]: "hint" } as const;

/** Some servers speak of one text several times, at first of its syntax alone. */
const QUIET_MS = 150;

/** VS Code reads a file that nobody sees a while after it was changed on disk. Servers are waited for from then on. */
const READ_LIMIT_MS = 5_000;

/** Files that are opened only to have them looked at. Nobody sees them, so the server isn't told of them, and its edits go to the disk. */
export class HiddenDocuments {
  private readonly uris = new Set<string>();

  /** `show` tells the server of one that the user opens. */
  watch(show: (document: TextDocument) => void): Disposable {
    const leave = ({ uri }: TextDocument): void => { this.uris.delete(uri.toString()); };
    const look = (): void => {
      if (this.uris.size === 0) return;
      for (const document of workspace.textDocuments.filter((each) => this.has(each) && isShown(each.uri))) {
        leave(document);
        show(document);
      }
    };
    return Disposable.from(
      workspace.onDidCloseTextDocument((document) => setTimeout(() => { leave(document); })), // the client's own listener asks before
      window.tabGroups.onDidChangeTabs(look),
      window.onDidChangeVisibleTextEditors(look),
    );
  }

  has({ uri }: TextDocument): boolean {
    return this.uris.has(uri.toString());
  }

  async open(uri: Uri): Promise<TextDocument> {
    const isOpen = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (isOpen) return isOpen;
    if (!isShown(uri)) this.uris.add(uri.toString());
    return workspace.openTextDocument(uri);
  }
}

/** Tells what there is of files. VS Code doesn't say whether a server looks at a file: one does if one told of its language before. */
export class DiagnosticsTeller implements Disposable {
  private readonly heard = new Map<string, number>();
  private readonly changed = new Map<string, number>();
  private readonly served = new Set<string>();
  private readonly waiting = new Set<() => void>();
  private readonly watching: Disposable;

  constructor(private readonly hidden: HiddenDocuments) {
    const change = ({ uri }: TextDocument): void => { this.changed.set(uri.toString(), Date.now()); };
    const forget = ({ uri }: TextDocument): void => { [this.heard, this.changed].forEach((times) => times.delete(uri.toString())); };
    this.watching = Disposable.from(
      workspace.onDidOpenTextDocument(change),
      workspace.onDidCloseTextDocument(forget),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) change(document);
        this.goOn();
      }),
      languages.onDidChangeDiagnostics(({ uris }) => {
        const told = new Set(uris.map(String));
        for (const { uri, languageId } of workspace.textDocuments.filter((each) => told.has(each.uri.toString()))) {
          this.heard.set(uri.toString(), Date.now());
          this.served.add(languageId);
        }
        this.goOn();
      }),
    );
  }

  /** Of files, once servers have told of their present text, or as it is when the time is over; of folders, what is shown. */
  async tell({ uris, versions, wait_ms }: Diagnosed): Promise<Diagnostics> {
    const files = uris.map(async (uri, at) => (uri.endsWith("/") ? shownBelow(uri) : this.ofFile(uri, versions[at] ?? undefined, wait_ms)));
    return { files: (await Promise.all(files)).flat() };
  }

  dispose(): void {
    this.watching.dispose();
    this.goOn();
  }

  private async ofFile(uri: string, version: number | undefined, wait: number): Promise<DiagnosedFile[]> {
    try {
      const document = await this.hidden.open(Uri.parse(uri));
      const readLimit = Date.now() + (wait > 0 ? READ_LIMIT_MS : 0);
      while (this.isServed(document) && Date.now() < readLimit && (await isOld(document, version))) await this.somethingNew(QUIET_MS);
      const until = Date.now() + wait;
      for (;;) {
        const diagnostics = await this.knownOf(document, version, until);
        if (diagnostics) return [{ uri, state: "known", diagnostics }];
        const left = until - Date.now();
        if (left <= 0 || !this.isServed(document)) return [{ uri, state: this.isServed(document) ? "not_yet" : "unserved" }];
        await this.somethingNew(Math.min(left, QUIET_MS));
      }
    } catch {
      return [{ uri, state: "unserved" }]; // it isn't there, or is no text
    }
  }

  /** What servers say of a document's present text; undefined = that isn't known yet. */
  private async knownOf(document: TextDocument, version: number | undefined, until: number): Promise<Diagnostic[] | undefined> {
    if (await isOld(document, version)) return undefined;
    const shown = shownOf(document.uri);
    if (!isTypeScript(document)) return this.isHeard(document, shown.length > 0) ? shown : undefined;
    const errors = await typeScriptErrors(document, Math.max(until - Date.now(), QUIET_MS));
    return errors && [...errors, ...shown.filter(({ source }) => source !== TYPESCRIPT)];
  }

  private isHeard({ uri }: TextDocument, isShown: boolean): boolean {
    const heard = this.heard.get(uri.toString()) ?? 0;
    if (heard === 0) return !this.changed.has(uri.toString()) && isShown; // from before there was anybody to hear it
    return heard >= (this.changed.get(uri.toString()) ?? 0) && Date.now() - heard >= QUIET_MS;
  }

  private isServed(document: TextDocument): boolean {
    return this.served.has(document.languageId) || isTypeScript(document) || shownOf(document.uri).length > 0;
  }

  private async somethingNew(limit: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = (): void => { clearTimeout(timer); this.waiting.delete(go); resolve(); };
      const timer = setTimeout(go, limit);
      this.waiting.add(go);
    });
  }

  private goOn(): void {
    for (const go of [...this.waiting]) go();
  }
}

function isShown(uri: Uri): boolean {
  const isOf = (each: Uri): boolean => each.toString() === uri.toString();
  return window.visibleTextEditors.some(({ document }) => isOf(document.uri)) || window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input instanceof TabInputText && isOf(input.uri)));
}

/** Whether its text is on its way. */
async function isOld(document: TextDocument, version: number | undefined): Promise<boolean> {
  return document.isClosed || (version === undefined ? !document.isDirty && !(await isAsOnDisk(document)) : document.version < version);
}

export async function isAsOnDisk(document: TextDocument): Promise<boolean> {
  return new TextDecoder().decode(await workspace.fs.readFile(document.uri)) === document.getText();
}

function shownBelow(folder: string): DiagnosedFile[] {
  const files = languages.getDiagnostics().filter(([file]) => file.toString().startsWith(folder));
  return files.map(([file]): DiagnosedFile => ({ uri: file.toString(), state: "known", diagnostics: shownOf(file) })).filter(({ diagnostics }) => diagnostics?.length);
}

/** planact's own are left out. */
function shownOf(file: Uri): Diagnostic[] {
  return languages
    .getDiagnostics(file)
    .filter(({ source }) => source !== "planact")
    .map(({ range, severity, message, source, code }) => ({ line: range.start.line, severity: SEVERITIES[severity], message, source: source ?? "", code: String(typeof code === "object" ? code.value : code ?? "") }));
}
