// The item in the status bar: what the work in the folder in hand is at; before it, that folder, of several.
import { commands, ThemeColor, type Disposable, type MarkdownString } from "vscode";

import { MODES } from "./mode";
import type { Mode } from "./protocol";
import { MODE_NAMES, statusWords, type StatusFacts } from "./status_text";
import { markdown, paragraphs, pick, StatusItem, type Item } from "./ui";
import type { Work } from "./protocol";

const COLOURS: Record<Mode, ThemeColor> = {
  plan: new ThemeColor("charts.blue"),
  act: new ThemeColor("charts.green"),
};
const WAITS = new ThemeColor("statusBarItem.warningBackground");

interface Facts extends StatusFacts {
  readonly plan: string;
  readonly sandbox: string;
  readonly isChatVisible: boolean;
}

export class ModeStatus implements Disposable {
  private readonly item = new StatusItem("planact.mode", "Planact", 10);
  private readonly folder = new StatusItem("planact.folder", "Planact Folder", 11);
  private facts: Facts = { condition: "starting", mode: "plan", missing: "", work: undefined, plan: "", sandbox: "", isChatVisible: false };

  constructor() {
    this.draw();
  }

  get mode(): Mode {
    return this.facts.mode;
  }

  get work(): Work | undefined {
    return this.facts.work;
  }

  /** The folder in hand by its name; empty where it is the only one. */
  showFolder(name: string): void {
    const hover = `Planact works in ${name}. Click to work in another folder.`;
    if (name) this.folder.show({ text: name, hover, spoken: `Planact: ${name}`, command: "planact.ui.chooseFolder" });
    else this.folder.hide();
  }

  update(changes: Partial<Facts>): void {
    this.facts = { ...this.facts, ...changes };
    this.draw();
  }

  dispose(): void {
    this.item.dispose();
    this.folder.dispose();
  }

  private draw(): void {
    const { condition, work, isChatVisible } = this.facts;
    const { icon, text, isWaiting, isAsking } = statusWords(this.facts);
    const spoken = text.startsWith("Planact") ? text : `Planact: ${text}`;
    const command = isWaiting ? "planact.ui.showWaiting" : "planact.ui.showMenu";
    const isRunning = condition === "running";
    const background = isAsking && !isChatVisible ? WAITS : undefined;
    this.item.show({
      icon,
      text,
      hover: isRunning ? this.hover(isWaiting) : "Planact: what there is to do first",
      spoken,
      command,
      color: isRunning && !background ? COLOURS[work?.mode ?? this.mode] : undefined,
      background,
    });
  }

  private hover(isWaiting: boolean): MarkdownString {
    const { plan, sandbox, work } = this.facts;
    const { title, rights } = MODES[work?.mode ?? this.mode];
    return paragraphs(
      markdown`**${title}** ${rights}.`,
      plan ? markdown`Plan in hand: ${plan}` : markdown`No plan in hand.`,
      ...(work?.title ? [markdown`${work.title}`] : []),
      ...(sandbox ? [markdown`Sandbox: ${sandbox}`] : []),
      isWaiting ? markdown`Click to go to what waits.` : markdown`Click for what can be done.`,
    );
  }
}

/** Lets the user choose what to do next, where nothing waits. */
export async function showMenu({ mode, work }: ModeStatus): Promise<void> {
  const isBusy = ["working", "running", "repairing", "retrying", "waiting_approval", "waiting_question"].includes(work?.state ?? "") && !work?.elsewhere;
  const items: (Item & { readonly run: () => Thenable<unknown> })[] = [
    { label: `Switch to ${MODE_NAMES[mode === "plan" ? "act" : "plan"]}`, run: () => commands.executeCommand("planact.ui.toggleMode") },
    ...(work?.plan_uri ? [{ label: "Open Plan", detail: work.goal, run: () => commands.executeCommand("planact.ui.openPlan", { subject: { plan: work.plan_uri } }) }] : []),
    ...(isBusy ? [{ label: "Stop", run: () => commands.executeCommand("planact.ui.stop") }] : []),
    { label: "Choose Model…", run: () => commands.executeCommand("planact.ui.setModel") },
    { label: "Show Log", run: () => commands.executeCommand("planact.ui.showLog") },
  ];
  await (await pick(items, { title: "Planact" }))?.run();
}
