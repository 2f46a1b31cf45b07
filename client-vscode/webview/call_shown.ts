// Calls of tools as the transcript shows them: what each was about, what came of it, and all of a group in a line. Pure.
import type { Message, ToolCall } from "../src/protocol";
import { deedOf } from "./verbs";

/** A call that ended, and what came of it. `contained` says why it ran where it could change nothing. */
export interface CallShown {
  readonly call: ToolCall;
  readonly result: string;
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

/** The results of calls. A model may use an id again in a later turn: a result belongs to the last call before it. */
export function resultsOf(messages: readonly Message[]): ReadonlyMap<ToolCall, Message> {
  const results = new Map<ToolCall, Message>();
  const calls = new Map<string, ToolCall>();
  for (const message of messages) {
    for (const call of message.tool_calls) calls.set(call.id, call);
    const call = message.role === "tool" ? calls.get(message.tool_call_id) : undefined;
    if (call) results.set(call, message);
  }
  return results;
}

/** A call with its result. */
export function shown(call: ToolCall, { content, metadata }: Message): CallShown {
  const contained = COMMANDS.has(call.name) ? /^\(contained: ([^\n]*?)\) /.exec(content)?.[1] : undefined;
  return { call, result: content, problem: problemOf(content, metadata["outcome"]), contained: contained ?? "" };
}

/**
 * What a group of calls did, in one line: at most three parts, and how many more there were; what failed comes last. Calls that were not run
 * and those that ran contained are told elsewhere. `thought` is what stands before, such as "thought 12 s".
 */
export function summaryOf(calls: readonly CallShown[], thought = ""): string {
  const kinds = new Map<string, { readonly told: (count: number) => string; readonly things: Set<string>; count: number }>();
  for (const { call } of calls.filter(({ problem, contained }) => !problem && !contained)) {
    const deed = deedOf(call.name);
    if (!deed) continue;
    const kind = kinds.get(deed.kind) ?? { told: deed.told, things: new Set<string>(), count: 0 };
    kind.count += 1;
    const thing = deed.countsThings ? subjectOf(call) : "";
    kind.things.add(thing === "" ? String(kind.count) : thing);
    kinds.set(deed.kind, kind);
  }
  const parts = [...(thought ? [{ text: thought, count: 1 }] : []), ...[...kinds.values()].map(({ told, things, count }) => ({ text: told(things.size), count }))];
  const rest = parts.slice(MOST_PARTS).reduce((sum, { count }) => sum + count, 0);
  const failed = calls.filter(({ problem }) => problem && !problem.isRefusal).length;
  const texts = [...parts.slice(0, MOST_PARTS).map(({ text }) => text), ...(rest ? [`${rest} other ${rest === 1 ? "step" : "steps"}`] : []), ...(failed ? [`${failed} failed`] : [])];
  return capital(texts.join(", "));
}

/** Calls that were not run, in one line with the reason; empty where all were. */
export function refusedLine(calls: readonly CallShown[]): string {
  const refused = calls.flatMap(({ problem }) => (problem?.isRefusal ? [problem] : []));
  if (refused.length === 0) return "";
  const [first] = refused;
  const reason = first?.code === "TOOL_BLOCKED_BY_MODE" ? "nothing changes in Plan" : lower(first?.message ?? "").replace(/\.$/, "");
  return `${counted(refused.length, "call")} not run: ${reason}`;
}

/** Commands that ran where they could change nothing, in one line with the reason; empty where none did. */
export function containedLine(calls: readonly CallShown[]): string {
  const contained = calls.filter((each) => each.contained);
  return contained.length > 0 ? `${counted(contained.length, "command")} ran contained: ${contained[0]?.contained ?? ""}` : "";
}

/** What a call is about, in a few words: the path, the command, the pattern. */
export function subjectOf({ arguments: text }: ToolCall): string {
  const args = parsed(text);
  for (const key of ["path", "command", "pattern", "query", "target", "task", "name"]) {
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

function problemOf(result: string, outcome: unknown): Problem | undefined {
  const error = result.startsWith('{"error":') ? (parsed(result)?.["error"] as Partial<Record<string, string>> | undefined) : undefined;
  const isRefusal = outcome === undefined ? error?.["layer"] !== undefined : outcome === "refused" || outcome === "not_run";
  if (!error && !isRefusal && outcome !== "failed") return undefined;
  return { message: error?.["message"] ?? result, hint: error?.["hint"] ?? "", code: error?.["code"] ?? "", isRefusal };
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

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lower(text: string): string {
  return /^[A-Z][a-z' ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const MOST_PARTS = 3;
const COMMANDS: ReadonlySet<string> = new Set(["execute_command", "start_command"]);
