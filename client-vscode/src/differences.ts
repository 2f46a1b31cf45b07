// Texts side by side, in a group of their own beside the plan: what a step did, and what an edit is going to do.
import { commands, Disposable, TabInputText, TabInputTextDiff, Uri, ViewColumn, window, type Tab, type TabGroup } from "vscode";

import { plain } from "./plain_text";
import type { Execution, FileCompared, StepDifference } from "./protocol";
import type { Subject } from "./subject";
import { sentence } from "./text";
import * as ui from "./ui";

/** What a comparison is of; the buttons of its editor go by it. */
export type Kind = "step" | "review" | "reviewAll";

const GROUPS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

interface Shown {
  readonly kind: Kind;
  readonly subject: Subject;
}

/** A file before and after. */
export type Compared = Pick<FileCompared, "path" | "what" | "before_uri" | "after_uri">;

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
    if (known.length === 0) void ui.notify("info", diff.trim());
    else await this.show(known, title, { kind: "step", subject: { execution, step } });
  }

  /** Shows what a whole run did to files. */
  async showRun(execution: string, goal: string, files: readonly Compared[]): Promise<void> {
    const title = files.length === 1 && files[0] ? `${nameOf(files[0].path)} (${goal})` : `Changes: ${goal}`;
    await this.show(files, title, { kind: "step", subject: { execution } });
  }

  /**
   * Shows what a step did without being asked to, in place of what earlier ones did. The keyboard stays where it is, so each file has
   * a tab of its own: an editor on several files would take it.
   */
  async showApplied({ execution_id: execution, step, files }: StepDifference): Promise<void> {
    const subject: Subject = { execution, step };
    const column = this.columnBeside(false);
    for (const { path, before_uri: before, after_uri: after } of files.filter(({ before_uri: uri }) => uri).reverse()) {
      const title = plain(`${nameOf(path)} (${step ? `step ${step}` : "work without a plan"})`);
      const pair = [Uri.parse(before), Uri.parse(after)] as const;
      this.shown.set(key(title, ...pair), { kind: "step", subject });
      await ui.compare(...pair, title, { viewColumn: column, preview: false, preserveFocus: true });
    }
    await this.close((other) => other.execution !== undefined && (other.execution !== execution || other.step !== step));
    this.tell();
  }

  /** Shows files beside the editor in use, in place of other differences there: one as it is, several one below the other. */
  async show(files: readonly Compared[], name: string, shown: Shown, isQuiet = false): Promise<void> {
    const [first, ...others] = files;
    if (!first) return;
    const title = plain(name); // the tab has it so
    const pair = [Uri.parse(first.before_uri), Uri.parse(first.after_uri)] as const;
    const column = this.columnBeside();
    if (others.length === 0) {
      this.shown.set(key(title, ...pair), shown);
      await ui.compare(...pair, title, { viewColumn: column, preview: true, preserveFocus: isQuiet });
    } else {
      this.shown.set(key(title), shown);
      await focusGroup(column); // that command has no place for a column
      const all = files.map(({ what, before_uri: before, after_uri: after }) => [
        Uri.parse(after),
        what === "created" ? undefined : Uri.parse(before), // VS Code marks it as added then
        what === "deleted" ? undefined : Uri.parse(after),
      ] as const);
      await ui.compareAll(all, title);
    }
    this.tell();
  }

  /** Takes away what a run did to files and what was rolled back since. */
  async rolledBack({ id, rollbacks }: Execution): Promise<void> {
    const steps = new Set(rollbacks.flatMap(({ steps: back }) => back));
    if (steps.size > 0) await this.close(({ execution, step }) => execution === id && (step === undefined || steps.has(step)));
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

  /**
   * Where a difference is already, else beside the editor in use, and never over a plan; where only plans are beside it, over that editor,
   * but not when nobody asked: they may be writing there.
   */
  private columnBeside(isAsked = true): ViewColumn {
    const { all, activeTabGroup: active } = window.tabGroups;
    if (all.length === 1 && active.tabs.length === 0) return active.viewColumn;
    const has = all.find(({ activeTab }) => activeTab && this.shown.has(this.keyOf(activeTab)));
    const free = has ?? all.find((group) => group !== active && !showsPlan(group));
    if (free) return free.viewColumn;
    return isAsked && all.length > 1 && !showsPlan(active) ? active.viewColumn : ViewColumn.Beside;
  }
}

function showsPlan({ activeTab }: TabGroup): boolean {
  return activeTab?.input instanceof TabInputText && activeTab.input.uri.path.endsWith(".plan");
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
