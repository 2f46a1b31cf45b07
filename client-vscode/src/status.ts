// The mode in the status bar: its colour, whether a question waits, what the mode may do and what holds commands; before it the folder in hand, of several.
import { MarkdownString, StatusBarAlignment, ThemeColor, window, type Disposable } from "vscode";

import type { Condition } from "./bridge";
import { MODES } from "./mode";
import type { Mode } from "./protocol";

const COLOURS: Record<Mode, ThemeColor> = {
  plan: new ThemeColor("charts.blue"),
  act: new ThemeColor("charts.green"),
};

export class ModeStatus implements Disposable {
  private readonly item = window.createStatusBarItem("planact.mode", StatusBarAlignment.Left, 10);
  private readonly folder = window.createStatusBarItem("planact.folder", StatusBarAlignment.Left, 11);
  private condition: Condition = "stopped";
  private waiting = 0;
  private plan = "";
  private sandbox = "";
  mode: Mode = "plan";

  constructor() {
    this.item.name = "Planact Mode";
    this.folder.name = "Planact Folder";
    this.folder.command = "planact.ui.chooseFolder";
    this.draw();
    this.item.show();
  }

  /** The folder in hand by its name; empty where it is the only one. */
  showFolder(name: string): void {
    this.folder.text = name;
    this.folder.tooltip = `Planact works in ${name}. Click to work in another folder.`;
    this.folder.accessibilityInformation = { label: `Planact: ${name}` };
    if (name) this.folder.show();
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
    const isRunning = this.condition === "running";
    const states = { running: MODES[this.mode].title, starting: "starting", stopped: "not running" };
    const text = states[this.condition] + (isRunning && this.waiting ? " · waiting" : "");
    this.item.text = isRunning ? text : `Planact: ${text}`;
    this.item.color = isRunning ? COLOURS[this.mode] : undefined;
    this.item.command = isRunning ? "planact.ui.switchMode" : "planact.ui.restartServer";
    this.item.tooltip = isRunning ? this.hover() : "Planact: start the server";
    this.item.accessibilityInformation = { label: `Planact: ${text}` };
  }

  private hover(): MarkdownString {
    const { title, rights } = MODES[this.mode];
    const text = new MarkdownString(`**${title}** ${rights}.\n\n`);
    if (this.plan) text.appendMarkdown("Plan in hand: ").appendText(this.plan);
    else text.appendMarkdown("No plan in hand.");
    if (this.sandbox) text.appendMarkdown("\n\nSandbox: ").appendText(this.sandbox);
    if (this.waiting) text.appendMarkdown(`\n\nWaiting for your answer: ${this.waiting}.`);
    return text.appendMarkdown("\n\nClick to switch the mode.");
  }
}
