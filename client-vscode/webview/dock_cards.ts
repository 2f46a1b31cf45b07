// What wants the user, in the order in which the dock shows it. Pure.
import type { QuestionPending } from "../src/protocol";
import type { FailureTold } from "./blocks";
import { isWorking, type Chat } from "./chat";
import { isLeave } from "./question";
import type { Work } from "../src/protocol";

/** What went wrong with something that the user did; `code` is stable. */
export interface Trouble {
  readonly message: string;
  readonly code: string;
}

export type DockCard =
  | { readonly kind: "server" | "model" | "key" | "folder" | "workspace" }
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | { readonly kind: "question"; readonly set: QuestionPending }
  | { readonly kind: "failure"; readonly id: string; readonly failure: FailureTold }
  | { readonly kind: "stopped" | "result" | "plan" | "elsewhere"; readonly work: Work };

/** The cards that wait, the first of which is shown. `closed` are the keys of those that the user closed. */
export function cardsOf(chat: Chat, trouble: Trouble | null, closed: ReadonlySet<string>): readonly DockCard[] {
  const { server, missing, work } = chat;
  if (server.condition !== "running") return server.condition === "starting" ? [] : [{ kind: "server" }];
  const isIdle = !isWorking(chat);
  const stands = STANDS[work.state];
  const failure = isIdle ? failureOf(chat) : undefined;
  const cards: readonly (DockCard | false | undefined)[] = [
    missing === "model" && { kind: "model" },
    missing === "key" && { kind: "key" },
    trouble !== null && !(missing && TOLD_BY_SETUP.has(trouble.code)) && { kind: "trouble", trouble },
    ...(missing && chat.questions.length === 0 ? [] : ordered(chat).map((set): DockCard => ({ kind: "question", set }))),
    work.elsewhere && { kind: "elsewhere", work },
    !missing && failure,
    !missing && !work.elsewhere && !failure && stands === "stopped" && !hasQuestion(chat, work) && { kind: "stopped", work },
    !missing && !work.elsewhere && isIdle && !failure && stands === "plan" && { kind: "plan", work },
    !work.elsewhere && stands === "result" && { kind: "result", work },
    isIdle && work.state === "idle" && !missing && chat.isRestricted && { kind: "workspace" },
    isIdle && work.state === "idle" && !missing && !chat.isRestricted && !chat.isFolderTrusted && { kind: "folder" },
  ];
  return cards.filter((card): card is DockCard => Boolean(card)).filter((card) => !closed.has(keyOf(card)));
}

/** What tells a card from others, also after a reload. */
export function keyOf(card: DockCard): string {
  switch (card.kind) {
    case "question":
      return `question ${card.set.question_id}`;
    case "failure":
      return `failure ${card.id}`;
    case "stopped":
    case "result":
    case "plan":
    case "elsewhere":
      return `${card.kind} ${card.work.execution_id || card.work.plan_uri} ${card.work.state} ${card.work.since}`;
    case "trouble":
      return `trouble ${card.trouble.code} ${card.trouble.message}`;
    default:
      return card.kind;
  }
}

/** Critical questions first, those of the session in hand first, the oldest first. */
function ordered({ questions, session }: Chat): readonly QuestionPending[] {
  const rank = (set: QuestionPending) => (set.questions.some(({ severity }) => severity === "critical") ? 0 : 2) + (set.session_id === session?.id ? 0 : 1);
  return questions.map((set, at) => ({ set, at })).sort((one, other) => rank(one.set) - rank(other.set) || one.at - other.at).map(({ set }) => set);
}

function hasQuestion({ questions }: Chat, { question_id: id }: Work): boolean {
  return id !== "" && questions.some((set) => set.question_id === id);
}

/** The error that ended the last turn, if nothing was said since. A run that it stopped has a card of its own, which goes on with the run. */
function failureOf({ messages, work }: Chat): DockCard | undefined {
  const last = messages.at(-1);
  const failure = last?.metadata["failure"] as FailureTold | undefined;
  const isRun = work.execution_id !== "" && STANDS[work.state] === "stopped";
  return last && failure && !isRun ? { kind: "failure", id: last.id, failure } : undefined;
}

/** What the cards about a missing model or key say already. */
const TOLD_BY_SETUP: ReadonlySet<string> = new Set(["MODEL_NOT_CHOSEN", "MODEL_KEY_MISSING"]);

const STANDS: Readonly<Partial<Record<Work["state"], "stopped" | "plan" | "result">>> = {
  no_answer: "stopped",
  failed: "stopped",
  paused: "stopped",
  interrupted: "stopped",
  to_review: "plan",
  changed: "plan",
  outdated: "plan",
  done: "result",
  partly: "result",
  nothing_done: "result",
  rolled_back: "result",
};

/** What the input says while nothing is written in it. */
export function placeholderOf(chat: Chat, first: DockCard | undefined): string {
  const { server, work } = chat;
  if (server.condition === "installing") return "Ready in about a minute";
  if (server.condition !== "running") return server.condition === "starting" ? "The server starts…" : "The server isn't running";
  if (chat.missing === "model") return "Choose a model first";
  if (chat.missing === "key") return "Enter a key first";
  if (first?.kind === "question" && first.set.session_id === chat.session?.id) {
    if (isLeave(first.set)) return "Or say what to do instead";
    return first.set.about === "failure" ? "Say what to try instead" : "Write instead of answering";
  }
  if (work.elsewhere) return "Ask or plan meanwhile";
  if (isWorking(chat)) return "Add something";
  switch (work.state) {
    case "to_review":
      return work.comments > 0 ? "Anything else?" : "What should be different?";
    case "changed":
    case "outdated":
    case "rolled_back":
      return "What should be different?";
    case "paused":
    case "interrupted":
    case "no_answer":
      return "Say what to do differently";
    case "failed":
      return "Say what to try instead";
    default:
      return chat.messages.length > 0 ? "What next?" : "Ask or plan; @ files, / words";
  }
}
