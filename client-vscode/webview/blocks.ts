// A transcript as it is shown: what was said, calls of tools folded together, plans, runs. Pure.
import type { Image, Message, Question, ToolCall, Usage } from "../src/protocol";
import { sumOf } from "./chat";

/** A call and what came of it; `result` is missing while it runs. `contained` says why it ran where it could change nothing. */
export interface CallShown {
  readonly call: ToolCall;
  readonly result: string | undefined;
  readonly problem: Problem | undefined;
  readonly contained: string;
}

/** Why a call came to nothing. `isRefusal` = it was not run, or its jail held it back. */
export interface Problem {
  readonly message: string;
  readonly hint: string;
  readonly code: string;
  readonly isRefusal: boolean;
}

/** An answer as a message carries it, by the names of what was asked; of `edits` the `rejected` stayed as they were. */
export interface Answer {
  readonly question_id: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly edits?: readonly string[];
  readonly rejected?: readonly string[];
  readonly comment?: string;
}

/** What the user said; `asked` is what an `answer` answers, where that is known. */
export interface UserBlock {
  readonly kind: "user";
  readonly id: string;
  readonly text: string;
  readonly images: readonly Image[];
  readonly answer: Answer | undefined;
  readonly asked: readonly Question[] | undefined;
  readonly isQueued: boolean;
}

export type Block =
  | UserBlock
  | { readonly kind: "said"; readonly id: string; readonly text: string; readonly reasoning: string; readonly usage: Usage | null; readonly delegate: string }
  | { readonly kind: "calls"; readonly id: string; readonly calls: readonly CallShown[]; readonly usage: Usage | null }
  | { readonly kind: "plan"; readonly id: string; readonly planId: string; readonly time: string; readonly isLatest: boolean }
  | { readonly kind: "run"; readonly id: string; readonly executionId: string; readonly isLatest: boolean }
  | { readonly kind: "note"; readonly id: string; readonly text: string; readonly isStep: boolean; readonly usage: Usage | null };

/**
 * The blocks of a transcript, in order. Of one plan, only the last mention is a card, and of a run that went on after a pause, only its last
 * end; of a plan's card and those of its runs one `isLatest`. A
 * question that is `waiting` has a card of its own, and several that were answered stand with their answers.
 */
export function blocksOf(messages: readonly Message[], waiting: ReadonlySet<unknown> = new Set()): readonly Block[] {
  const results = resultsOf(messages);
  const lastOf = lastMentions(messages, isPlan);
  const endOf = lastMentions(messages, isRun, "execution_id");
  const latestOf = lastMentions(messages, (message) => isPlan(message) || isRun(message));
  // A reply's id is as old as its request: what has a newer one was written after it, and no model has read it yet.
  const asked = messages.reduce((last, { role, id, metadata }) => (role === "assistant" && !metadata["delegate"] && id > last ? id : last), "");
  const questions = new Map(messages.filter(({ message_type: type }) => type === "question").map(({ metadata }) => [metadata["question_id"], metadata["questions"] as UserBlock["asked"]]));
  const answered = new Set(messages.map(({ metadata }) => (metadata["question_answer"] as Answer | undefined)?.question_id));
  const blocks: Block[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "user":
        blocks.push(ofUser(message, asked, questions));
        break;
      case "assistant":
        blocks.push(...said(message));
        if (message.tool_calls.length > 0) addCalls(blocks, message, results);
        break;
      case "system":
        if (!isTold(message, waiting, answered)) blocks.push(...ofSystem(message, lastOf, endOf, latestOf));
        break;
      case "tool":
        break;
    }
  }
  return blocks;
}

/** Whether two blocks look the same, so that one that is there need not be drawn again. */
export function isSame(one: Block, other: Block): boolean {
  if (one.kind === "calls" && other.kind === "calls") {
    return one.calls.length === other.calls.length && one.calls.every(({ call, result }, at) => call === other.calls[at]?.call && result === other.calls[at].result);
  }
  const [a, b] = [one, other] as unknown as Record<string, unknown>[];
  return Object.keys({ ...a, ...b }).every((key) => a?.[key] === b?.[key]);
}

/** What a group of calls did, in one line. */
export function summaryOf(calls: readonly CallShown[]): string {
  const refused = calls.filter(({ problem }) => problem?.isRefusal).length;
  const contained = calls.filter((each) => each.contained).length;
  const failed = calls.filter(({ problem }) => problem && !problem.isRefusal).length;
  const counts = new Map<string, number>();
  for (const { call, problem } of calls) if (!problem) counts.set(call.name, (counts.get(call.name) ?? 0) + 1);
  const done = [...counts].map(([name, count]) => (PHRASES[name] ?? other(name))(count));
  const parts = [...done, ...(contained ? [`${contained} contained`] : []), ...(refused ? [`${refused} refused`] : []), ...(failed ? [`${failed} failed`] : [])];
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a call is about, in a few words: the path, the command, the pattern. */
export function subjectOf({ arguments: text }: ToolCall): string {
  const args = parsed(text);
  for (const key of ["path", "command", "pattern", "query", "target", "task"]) {
    const value = args?.[key];
    if (typeof value === "string") return value;
  }
  return "";
}

/** What a call would change, as lines of a difference; empty where it is no edit. */
export function differenceOf({ arguments: text }: ToolCall): string {
  const args = parsed(text);
  const edits = Array.isArray(args?.["edits"]) ? (args["edits"] as { old?: unknown; new?: unknown }[]) : [];
  const lines = edits.map((edit) => [...marked("-", edit.old), ...marked("+", edit.new)].join("\n"));
  if (lines.length > 0) return lines.join("\n…\n");
  if (typeof args?.["patch"] === "string" && args["patch"]) return args["patch"];
  return typeof args?.["content"] === "string" ? marked("+", args["content"]).join("\n") : "";
}

/** What was typed: the message may have what it mentions below that. */
function ofUser({ id, content, images, metadata }: Message, newest: string, questions: ReadonlyMap<unknown, UserBlock["asked"]>): Block {
  const text = typeof metadata["typed"] === "string" ? metadata["typed"] : content;
  const answer = metadata["question_answer"] as Answer | undefined;
  return { kind: "user", id, text, images, answer, asked: answer && questions.get(answer.question_id), isQueued: metadata["queued"] === true && id > newest };
}

function isSaid({ content, reasoning }: Message): boolean {
  return Boolean(content.trim() || reasoning.trim());
}

function said(message: Message): Block[] {
  const { id, content: text, reasoning, usage } = message;
  if (!isSaid(message)) return [];
  const delegate = typeof message.metadata["delegate"] === "string" ? "delegate" : "";
  return [{ kind: "said", id, text, reasoning, usage, delegate }];
}

/** The result of each call. A model may use an id again in a later turn: a result belongs to the last call before it. */
function resultsOf(messages: readonly Message[]): ReadonlyMap<ToolCall, string> {
  const results = new Map<ToolCall, string>();
  const calls = new Map<string, ToolCall>();
  for (const { role, tool_calls, tool_call_id, content } of messages) {
    for (const call of tool_calls) calls.set(call.id, call);
    const call = role === "tool" ? calls.get(tool_call_id) : undefined;
    if (call) results.set(call, content);
  }
  return results;
}

/** Calls that follow one another, with nothing said between them, fold into one block. */
function addCalls(blocks: Block[], message: Message, results: ReadonlyMap<ToolCall, string>): void {
  const calls = message.tool_calls.map((call) => shown(call, results.get(call)));
  const last = blocks.at(-1);
  const usage = isSaid(message) ? null : message.usage; // it stands where something is said
  if (last?.kind === "calls") blocks[blocks.length - 1] = { ...last, calls: [...last.calls, ...calls], usage: sumOf([last.usage, usage]) };
  else blocks.push({ kind: "calls", id: `${message.id}-calls`, calls, usage });
}

function shown(call: ToolCall, result: string | undefined): CallShown {
  const contained = COMMANDS.has(call.name) ? /^\(contained: ([^\n]*?)\) /.exec(result ?? "")?.[1] : undefined;
  return { call, result, problem: problemOf(result), contained: contained ?? "" };
}

/** Whether a question stands elsewhere: in its card, or, of several, beside its answer. */
function isTold({ message_type: type, metadata }: Message, waiting: ReadonlySet<unknown>, answered: ReadonlySet<unknown>): boolean {
  const { question_id: id, questions } = metadata;
  return type === "question" && (waiting.has(id) || (answered.has(id) && Array.isArray(questions) && questions.length > 1));
}

type Mentions = ReadonlyMap<unknown, string>;

function ofSystem(message: Message, lastOf: Mentions, endOf: Mentions, latestOf: Mentions): Block[] {
  const { id, content: text, metadata } = message;
  const [planId, executionId] = [metadata["plan_id"], metadata["execution_id"]];
  const isLatest = latestOf.get(planId) === id;
  if (isPlan(message) && typeof planId === "string" && lastOf.get(planId) === id) {
    return [{ kind: "plan", id, planId, time: message.created_at, isLatest }];
  }
  if (isRun(message) && typeof executionId === "string") return endOf.get(executionId) === id ? [{ kind: "run", id, executionId, isLatest }] : [];
  // Where a run begins is seen by its first step.
  if ("begins_context" in metadata) return [];
  return [{ kind: "note", id, text, isStep: "step" in metadata, usage: message.usage }];
}

function isPlan({ role, message_type: type }: Message): boolean {
  return role === "system" && type === "plan";
}

function isRun({ metadata }: Message): boolean {
  return metadata["is_summary"] === true;
}

/** The last message of some kind about each plan or run, by its id. */
function lastMentions(messages: readonly Message[], isKind: (message: Message) => boolean, about: "plan_id" | "execution_id" = "plan_id"): Mentions {
  return new Map(messages.filter(isKind).map(({ id, metadata }) => [metadata[about], id]));
}

function problemOf(result: string | undefined): Problem | undefined {
  if (!result?.startsWith('{"error":')) return undefined;
  const error = parsed(result)?.["error"] as Partial<Record<string, string>> | undefined;
  if (!error) return undefined;
  return { message: error["message"] ?? "", hint: error["hint"] ?? "", code: error["code"] ?? "", isRefusal: error["layer"] !== undefined };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function marked(mark: string, text: unknown): string[] {
  return typeof text === "string" && text ? text.replace(/\n$/, "").split("\n").map((line) => `${mark} ${line}`) : [];
}

const COMMANDS: ReadonlySet<string> = new Set(["execute_command", "start_command"]);

const PHRASES: Readonly<Record<string, (count: number) => string>> = {
  read_file: counted("read", "file"),
  get_file_info: counted("looked at", "file"),
  list_directory: counted("listed", "folder"),
  find_files: counted("looked for files", "time"),
  search_code: counted("searched", "time"),
  search_symbol: counted("looked up", "name"),
  find_definition: counted("looked up", "definition"),
  find_references: counted("looked up uses", "time"),
  get_diagnostics: () => "read what the editor finds amiss",
  execute_command: counted("ran", "command"),
  start_command: counted("started", "command"),
  read_output: () => "read its output",
  stop_command: counted("stopped", "command"),
  update_file: counted("changed", "file"),
  create_file: counted("created", "file"),
  delete_file: counted("deleted", "file"),
  rename_file: counted("renamed", "file"),
  make_directory: counted("made", "folder"),
  write_plan: () => "wrote the plan",
  ask_user: () => "asked you",
  exit_plan_mode: () => "asked to carry it out",
  delegate: counted("handed out", "task"),
};

function counted(verb: string, noun: string): (count: number) => string {
  return (count) => `${verb} ${count} ${noun}${count === 1 ? "" : "s"}`;
}

function other(name: string): (count: number) => string {
  return (count) => `${name}${count > 1 ? ` ${count} times` : ""}`;
}
