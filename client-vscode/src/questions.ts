// Questions of the agent: shown as notifications, answered there or by command, and open until they are answered.
import { EventEmitter, type Disposable, type Memento } from "vscode";

import { ask } from "./ask";
import { Failure, tellFailure } from "./failure";
import type { Differences } from "./differences";
import { ALLOW, EditReview, REJECT, type Verdict } from "./edit_review";
import { buttonsOf, formOf, type Choice } from "./forms";
import type { QuestionPending, QuestionResolved } from "./protocol";
import { Review } from "./review";
import type { Server } from "./server";
import type { Subject } from "./subject";
import { unfenced } from "./text";
import * as ui from "./ui";

type Answers = Record<string, unknown>;

/** A button and what it does. */
interface Button {
  readonly title: string;
  readonly act: () => Promise<void>;
}

const LEVELS = { critical: "error", major: "warning", minor: "info" } as const;
const SEEN = "seenQuestions";
/** Characters of a list that a notification has room for. */
const LIST_LENGTH = 700;
const SEVERITIES = ["critical", "major", "minor"] as const;

export class Questions implements Disposable {
  private readonly open = new Map<string, QuestionPending>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly review = new Review();
  readonly edits: EditReview;

  /** `isSeen` says whether the user sees open questions elsewhere. */
  constructor(
    private readonly server: Server,
    differences: Differences,
    private readonly memory: Memento,
    private readonly isSeen: () => boolean,
  ) {
    this.edits = new EditReview(differences, (set, verdict) => this.send(set, verdict));
  }

  dispose(): void {
    this.review.dispose();
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
    for (const set of pending) if (!known.has(set.question_id)) void this.notify(set);
  }

  pending(set: QuestionPending): void {
    if (this.open.has(set.question_id)) return;
    this.open.set(set.question_id, set);
    this.changed.fire();
    if (isRequestForText(set)) void tellFailure(() => this.prompt(set));
    else void this.notify(set);
  }

  resolved({ question_id: id }: QuestionResolved): void {
    const set = this.open.get(id);
    if (!set) return;
    this.open.delete(id);
    this.changed.fire();
    void this.review.close(set);
    void this.edits.close(set);
  }

  /** Lets the user choose one of the open questions and answers it. */
  async choose(): Promise<void> {
    const sets = [...this.open.values()];
    if (sets.length === 0) {
      void ui.notify("info", "No question waits for an answer.");
      return;
    }
    const items = sets.map((set) => ({ label: textOf(set), description: this.server.folders.nameOf(set.folder), detail: set.questions[0]?.context ?? "", set }));
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

  // VS Code cannot take a notification back: a click on one whose question has ended is told so.
  private async notify(set: QuestionPending): Promise<void> {
    if (this.memory.get<readonly string[]>(SEEN, []).includes(set.question_id)) return;
    if (!this.isSeen()) await this.show(set);
    await this.remember(set);
  }

  /** That the user has seen it: it stays open, and is not shown by itself again when the window is loaded anew. */
  private async remember({ question_id: id }: QuestionPending): Promise<void> {
    const still = this.memory.get<readonly string[]>(SEEN, []).filter((each) => this.open.has(each));
    await this.memory.update(SEEN, [...still, id]);
  }

  private async show(set: QuestionPending): Promise<void> {
    const name = this.server.folders.nameOf(set.folder);
    const where = name && `In ${name}: `;
    const show = (message: string, ...buttons: Button[]) => ui.notify(LEVELS[severityOf(set)], `${where}${message}`, ...buttons);
    if (set.edits.length > 0) await this.act(set, await show(questionsOf(set), ...this.buttonsForEdits(set)));
    else if (!needsRoom(set)) await this.act(set, await show(textOf(set), ...this.buttonsFor(set)));
    else if (set.purpose === "confirm") await tellFailure(() => this.answer(set));
    else await this.act(set, await show(questionsOf(set), button("Review", () => this.answer(set)), ...this.noFor(set)));
  }

  private buttonsForEdits(set: QuestionPending): Button[] {
    return [
      button("Review", () => this.edits.open(set)),
      button("Allow once", () => this.edits.decideAll(set, ALLOW)),
      button("Reject…", () => this.edits.decideAll(set, REJECT)),
    ];
  }

  private noFor(set: QuestionPending): Button[] {
    return set.purpose === "agent" ? [button("Decline", () => this.decline(set))] : [];
  }

  private buttonsFor(set: QuestionPending, isDescribed = false): Button[] {
    const name = set.questions[0]?.name ?? "";
    const choices = buttonsOf(set)?.map((choice) => button(titleOf(choice, isDescribed), () => this.give(set, { [name]: choice.value })));
    const more = button(choices ? "Other…" : "Answer", () => this.ask(set));
    const buttons = choices && !set.questions[0]?.allow_custom ? choices : [...(choices ?? []), more];
    return [...buttons, ...this.noFor(set)];
  }

  private async act(set: QuestionPending, clicked: Button | undefined): Promise<void> {
    if (!clicked) return;
    if (this.open.has(set.question_id)) await tellFailure(clicked.act);
    else void ui.notify("info", "That question has been answered or withdrawn.");
  }

  // The user has just chosen a command that needs a text: leaving the box gives the command up.
  private async prompt(set: QuestionPending): Promise<void> {
    const answers = await ask(set, {}, "");
    if (!this.open.has(set.question_id)) return;
    if (answers) await this.give(set, answers);
    else await this.decline(set);
  }

  /** Asks; what needs room is shown first, and asked there or, by the keyboard, with the next command. */
  private async answer(set: QuestionPending): Promise<void> {
    if (set.edits.length > 0 && !this.edits.isOpen(set)) await this.edits.open(set);
    else if (set.edits.length > 0 || !needsRoom(set) || this.review.isOpen(set)) await this.ask(set);
    else await this.review.open(set, this.buttonsFor(set, true).map((each) => ({ ...each, act: () => this.act(set, each) })));
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

function severityOf({ questions }: QuestionPending): (typeof SEVERITIES)[number] {
  return SEVERITIES.find((severity) => questions.some((question) => question.severity === severity)) ?? "minor";
}

function titleOf({ label, description }: Choice, isDescribed: boolean): string {
  return isDescribed && description ? `${label} (${description})` : label;
}

function button(title: string, act: () => Promise<void>): Button {
  return { title, act };
}

/** Whether it is about a text of several lines, such as a difference: a notification would run them together. What the
 * yes to a plan allows is a short list, which stays readable as one line. */
function needsRoom({ questions, plan_hash: plan }: QuestionPending): boolean {
  const isList = plan !== "" && questions.every(({ context }) => !context.includes("```") && context.length < LIST_LENGTH);
  return !isList && questions.some(({ context }) => unfenced(context).includes("\n"));
}

function lineOf(context: string): string {
  const lines = unfenced(context).split("\n").map((line) => line.replace(/^- /, "").trim());
  return lines.filter(Boolean).join(" · ");
}

function questionsOf({ questions }: QuestionPending): string {
  return questions.map(({ question }) => question).join(" · ");
}

/** A button has no room for what it does: which rule "Always allow" makes stands in the text. */
function textOf({ questions, purpose }: QuestionPending): string {
  const texts = questions.map(({ question, context }) => (context ? `${question} (${lineOf(context)})` : question));
  const options = purpose === "approval" ? questions.flatMap((question) => question.options) : [];
  const described = options.filter(({ description }) => description).map(({ label, description }) => `${label}: ${description}.`);
  return [...texts, ...described].join(" · ");
}
