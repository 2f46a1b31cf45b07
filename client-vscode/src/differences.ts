// Texts side by side, in a group of their own beside the plan: what a step did, and what an edit is going to do.
import { commands, Disposable, TabInputText, TabInputTextDiff, Uri, ViewColumn, window, type Tab } from "vscode";

import type { FileCompared, StepDifference } from "./protocol";
import type { Subject } from "./subject";

/** What a comparison is of; the buttons of its editor go by it. */
export type Kind = "step" | "review" | "reviewAll";

const GROUPS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

interface Shown {
  readonly kind: Kind;
  readonly subject: Subject;
}

/** A file before and after. */
export type Compared = Pick<FileCompared, "path" | "before_uri" | "after_uri">;

export class Differences implements Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly listening = Disposable.from(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const tab of closed) this.shown.delete(this.keyOf(tab));
      this.tell();
    }),
    window.tabGroups.onDidChangeTabGroups(() => { this.tell(); }),
  );

  dispose(): void {
    this.listening.dispose();
  }

  /** What the active editor compares, if it is one of these. */
  get active(): Shown | undefined {
    const tab = window.tabGroups.activeTabGroup.activeTab;
    return tab && this.shown.get(this.keyOf(tab));
  }

  /** Shows what a step did to its files. */
  async showStep({ execution_id: execution, step, action, files, diff }: StepDifference): Promise<void> {
    const known = files.filter(({ before_uri: before }) => before);
    const name = step ? `step ${step}` : "work without a plan";
    const title = known.length === 1 && known[0] ? `${nameOf(known[0].path)} (${name})` : `${sentence(name)}: ${action}`;
    if (known.length === 0) void window.showInformationMessage(diff.trim());
    else await this.show(known, title, { kind: "step", subject: { execution, step } });
  }

  /** Shows files beside the editor in use, in place of other differences there: one as it is, several one below the other. */
  async show(files: readonly Compared[], title: string, shown: Shown): Promise<void> {
    const [first, ...others] = files;
    if (!first) return;
    const pair = [Uri.parse(first.before_uri), Uri.parse(first.after_uri)] as const;
    const column = this.columnBeside();
    if (others.length === 0) {
      this.shown.set(key(title, ...pair), shown);
      await commands.executeCommand("vscode.diff", ...pair, title, { viewColumn: column, preview: true });
    } else {
      this.shown.set(key(title), shown);
      await focusGroup(column); // that command has no place for a column
      const all = files.map((file) => [Uri.parse(file.after_uri), Uri.parse(file.before_uri), Uri.parse(file.after_uri)]);
      await commands.executeCommand("vscode.changes", title, all);
    }
    this.tell();
  }

  /** Whether the user has before them what is about a subject like that. */
  isShown(isMeant: (subject: Subject) => boolean): boolean {
    return window.tabGroups.all.some(({ activeTab }) => {
      const shown = activeTab && this.shown.get(this.keyOf(activeTab));
      return shown && isMeant(shown.subject);
    });
  }

  /** Takes away what is about such a subject. */
  async close(isMeant: (subject: Subject) => boolean): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    await window.tabGroups.close(tabs.filter((tab) => {
      const shown = this.shown.get(this.keyOf(tab));
      return shown && isMeant(shown.subject);
    }), true);
  }

  /** An editor on several files is known by its title alone, behind which VS Code writes how many they are. */
  private keyOf({ input, label }: Tab): string {
    if (input instanceof TabInputTextDiff) return key(label, input.original, input.modified);
    if (input instanceof TabInputText) return "";
    return [...this.shown.keys()].find((title) => label.startsWith(title)) ?? "";
  }

  private tell(): void {
    void commands.executeCommand("setContext", "planact.difference", this.active?.kind ?? "");
  }

  /** Where a difference is already, else another group than the one in use, which shows the plan; else a new one, unless nothing is open. */
  private columnBeside(): ViewColumn {
    const { all, activeTabGroup: active } = window.tabGroups;
    if (all.length === 1 && active.tabs.length === 0) return active.viewColumn;
    const has = all.find(({ activeTab }) => activeTab && this.shown.has(this.keyOf(activeTab)));
    return (has ?? all.find((group) => group !== active))?.viewColumn ?? ViewColumn.Beside;
  }
}

function key(title: string, ...uris: readonly Uri[]): string {
  return [title, ...uris.map((uri) => uri.toString())].join("\n");
}

async function focusGroup(column: ViewColumn): Promise<void> {
  const name = column === ViewColumn.Beside ? "newGroupRight" : `focus${GROUPS[column - 1] ?? "Last"}EditorGroup`;
  await commands.executeCommand(`workbench.action.${name}`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
