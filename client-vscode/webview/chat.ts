// What the view knows of the conversation, and how that changes with each thing it hears. Pure; the server has the truth.
import type { Condition, Notification } from "../src/bridge";
import type { Execution, ExecutionProgress, Message, MessageDelta, Mode, ModelRetry, OpenFolder, QuestionPending, Session, Status, Transcript, Usage } from "../src/protocol";
import { grown, NOTHING, type Written } from "./stream";

/** The answer that is being written. */
export interface Stream {
  readonly id: string;
  readonly written: Written;
  readonly reasoning: string;
}

/**
 * `session` is the one in hand, missing before the first message. `run` is the execution that goes on in it, `executions`
 * are those that have moved since, by id, and `plans` counts how often each plan has changed, `edits` how often somebody
 * typed in any, so that what shows it knows to look again.
 */
export interface Chat {
  readonly condition: Condition;
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
  condition: "starting",
  folder: "",
  folders: [],
  session: null,
  mode: "plan",
  model: "",
  missing: "",
  isRestricted: false,
  isFolderTrusted: true,
  isRunning: false,
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
export function withStatus(chat: Chat, { folder, folders, session, mode, model, context_window: window, missing, is_restricted: isRestricted, is_trusted: isFolderTrusted, is_running: isRunning }: Status): Chat {
  const isSame = session?.id === chat.session?.id;
  const kept = isSame ? chat : { ...chat, messages: [], hasEarlier: false, stream: null, retry: null, run: null };
  return { ...kept, folder, folders, session, mode, model, window, missing, isRestricted, isFolderTrusted, isRunning };
}

/** What people call a folder where there are several; else empty. */
export function folderName({ folders }: Chat, uri: string): string {
  return folders.length > 1 ? (folders.find((folder) => folder.uri === uri)?.name ?? "") : "";
}

/** A page of messages in its place: before those that are there, among them, or instead of them where some between are missing. */
export function withPage(chat: Chat, page: Transcript): Chat {
  const [first] = page.messages;
  if (page.session_id !== chat.session?.id) return chat;
  if (!first) return { ...chat, hasEarlier: page.has_earlier };
  const inPage = new Set(page.messages.map(({ id }) => id));
  const common = chat.messages.flatMap(({ id }, index) => (inPage.has(id) ? [index] : []));
  const [begin, end] = [common[0], common.at(-1)];
  if (begin === undefined || end === undefined) {
    const later = chat.messages.filter(({ id }) => id > first.id);
    return { ...chat, messages: [...page.messages, ...later], hasEarlier: page.has_earlier };
  }
  const earlier = chat.messages.slice(0, begin);
  const messages = [...earlier, ...page.messages, ...chat.messages.slice(end + 1)];
  return { ...chat, messages, hasEarlier: earlier.length > 0 ? chat.hasEarlier : page.has_earlier };
}

/** After a notification. What is about another session changes nothing but its questions. */
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
    case "planact/workChanged":
      return { ...chat, isRunning: params.is_running, ...(params.is_running ? {} : { stream: null, retry: null }) };
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
  return `${amountOf(input + output)} tok${cost ? ` · $${cost.toFixed(2)}` : ""}`;
}

/** The same with what of it the provider had kept from before, which is cheaper. */
export function useOf(usage: Usage): string {
  const [all, price] = costOf(usage).split(" · ");
  return [all, usage.cached_tokens > 0 && `${amountOf(usage.cached_tokens)} cached`, price].filter(Boolean).join(" · ");
}

const PURPOSES: Readonly<Record<string, string>> = {
  answer: "answers",
  delegate: "delegates",
  summary: "summaries of what was said",
  intent: "judging what messages ask for",
  lost: "answers that were lost",
};

/** All of it: what went in and came out, each model's part where there were several, and what it was for where not all were answers. */
export function detailsOf(usage: Usage): string {
  const parts = Object.entries(usage.by_model).sort(([, a], [, b]) => b.input_tokens - a.input_tokens);
  const lines = parts.length > 1 ? parts.map(([model, part]) => `${model}: ${useOf(part)}`) : [];
  if (Object.keys(usage.by_purpose).some((purpose) => purpose !== "answer"))
    for (const [purpose, part] of Object.entries(usage.by_purpose)) lines.push(`${PURPOSES[purpose] ?? purpose}: ${useOf(part)}`);
  return [`${usage.input_tokens} tokens read (${usage.cached_tokens} of them cached), ${usage.output_tokens} written${usage.is_estimated ? ", partly estimated" : ""}`, ...lines].join("\n");
}

/** What was used together; null where nothing was. */
export function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  const known = usages.filter((usage) => usage !== null);
  if (known.length === 0) return null;
  const sum = (of: (usage: Usage) => number | null) => known.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  return {
    input_tokens: sum((usage) => usage.input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    cached_tokens: sum((usage) => usage.cached_tokens),
    cache_written_tokens: sum((usage) => usage.cache_written_tokens),
    reasoning_tokens: sum((usage) => usage.reasoning_tokens),
    cost: known.some(({ cost }) => cost !== null) ? sum((usage) => usage.cost) : null,
    requests: sum((usage) => usage.requests),
    is_estimated: known.some((usage) => usage.is_estimated),
    by_model: {},
    by_purpose: {},
  };
}

function amountOf(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}

function withProgress(chat: Chat, progress: ExecutionProgress): Chat {
  const { execution } = progress;
  const executions = { ...chat.executions, [execution.id]: execution };
  if (execution.session_id !== chat.session?.id) return { ...chat, executions };
  return { ...chat, executions, run: execution.status === "running" ? progress : null };
}

function withMessage(chat: Chat, message: Message): Chat {
  if (chat.messages.some(({ id }) => id === message.id)) return chat;
  const stream = chat.stream?.id === message.id ? null : chat.stream;
  return { ...chat, messages: [...chat.messages, message], stream };
}

function longer(stream: Stream | null, delta: MessageDelta): Stream | null {
  if (delta.begins_anew) return stream?.id === delta.message_id ? null : stream;
  const { id, written, reasoning } = stream?.id === delta.message_id ? stream : { id: delta.message_id, written: NOTHING, reasoning: "" };
  return delta.is_reasoning ? { id, written, reasoning: reasoning + delta.text } : { id, written: grown(written, delta.text), reasoning };
}

function without(questions: readonly QuestionPending[], id: string): readonly QuestionPending[] {
  return questions.filter((question) => question.question_id !== id);
}
