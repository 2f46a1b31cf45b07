// Questions that wait: told where the user doesn't see them, answered in the view or, by the keyboard, in lists and boxes.
import { EventEmitter, window, type Disposable } from "vscode";

import { ask } from "./ask";
import { Failure, tellFailure } from "./failure";
import type { Differences } from "./differences";
import { EditReview, type Verdict } from "./edit_review";
import { formOf } from "./forms";
import type { Notices } from "./notices";
import type { QuestionPending, QuestionResolved } from "./protocol";
import type { Server } from "./server";
import type { Subject } from "./subject";
import { isLongDifference } from "./text";
import * as ui from "./ui";

type Answers = Record<string, unknown>;

const LEVELS = { critical: "error", major: "warning", minor: "info" } as const;
const SEVERITIES = ["critical", "major", "minor"] as const;

export class Questions implements Disposable {
  private readonly open = new Map<string, QuestionPending>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  readonly edits: EditReview;
  /** Ids of those whose differences were shown beside the view. */
  private readonly shownBeside = new Set<string>();

  /** `showDock` leads to the question in the view. */
  constructor(
    private readonly server: Server,
    differences: Differences,
    private readonly notices: Notices,
    private readonly showDock: () => Promise<void>,
  ) {
    this.edits = new EditReview(differences, (set, verdict) => this.send(set, verdict));
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Those that wait in a folder, the oldest first. */
  of(folder: string): readonly QuestionPending[] {
    return [...this.open.values()].filter((set) => this.server.folders.of(set.folder) === folder);
  }

  get count(): number {
    return this.open.size;
  }

  /** Takes up what has been open since before this connection. */
  async load(): Promise<void> {
    const pending = (await this.server.call("planact.listQuestions", {}))?.questions ?? [];
    const known = new Set(this.open.keys());
    this.open.clear();
    for (const set of pending) this.open.set(set.question_id, set);
    this.changed.fire();
    for (const set of pending) if (!known.has(set.question_id)) this.tell(set);
    this.showBeside();
  }

  pending(set: QuestionPending): void {
    if (this.open.has(set.question_id)) return;
    this.open.set(set.question_id, set);
    this.changed.fire();
    if (isRequestForText(set)) void tellFailure(() => this.prompt(set));
    else if (isOfWhatBegins(set) && window.state.focused) void this.showDock().then(() => { this.tell(set); });
    else this.tell(set);
    this.showBeside();
  }

  /** Shows the difference that waits and for which the view has no room: once, while the user sees the view, and without the keyboard. */
  showBeside(): void {
    const set = [...this.open.values()].find(isLongDifference);
    if (!set || this.shownBeside.has(set.question_id) || !this.notices.isSeen()) return;
    this.shownBeside.add(set.question_id);
    void this.edits.open(set, true);
  }

  resolved({ question_id: id }: QuestionResolved): void {
    const set = this.open.get(id);
    if (!set) return;
    this.open.delete(id);
    this.changed.fire();
    this.notices.over(id);
    void this.edits.close(set).then(() => { this.showBeside(); });
  }

  /** Lets the user choose one of the open questions and answers it. */
  async choose(): Promise<void> {
    const sets = [...this.open.values()];
    if (sets.length === 0) {
      void ui.notify("info", "No question waits for an answer.");
      return;
    }
    const items = sets.map((set) => ({ label: titleOf(set), description: this.server.folders.nameOf(set.folder), detail: set.questions[0]?.context ?? "", set }));
    const chosen = items.length === 1 ? items[0] : await ui.pick(items, { title: "Planact: Answer Question" });
    if (chosen) await this.answer(chosen.set);
  }

  /** The question about edits that is before the user, if it is still open. */
  reviewed({ question }: Subject): QuestionPending | undefined {
    return question === undefined ? undefined : this.open.get(question);
  }

  /** Lets the user answer one; false when it isn't known to be open. */
  async answerById(id: string): Promise<boolean> {
    const set = this.open.get(id);
    if (set) await this.answer(set);
    return set !== undefined;
  }

  private tell(set: QuestionPending): void {
    const name = this.server.folders.nameOf(set.folder);
    const message = `${name && `In ${name}: `}${titleOf(set)}`;
    this.notices.tell({ key: set.question_id, level: LEVELS[severityOf(set)], message, buttons: [{ title: "Answer", act: this.showDock }], waits: true });
  }

  // The user has just chosen a command that needs a text: leaving the box gives the command up.
  private async prompt(set: QuestionPending): Promise<void> {
    const answers = await ask(set, {}, "");
    if (!this.open.has(set.question_id)) return;
    if (answers) await this.give(set, answers);
    else await this.decline(set);
  }

  /** Asks; what needs more room than a list has is answered in the view, and edits beside their differences. */
  private async answer(set: QuestionPending): Promise<void> {
    if (set.edits.length > 0 && !this.edits.isOpen(set)) await this.edits.open(set);
    else if (set.edits.length === 0 && needsRoom(set)) await this.showDock();
    else await this.ask(set);
  }

  private async ask(set: QuestionPending, earlier: Answers = {}, problem = ""): Promise<void> {
    const answers = await ask(set, earlier, problem);
    if (answers && this.open.has(set.question_id)) await this.give(set, answers);
  }

  private async send(set: QuestionPending, answer: Verdict | { readonly answers: Answers }): Promise<void> {
    await this.server.call("planact.answerQuestion", { question_id: set.question_id, ...answer });
    this.resolved({ question_id: set.question_id, session_id: set.session_id, status: "answered" });
  }

  private async give(set: QuestionPending, answers: Answers): Promise<void> {
    try {
      await this.send(set, { answers });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "ANSWER_INVALID") throw error;
      await this.ask(set, answers, error.message);
    }
  }

  private async decline(set: QuestionPending): Promise<void> {
    await this.server.call("planact.declineQuestion", { question_id: set.question_id });
    this.resolved({ question_id: set.question_id, session_id: set.session_id, status: "declined" });
  }
}

function isRequestForText({ purpose, questions }: QuestionPending): boolean {
  return purpose === "confirm" && questions.every((question) => formOf(question).kind === "text");
}

/** Asked of what the user has just begun, and not by what goes on: that is told, and leaves the view as it is. */
function isOfWhatBegins({ purpose, about }: QuestionPending): boolean {
  return purpose === "confirm" && about !== "failure" && about !== "outcome" && about !== "way_on";
}

function severityOf({ questions }: QuestionPending): (typeof SEVERITIES)[number] {
  return SEVERITIES.find((severity) => questions.some((question) => question.severity === severity)) ?? "minor";
}

function titleOf({ questions }: QuestionPending): string {
  return questions.map(({ title, question }) => title || question).join(" · ");
}

/** Lists have no room for a text of several lines, such as a difference. */
function needsRoom({ questions, plan_hash: plan }: QuestionPending): boolean {
  return plan === "" && questions.some(({ context }) => context.trim().includes("\n"));
}
