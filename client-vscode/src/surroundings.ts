// What the editor shows beside the chat: the active file with its problems, and the plans in view.
import { DiagnosticSeverity, Disposable, languages, RelativePattern, window, workspace, type WorkspaceFolder } from "vscode";

import type { Surroundings as Told } from "./bridge";
import type { Folders } from "./folders";
import { isPlan } from "./plans";

const PAUSE_MS = 300;

export class Surroundings implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private told = "";
  private isEmpty = false;
  /** The folder that was found to have files, and isn't looked at again. */
  private filled: WorkspaceFolder | undefined;
  private readonly watching: Disposable;

  constructor(
    private readonly folders: Folders,
    private readonly send: (told: Told) => void,
  ) {
    const soon = (): void => { this.soon(); };
    this.watching = Disposable.from(window.onDidChangeVisibleTextEditors(soon), languages.onDidChangeDiagnostics(soon));
  }

  /** Tells it anew, also where nothing changed. */
  tell(): void {
    void this.lookIfEmpty();
    const now = this.now();
    this.told = JSON.stringify(now);
    this.send(now);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watching.dispose();
  }

  /** Once for all that changes until then. */
  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { if (JSON.stringify(this.now()) !== this.told) this.tell(); }, PAUSE_MS);
  }

  private now(): Told {
    const documents = window.visibleTextEditors.map(({ document }) => document);
    const plans = documents.filter(isPlan).map(({ uri }) => uri.toString());
    const active = window.activeTextEditor?.document;
    if (active?.uri.scheme !== "file" || isPlan(active) || workspace.getWorkspaceFolder(active.uri) !== this.folders.inHand) return { path: "", problems: 0, plans, isEmpty: this.isEmpty };
    const problems = languages.getDiagnostics(active.uri).filter(({ severity }) => severity <= DiagnosticSeverity.Warning).length;
    return { path: workspace.asRelativePath(active.uri, false), problems, plans, isEmpty: false };
  }

  private async lookIfEmpty(): Promise<void> {
    const folder = this.folders.inHand;
    this.isEmpty &&= folder !== this.filled;
    if (!folder || folder === this.filled) return;
    const [found] = await workspace.findFiles(new RelativePattern(folder, "**/*"), "**/.planact/**", 1);
    this.isEmpty = !found;
    if (found) this.filled = folder;
    this.soon();
  }
}
