// The mode in the status bar: its colour, whether a question waits, what the mode may do and what holds commands; before it the folder in hand, of several.
import { ThemeColor, type Disposable, type MarkdownString } from "vscode";

import type { Condition } from "./bridge";
import { MODES } from "./mode";
import type { Mode } from "./protocol";
import { markdown, paragraphs, StatusItem } from "./ui";

/** Of a server that doesn't run: what is said, and what a click is for. */
const STATES: Record<Exclude<Condition, "running">, { readonly text: string; readonly hover: string; readonly command: string }> = {
  missing: { text: "no server", hover: "Planact: what there is to do first", command: "planact.chat.focus" },
  installing: { text: "installing", hover: "Planact: show the log", command: "planact.ui.showLog" },
  starting: { text: "starting", hover: "Planact: start the server", command: "planact.ui.restartServer" },
  stopped: { text: "not running", hover: "Planact: start the server", command: "planact.ui.restartServer" },
};

const COLOURS: Record<Mode, ThemeColor> = {
  plan: new ThemeColor("charts.blue"),
  act: new ThemeColor("charts.green"),
};

export class ModeStatus implements Disposable {
  private readonly item = new StatusItem("planact.mode", "Planact Mode", 10);
  private readonly folder = new StatusItem("planact.folder", "Planact Folder", 11);
  private condition: Condition = "starting";
  private waiting = 0;
  private plan = "";
  private sandbox = "";
  mode: Mode = "plan";

  constructor() {
    this.draw();
  }

  /** The folder in hand by its name; empty where it is the only one. */
  showFolder(name: string): void {
    const hover = `Planact works in ${name}. Click to work in another folder.`;
    if (name) this.folder.show({ text: name, hover, spoken: `Planact: ${name}`, command: "planact.ui.chooseFolder" });
    else this.folder.hide();
  }

  update(changes: { mode?: Mode; plan?: string; sandbox?: string; waiting?: number; condition?: Condition }): void {
    this.mode = changes.mode ?? this.mode;
    this.plan = changes.plan ?? this.plan;
    this.sandbox = changes.sandbox ?? this.sandbox;
    this.waiting = changes.waiting ?? this.waiting;
    this.condition = changes.condition ?? this.condition;
    this.draw();
  }

  dispose(): void {
    this.item.dispose();
    this.folder.dispose();
  }

  private draw(): void {
    if (this.condition !== "running") {
      const { text, hover, command } = STATES[this.condition];
      this.item.show({ text: `Planact: ${text}`, hover, spoken: `Planact: ${text}`, command });
      return;
    }
    const text = MODES[this.mode].title + (this.waiting ? " · waiting" : "");
    this.item.show({ text, hover: this.hover(), spoken: `Planact: ${text}`, command: "planact.ui.switchMode", color: COLOURS[this.mode] });
  }

  private hover(): MarkdownString {
    const { title, rights } = MODES[this.mode];
    return paragraphs(
      markdown`**${title}** ${rights}.`,
      this.plan ? markdown`Plan in hand: ${this.plan}` : markdown`No plan in hand.`,
      ...(this.sandbox ? [markdown`Sandbox: ${this.sandbox}`] : []),
      ...(this.waiting ? [markdown`Waiting for your answer: ${String(this.waiting)}.`] : []),
      markdown`Click to switch the mode.`,
    );
  }
}
