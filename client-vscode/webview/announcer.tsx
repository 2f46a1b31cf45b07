// What is read out: single events, and failures at once. What streams is not.
import { useCallback, useEffect, useRef, useState } from "react";

import { isWorking, type Chat } from "./chat";
import type { DockCard } from "./dock_cards";
import { counted } from "./call_shown";
import { isLeave, titleOf } from "./question";
import { rowsOf } from "./schema";
import { keyTitle } from "./setup_card";

/** At most one event in this time. */
const PAUSE_MS = 2_000;

export function Announcer({ chat, cards }: { readonly chat: Chat; readonly cards: readonly DockCard[] }) {
  const [said, setSaid] = useState("");
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isInstalling = useRef(false);
  const [first] = cards;
  const failure = first?.kind === "question" && first.set.about === "failure" ? cardTold(first, chat) : "";
  const event = failure ? "" : eventOf(chat, first);
  const { condition } = chat.server;
  const tell = useCallback((event: string) => {
    waiting.current.push(event);
    const next = () => {
      const text = waiting.current.shift();
      timer.current = text === undefined ? undefined : setTimeout(next, PAUSE_MS);
      if (text !== undefined) setSaid(text);
    };
    if (timer.current === undefined) next();
  }, []);
  useEffect(() => {
    if (condition === "running" && isInstalling.current) tell("The server is ready");
    if (condition !== "starting") isInstalling.current = condition === "installing";
  }, [condition, tell]);
  useEffect(() => {
    if (event) tell(event);
  }, [event, tell]);
  useEffect(() => () => { clearTimeout(timer.current); }, []);
  return (
    <>
      <p className="unseen" role="status">
        {said}
      </p>
      <p className="unseen" role="alert">
        {failure}
      </p>
    </>
  );
}

/** The event that stands now, in words; empty where there is none to be told. */
function eventOf(chat: Chat, first: DockCard | undefined): string {
  const { work } = chat;
  if (first && first.kind !== "failure" && first.kind !== "trouble") return cardTold(first, chat);
  if (!isWorking(chat)) return chat.messages.at(-1)?.role === "assistant" ? "Planact answered" : "";
  if (chat.retry) return `${chat.retry.reason}. Attempt ${chat.retry.attempt} of ${chat.retry.of} follows.`;
  switch (work.state) {
    case "repairing":
      return `A check failed, repairing ${work.repair} of ${work.repairs}`;
    case "stopping":
      return "Stops after this call";
    case "running":
      return `Step ${work.step} of ${work.of}, ${plain(work.action)}`;
    default:
      return chat.stream ? "" : "Thinking";
  }
}

function cardTold(card: DockCard, chat: Chat): string {
  switch (card.kind) {
    case "question": {
      const [question] = card.set.questions;
      if (question && isLeave(card.set)) return plain([titleOf(question), question.reason].filter(Boolean).join(" "));
      const rows = question ? rowsOf(question).length : 0;
      const several = card.set.questions.length > 1 ? `, ${counted(card.set.questions.length, "question")}` : "";
      return `${plain(question ? titleOf(question) : "A question")}${rows > 0 ? `, ${counted(rows, "choice")}` : ""}${several}`;
    }
    case "plan":
      return card.work.comments > 0 ? `Plan, ${counted(card.work.comments, "comment")}` : `Plan ready, ${counted(card.work.of, "step")}`;
    case "stopped":
    case "result":
      return plain(card.work.title);
    case "elsewhere":
      return "A run of another window goes on";
    case "model":
      return "Which model should it use?";
    case "key":
      return keyTitle(chat.model);
    case "server":
      return SERVER[chat.server.condition] ?? "";
    case "folder":
      return "This folder brings its own settings";
    case "workspace":
      return "This workspace isn't trusted";
    default:
      return "";
  }
}

const SERVER: Readonly<Record<string, string>> = { missing: "No server yet", installing: "Installing the server", stopped: "The server stopped" };

function plain(text: string): string {
  return text.replace(/[`*_]/g, "");
}

