// The conversation as the components read it; redrawn once a frame, however fast a model speaks.
import { useSyncExternalStore } from "react";

import type { Calls, Condition, Notification } from "../src/bridge";
import type { Image, Status } from "../src/protocol";
import { after, EMPTY, withPage, withStatus, type Chat } from "./chat";
import { Failed, Host, type Listener } from "./host";

const PAGE = 50;

/** What went wrong last; `code` is stable. */
export interface Trouble {
  readonly message: string;
  readonly code: string;
}

export interface View {
  readonly chat: Chat;
  /** What a word of the chat or the end of a turn told, which is no part of the conversation. */
  readonly told: string;
  readonly trouble: Trouble | null;
}

/** What changes where things stand without a message that says so. */
const UNTOLD: ReadonlySet<keyof Calls> = new Set(["planact.deleteSession", "planact.renameSession", "editor/chooseModel", "editor/prepare"]);

export class Store implements Listener {
  readonly host = new Host();
  private view: View = { chat: EMPTY, told: "", trouble: null };
  private readonly listeners = new Set<() => void>();
  private isDrawing = false;
  private isLoading = false;

  readonly get = (): View => this.view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  notified(notification: Notification): void {
    this.change({ chat: after(this.view.chat, notification) });
    // another session is in hand, or another model speaks in this mode
    if (notification.method === "planact/modeChanged") void this.look();
  }

  conditionChanged(condition: Condition): void {
    this.change({ chat: { ...this.view.chat, condition } });
    if (condition === "running") void this.load();
  }

  edited(): void {
    this.change({ chat: { ...this.view.chat, edits: this.view.chat.edits + 1 } });
  }

  /** Does what the user wants; a failure is shown in place of an earlier one, and gives undefined. */
  call<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    this.change({ trouble: null });
    return this.ask(name, args);
  }

  private async ask<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    try {
      const result = await this.host.call(name, args);
      if (UNTOLD.has(name)) void this.look();
      return result;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      this.change({ trouble: { message: error.message, code: error.code } });
      return undefined;
    }
  }

  /** Says something to the agent, or a word of the chat; false when it was not taken. */
  async send(sessionId: string, text: string, images: readonly Image[]): Promise<boolean> {
    const last = this.view.chat.messages.at(-1)?.id ?? "";
    this.change({ told: "" });
    const ended = await this.call("planact.sendMessage", { folder: this.view.chat.folder, session_id: sessionId, text, ...(images.length > 0 ? { images } : {}) });
    if (!ended) await this.look();
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

  /** Tells what went wrong in the view itself. */
  fail(message: string): void {
    this.change({ trouble: { message, code: "" } });
  }

  forgetTrouble(): void {
    this.change({ trouble: null });
  }

  /** Takes up everything anew: the questions first, since somebody waits for their answers. */
  private async load(): Promise<void> {
    const open = await this.ask("planact.listQuestions", {});
    if (open) this.change({ chat: { ...this.view.chat, questions: open.questions } });
    await this.ask("editor/resumeSession", null);
    await this.look();
  }

  /** Where things stand now, and what was said in the session in hand. */
  private async look(): Promise<void> {
    const status = await this.status();
    if (!status) return;
    this.change({ chat: withStatus(this.view.chat, status) });
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
