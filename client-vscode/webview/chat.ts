// What the view knows of the conversation, and how that changes with each thing it hears. Pure; the server has the truth.
import type { Notification, ServerState, Surroundings } from "../src/bridge";
import type { Execution, ExecutionProgress, Message, MessageDelta, Mode, ModelRetry, OpenFolder, QuestionPending, Session, Status, Transcript, Usage, WorkChanged } from "../src/protocol";
import { grown, NOTHING, type Written } from "./stream";
import { isBusy, NO_WORK, workOf } from "./work";
import type { Work } from "../src/protocol";

/** The answer that is being written. */
export interface Stream {
  readonly id: string;
  readonly written: Written;
  readonly reasoning: string;
  /** When its thinking began, in ms since 1970; 0 = it doesn't think. */
  readonly thinkingSince: number;
}

/**
 * `session` is the one in hand, missing before the first message. `run` is the execution that goes on in it, `executions`
 * are those that have moved since, by id, and `plans` counts how often each plan has changed, `edits` how often somebody
 * typed in any, so that what shows it knows to look again.
 */
export interface Chat {
  readonly server: ServerState;
  /** The workspace folder that all of it is about, by its URI; `folders` are all that are open. */
  readonly folder: string;
  readonly folders: readonly OpenFolder[];
  readonly session: Session | null;
  readonly mode: Mode;
  readonly model: string;
  /** What the user still has to choose or give before a model can be asked. */
  readonly missing: Status["missing"];
  /** Whether the workspace isn't trusted, so that nothing runs there. */
  readonly isRestricted: boolean;
  /** Whether the folder's own settings and roles count fully, or there are none. */
  readonly isFolderTrusted: boolean;
  readonly isRunning: boolean;
  /** All that goes on or waits in the folder, and of it what concerns this view. */
  readonly works: readonly Work[];
  readonly work: Work;
  readonly surroundings: Surroundings;
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  readonly stream: Stream | null;
  /** The wait before a request is sent again. */
  readonly retry: ModelRetry | null;
  readonly questions: readonly QuestionPending[];
  readonly run: ExecutionProgress | null;
  readonly executions: Readonly<Record<string, Execution>>;
  readonly plans: Readonly<Record<string, number>>;
  readonly edits: number;
  /** So many tokens the model can read at once; 0 = nobody knows. */
  readonly window: number;
}

export const EMPTY: Chat = {
  server: { condition: "starting" },
  folder: "",
  folders: [],
  session: null,
  mode: "plan",
  model: "",
  missing: "",
  isRestricted: false,
  isFolderTrusted: true,
  isRunning: false,
  works: [],
  work: NO_WORK,
  surroundings: { path: "", problems: 0, plans: [], isEmpty: false },
  messages: [],
  hasEarlier: false,
  stream: null,
  retry: null,
  questions: [],
  run: null,
  executions: {},
  plans: {},
  edits: 0,
  window: 0,
};

/** Where things stand, from the server; another session than before begins with nothing. */
export function withStatus(chat: Chat, status: Status): Chat {
  const { folder, folders, session, mode, model, context_window: window, missing, is_restricted: isRestricted, is_trusted: isFolderTrusted, is_running: isRunning } = status;
  const isSame = session?.id === chat.session?.id;
  const kept = isSame ? chat : { ...chat, messages: [], hasEarlier: false, stream: null, retry: null, run: null };
  return withWorks({ ...kept, folder, folders, session, mode, model, window, missing, isRestricted, isFolderTrusted, isRunning }, status.works);
}

function withWorks(chat: Chat, works: readonly Work[]): Chat {
  return { ...chat, works, work: workOf(works, chat.session?.id ?? "") };
}

/** Whether something is done in the session in hand. */
export function isWorking({ isRunning, work }: Chat): boolean {
  return (isRunning || isBusy(work)) && !work.elsewhere;
}

/** What people call a folder where there are several; else empty. */
export function folderName({ folders }: Chat, uri: string): string {
  return folders.length > 1 ? (folders.find((folder) => folder.uri === uri)?.name ?? "") : "";
}

/**
 * A page of messages, each in its place by its id, which grows. Where some between the page and those that are there are missing, the older
 * ones go: they come again as the user scrolls up.
 */
export function withPage(chat: Chat, page: Transcript): Chat {
  if (page.session_id !== chat.session?.id) return chat;
  const [first] = page.messages;
  if (!first) return { ...chat, hasEarlier: page.has_earlier };
  const inPage = new Set(page.messages.map(({ id }) => id));
  const last = page.messages.at(-1)?.id ?? "";
  const earlier = chat.messages.filter(({ id }) => id < first.id);
  const isJoined = chat.messages.some(({ id }) => inPage.has(id)) || !page.has_earlier || earlier.length === 0;
  const kept = isJoined ? earlier : [];
  const later = chat.messages.filter(({ id }) => id > last);
  return { ...chat, messages: [...kept, ...page.messages, ...later], hasEarlier: kept.length > 0 ? chat.hasEarlier : page.has_earlier };
}

/** After what the server told. What is about another session changes nothing but its questions. */
export function after(chat: Chat, notification: Notification): Chat {
  const { method, params } = notification;
  switch (method) {
    case "planact/questionPending":
      return { ...chat, questions: [...without(chat.questions, params.question_id), params] };
    case "planact/questionResolved":
      return { ...chat, questions: without(chat.questions, params.question_id) };
    case "planact/planChanged":
      return { ...chat, plans: { ...chat.plans, [params.plan_id]: (chat.plans[params.plan_id] ?? 0) + 1 } };
    case "planact/executionProgress":
      return withProgress(chat, params);
  }
  if (method === "planact/workChanged") return params.folder === chat.folder ? withWorks(atWork(chat, params), params.works) : chat;
  const session = chat.session;
  if (params.session_id !== session?.id) return chat;
  switch (method) {
    case "planact/message":
      return withMessage(chat, params);
    case "planact/messageDelta":
      return { ...chat, stream: longer(chat.stream, params) };
    case "planact/modelRetry":
      return { ...chat, retry: params.seconds_left > 0 ? params : null };
    case "planact/modeChanged":
      return { ...chat, mode: params.mode, session: { ...session, mode: params.mode, role: params.role, plan_file: params.plan_file } };
    case "planact/usage":
      return { ...chat, session: { ...session, usage: params.usage }, window: params.context_window || chat.window };
  }
}

/** How much of what the model can read at once its last answer took up, from 0 to 1; undefined where that isn't known. */
export function fullnessOf({ messages, window }: Chat): number | undefined {
  const last = messages.filter(({ role, usage, metadata }) => role === "assistant" && usage && !metadata["delegate"]).at(-1)?.usage;
  return window > 0 && last ? (last.input_tokens + last.output_tokens) / window : undefined;
}

/** What was used, in a few words; empty before the first request. */
export function costOf({ input_tokens: input, output_tokens: output, cost, requests }: Usage): string {
  if (requests === 0) return "";
  return `${amountOf(input + output)} tokens${cost ? ` · $${cost.toFixed(2)}` : ""}`;
}

function amountOf(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}

function atWork(chat: Chat, { session_id: session, is_running: isRunning }: WorkChanged): Chat {
  if (session !== chat.session?.id) return chat;
  return { ...chat, isRunning, ...(isRunning ? {} : { stream: null, retry: null }) };
}

function withProgress(chat: Chat, progress: ExecutionProgress): Chat {
  const { execution } = progress;
  const executions = { ...chat.executions, [execution.id]: execution };
  if (execution.session_id !== chat.session?.id) return { ...chat, executions };
  return { ...chat, executions, run: execution.status === "running" ? progress : null };
}

/** The newest messages come at the end; one that is late stands where its id has it. */
function withMessage(chat: Chat, message: Message): Chat {
  if (chat.messages.some(({ id }) => id === message.id)) return chat;
  const stream = chat.stream?.id === message.id ? null : chat.stream;
  const at = chat.messages.findLastIndex(({ id }) => id < message.id) + 1;
  return { ...chat, messages: chat.messages.toSpliced(at, 0, message), stream };
}

function longer(stream: Stream | null, delta: MessageDelta): Stream | null {
  if (delta.begins_anew) return stream?.id === delta.message_id ? null : stream;
  const before = stream?.id === delta.message_id ? stream : { id: delta.message_id, written: NOTHING, reasoning: "", thinkingSince: 0 };
  if (!delta.is_reasoning) return { ...before, written: grown(before.written, delta.text) };
  return { ...before, reasoning: before.reasoning + delta.text, thinkingSince: before.thinkingSince || Date.now() };
}

function without(questions: readonly QuestionPending[], id: string): readonly QuestionPending[] {
  return questions.filter((question) => question.question_id !== id);
}
