// The conversation as the components read it; redrawn once a frame, however fast a model speaks.
import { useSyncExternalStore } from "react";

import type { Calls, Draft, EditorCommand, Notification, ServerState, Surroundings } from "../src/bridge";
import type { ExecutionShown, Image, Message, Status } from "../src/protocol";
import type { Subject } from "../src/subject";
import type { Answers } from "./answers";
import type { FailureTold } from "./blocks";
import { after, EMPTY, withPage, withStatus, type Chat } from "./chat";
import type { Trouble } from "./dock_cards";
import { Failed, Host, type Listener } from "./host";

const PAGE = 50;
const MOST_CLOSED = 50;

/** What went wrong, once it is no card any more: it stays where it happened, behind a message. */
export interface Trace {
  readonly after: string;
  readonly trouble: Trouble;
}

export interface View {
  readonly chat: Chat;
  /** What a word of the chat or the end of a turn told, which is no part of the conversation. */
  readonly told: string;
  readonly trouble: Trouble | null;
  readonly traces: readonly Trace[];
  /** Keys of cards that the user closed. */
  readonly closed: ReadonlySet<string>;
  /** A text for the input, from outside. */
  readonly wish: { readonly text: string } | null;
}

/** What changes where things stand without a message that says so. */
const UNTOLD: ReadonlySet<keyof Calls> = new Set(["planact.deleteSession", "planact.renameSession", "editor/command"]);

export class Store implements Listener {
  readonly host = new Host();
  private view: View = { chat: EMPTY, told: "", trouble: null, traces: [], closed: new Set(this.host.kept.closed), wish: null };
  private readonly listeners = new Set<() => void>();
  private readonly runs = new Map<string, Promise<ExecutionShown | undefined>>();
  private isDrawing = false;
  private isLoading = false;
  /** What was written and not sent. */
  readonly draft: Promise<Draft | undefined>;
  private answers: Draft["answers"] = {};

  constructor() {
    this.draft = this.host.call("editor/draft", null).then((draft) => {
      this.answers = { ...draft?.answers, ...this.answers };
      return draft;
    });
  }

  readonly get = (): View => this.view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  notified(notification: Notification): void {
    if (notification.method === "planact/executionProgress" && notification.params.execution.status !== "running") this.runs.delete(notification.params.execution.id);
    this.change({ chat: after(this.view.chat, notification) });
    // another session is in hand, or another model speaks in this mode
    if (notification.method === "planact/modeChanged") void this.look();
    if (notification.method === "planact/message") void this.showWritten(notification.params);
  }

  /** Shows a plan that was just written beside the view. Who works elsewhere meanwhile keeps what they look at. */
  private async showWritten({ session_id: session, message_type: type, metadata }: Message): Promise<void> {
    if (type !== "plan" || session !== this.view.chat.session?.id || !document.hasFocus()) return;
    const uri = (await this.ask("planact.showPlan", { plan_id: String(metadata["plan_id"]) }))?.uri;
    if (uri && !this.view.chat.surroundings.plans.includes(uri)) await this.ask("editor/open", { uri, keepsFocus: true });
  }

  serverChanged(server: ServerState): void {
    this.change({ chat: { ...this.view.chat, server } });
    if (server.condition === "running") void this.load();
  }

  surroundingsChanged(surroundings: Surroundings): void {
    this.change({ chat: { ...this.view.chat, surroundings } });
  }

  focus(what: "dock" | "input"): void {
    const dock = what === "dock" ? document.querySelector<HTMLElement>(".dock .card") : null;
    const target = dock?.querySelector<HTMLElement>('.row-button[tabindex="0"], .body :is(input, textarea), .button.primary, .button') ?? dock;
    (target ?? document.querySelector<HTMLElement>(".composer textarea"))?.focus();
  }

  wished(text: string): void {
    this.change({ wish: { text } });
    this.focus("input");
  }

  edited(): void {
    this.change({ chat: { ...this.view.chat, edits: this.view.chat.edits + 1 } });
  }

  /** Does what the user wants; a failure is shown in place of an earlier one, and gives undefined. */
  async call<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    this.forgetTrouble();
    try {
      return await this.told(name, args);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      await this.look();
      if (!this.isLeft(error)) this.change({ trouble: { message: error.message, code: error.code } });
      return undefined;
    }
  }

  command(name: EditorCommand, subject?: Subject): Promise<unknown> {
    return this.call("editor/command", subject ? { name, subject } : { name });
  }

  /** Says something to the agent, or a word of the chat; false when it was not taken. */
  async send(sessionId: string, text: string, images: readonly Image[]): Promise<boolean> {
    const last = this.view.chat.messages.at(-1)?.id ?? "";
    this.change({ told: "" });
    const ended = await this.call("planact.sendMessage", { folder: this.view.chat.folder, session_id: sessionId, text, ...(images.length > 0 ? { images } : {}) });
    const { messages } = this.view.chat;
    if (!ended) return !this.view.trouble || messages.some(({ id, role }) => id > last && role === "user");
    const isSaid = messages.some(({ content }) => content === ended.text);
    this.change({ told: [isSaid ? "" : ended.text, ended.reason].filter(Boolean).join("\n\n") });
    return true;
  }

  /** What was said before the first message that is shown; once at a time. */
  async loadEarlier(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const { session, messages } = this.view.chat;
      const page = await this.ask("planact/transcript", { session_id: session?.id ?? "", before: messages[0]?.id ?? "", limit: PAGE });
      if (page) this.change({ chat: withPage(this.view.chat, page) });
    } finally {
      this.isLoading = false;
    }
  }

  /** The record of a run, asked for once until it moves. Rejects with `Failed`. */
  run(id: string): Promise<ExecutionShown | undefined> {
    const known = this.runs.get(id) ?? this.host.call("planact.showExecution", { execution_id: id });
    this.runs.set(id, known);
    return known;
  }

  /** What was chosen and written for a question that waits. */
  answersTo(id: string): Answers {
    return this.answers[id] ?? {};
  }

  keepAnswers(id: string, answers: Answers): void {
    this.keep({ ...this.answers, [id]: answers });
  }

  forgetAnswers(id: string): void {
    if (!(id in this.answers)) return;
    this.keep(Object.fromEntries(Object.entries(this.answers).filter(([each]) => each !== id)));
  }

  private keep(answers: Draft["answers"]): void {
    this.answers = answers;
    void this.host.call("editor/keepDraft", { answers });
  }

  /** A card is not shown again. */
  close(key: string): void {
    const closed = new Set([...this.view.closed, key].slice(-MOST_CLOSED));
    this.host.keep({ closed: [...closed] });
    this.change({ closed });
  }

  /** Tells what went wrong in the view itself. */
  fail(message: string): void {
    this.forgetTrouble();
    this.change({ trouble: { message, code: "" } });
  }

  /** What went wrong stays in the conversation. */
  forgetTrouble(): void {
    const { trouble, traces, chat } = this.view;
    if (trouble) this.change({ trouble: null, traces: [...traces, { after: chat.messages.at(-1)?.id ?? "", trouble }] });
  }

  /** Whether the server left the failure in the conversation. */
  private isLeft({ code }: Failed): boolean {
    return (this.view.chat.messages.at(-1)?.metadata["failure"] as FailureTold | undefined)?.code === code;
  }

  private async told<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    const result = await this.host.call(name, args);
    if (UNTOLD.has(name)) void this.look();
    return result;
  }

  private async ask<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    try {
      return await this.host.call(name, args);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      this.change({ trouble: { message: error.message, code: error.code } });
      return undefined;
    }
  }

  /** Takes up everything anew: the questions first, since somebody waits for their answers. */
  private async load(): Promise<void> {
    await this.draft;
    const open = await this.ask("planact.listQuestions", {});
    if (open) this.change({ chat: { ...this.view.chat, questions: open.questions } });
    await this.ask("editor/resumeSession", null);
    await this.look();
  }

  /** Where things stand now, and what was said in the session in hand. */
  private async look(): Promise<void> {
    if (this.view.chat.server.condition !== "running") return;
    const status = await this.status();
    if (!status) return;
    const before = this.view.chat.session;
    const isAnother = before !== null && before.id !== status.session?.id;
    this.change({ chat: withStatus(this.view.chat, status), ...(isAnother ? { told: "" } : {}) });
    if (!status.session) return;
    const page = await this.ask("planact/transcript", { session_id: status.session.id, before: "", limit: PAGE });
    if (page) this.change({ chat: withPage(this.view.chat, page) });
  }

  private async status(): Promise<Status | undefined> {
    const folder = await this.ask("editor/folder", null);
    return folder === undefined ? undefined : this.ask("planact.showStatus", { folder });
  }

  private change(changes: Partial<View>): void {
    this.view = { ...this.view, ...changes };
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      for (const listener of this.listeners) listener();
    });
  }
}

export function useView(store: Store): View {
  return useSyncExternalStore(store.subscribe, store.get);
}
