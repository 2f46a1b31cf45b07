// A transcript as it is shown: what was said, calls of tools folded together, plans, steps of runs and their ends. Pure.
import type { Image, Message, Question } from "../src/protocol";
import { resultsOf, shown, type CallShown } from "./call_shown";

/** An answer as a message carries it, by the names of what was asked; of `edits` the `rejected` stayed as they were. */
export interface Answer {
  readonly question_id: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly edits?: readonly string[];
  readonly rejected?: readonly string[];
  readonly comment?: string;
}

/** An error that ended a turn. */
export interface FailureTold {
  readonly code: string;
  readonly title: string;
  readonly text: string;
  readonly hint?: string;
  readonly can_try_again?: boolean;
}

/** The text with what there is to do about it, unless it says that already. */
export function withHint(text: string, hint: string): string {
  return [text, text.includes(hint) ? "" : hint].filter(Boolean).join(" ");
}

interface Common {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
}

/** What the user said; `asked` is what an `answer` answers, where that is known. */
export interface UserBlock extends Common {
  readonly kind: "user";
  readonly text: string;
  readonly images: readonly Image[];
  readonly answer: Answer | undefined;
  readonly asked: readonly Question[] | undefined;
  readonly isQueued: boolean;
}

/** `thoughts` is what the model thought aloud among them; `thought` how long it took, in seconds, -1 = not known. */
export interface CallsBlock extends Common {
  readonly kind: "calls";
  readonly calls: readonly CallShown[];
  readonly thoughts: string;
  readonly thought: number;
}

export type Piece =
  | UserBlock
  | CallsBlock
  | (Common & { readonly kind: "said"; readonly text: string; readonly delegate: string })
  | (Common & { readonly kind: "plan"; readonly planId: string })
  | (Common & { readonly kind: "run"; readonly executionId: string })
  | (Common & { readonly kind: "failure"; readonly failure: FailureTold })
  | (Common & { readonly kind: "repair"; readonly title: string; readonly text: string })
  | (Common & { readonly kind: "note"; readonly text: string });

/** A step of a run with all that was done for it. */
export interface StepBlock extends Common {
  readonly kind: "step";
  readonly executionId: string;
  readonly number: number;
  readonly action: string;
  /** How many attempts of it came before, in the same run. */
  readonly attempt: number;
  /** Whether no later attempt is there. */
  readonly isNewest: boolean;
  readonly pieces: readonly Piece[];
}

export type Block = Piece | StepBlock;

/**
 * The blocks of a transcript, in order. Of one plan, only the last mention is shown, and of a run that went on after a pause, only its last
 * end. A question that is `waiting` is in the dock, and several that were answered stand with their answers.
 */
export function blocksOf(messages: readonly Message[], waiting: ReadonlySet<unknown> = new Set()): readonly Block[] {
  const results = resultsOf(messages);
  const lastOf = lastMentions(messages, isPlan);
  const endOf = lastMentions(messages, isRun, "execution_id");
  // A reply's id is as old as its request: what has a newer one was written after it, and no model has read it yet.
  const read = messages.reduce((last, { role, id, metadata }) => (role === "assistant" && !metadata["delegate"] && id > last ? id : last), "");
  const questions = new Map(messages.filter(({ message_type: type }) => type === "question").map(({ metadata }) => [metadata["question_id"], metadata["questions"] as UserBlock["asked"]]));
  const answered = new Set(messages.map(({ metadata }) => (metadata["question_answer"] as Answer | undefined)?.question_id));
  const blocks: Block[] = [];
  let step: { -readonly [K in keyof StepBlock]: StepBlock[K] } & { pieces: Piece[] } | undefined;
  let executionId = "";
  const add = (piece: Piece) => { (step?.pieces ?? blocks).push(piece); };
  for (const message of messages) {
    const { role, id, created_at: time, metadata } = message;
    switch (role) {
      case "user": {
        const block = ofUser(message, read, questions);
        if (block.answer) {
          if (!isConfirmation(block)) add(block);
        } else {
          step = undefined;
          blocks.push(block);
        }
        break;
      }
      case "assistant":
        ofAssistant(step?.pieces ?? blocks, message, results);
        break;
      case "system": {
        if ("begins_context" in metadata && typeof metadata["execution_id"] === "string") executionId = metadata["execution_id"];
        const heading = headingOf(message);
        if (heading) {
          const before = blocks.filter((block): block is StepBlock => block.kind === "step" && block.executionId === executionId && block.number === heading.number);
          for (const block of before) (block as { isNewest: boolean }).isNewest = false;
          step = { kind: "step", id, time, executionId, ...heading, attempt: before.length, isNewest: true, pieces: [] };
          blocks.push(step);
        } else if (!isTold(message, waiting, answered)) {
          if (isRun(message)) step = undefined;
          const piece = ofSystem(message, lastOf, endOf);
          if (piece?.kind === "plan") blocks.push(piece);
          else if (piece) add(piece);
        }
        break;
      }
      case "tool":
        break;
    }
  }
  return blocks;
}

/** Whether two blocks look the same, so that one that is there need not be drawn again. */
export function isSame(one: Block, other: Block): boolean {
  if (one.kind === "step" && other.kind === "step") {
    return one.id === other.id && one.executionId === other.executionId && one.isNewest === other.isNewest && one.pieces.length === other.pieces.length && one.pieces.every((piece, at) => isSame(piece, other.pieces[at] ?? one));
  }
  if (one.kind === "calls" && other.kind === "calls") {
    return one.thoughts === other.thoughts && one.calls.length === other.calls.length && one.calls.every(({ call, result }, at) => call === other.calls[at]?.call && result === other.calls[at].result);
  }
  const [a, b] = [one, other] as unknown as Record<string, unknown>[];
  return Object.keys({ ...a, ...b }).every((key) => a?.[key] === b?.[key]);
}

/** What was typed: the message may have what it mentions below that. */
function ofUser({ id, content, images, metadata, created_at: time }: Message, newest: string, questions: ReadonlyMap<unknown, UserBlock["asked"]>): UserBlock {
  const text = typeof metadata["typed"] === "string" ? metadata["typed"] : content;
  const answer = metadata["question_answer"] as Answer | undefined;
  return { kind: "user", id, time, text, images, answer, asked: answer && questions.get(answer.question_id), isQueued: metadata["queued"] === true && id > newest };
}

/** A yes to what planact itself asked, which is seen by what follows. */
function isConfirmation({ answer, asked }: UserBlock): boolean {
  return asked?.length === 1 && asked[0]?.name === "execute" && Object.keys(answer?.answers ?? {}).length === 1;
}

/** What was said ends a group of calls; calls that follow one another, with nothing said between them, fold into one block. */
function ofAssistant(blocks: Block[], message: Message, results: ReadonlyMap<Message["tool_calls"][number], Message>): void {
  const { id, created_at: time, content: text, reasoning, metadata } = message;
  const calls = message.tool_calls.flatMap((call) => {
    const result = results.get(call);
    return result ? [shown(call, result)] : [];
  });
  const isSaid = text.trim() !== "";
  if (reasoning.trim()) fold(blocks, { kind: "calls", id: `${id}-thought`, time, calls: [], thoughts: reasoning, thought: isSaid ? -1 : secondsOf(message) });
  if (isSaid) blocks.push({ kind: "said", id, time, text, delegate: typeof metadata["delegate"] === "string" ? "delegate" : "" });
  if (calls.length > 0) fold(blocks, { kind: "calls", id: `${id}-calls`, time, calls, thoughts: "", thought: 0 });
}

function fold(blocks: Block[], more: CallsBlock): void {
  const last = blocks.at(-1);
  if (last?.kind !== "calls") {
    blocks.push(more);
    return;
  }
  const thought = last.thought < 0 || more.thought < 0 ? -1 : last.thought + more.thought;
  blocks[blocks.length - 1] = { ...last, calls: [...last.calls, ...more.calls], thoughts: [last.thoughts, more.thoughts].filter(Boolean).join("\n\n"), thought };
}

/** How long a message took: its id has the time of its request. */
function secondsOf({ id, created_at: time }: Message): number {
  const began = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  const seconds = Math.round((Date.parse(time) - began) / 1000);
  return seconds >= 0 && seconds < A_DAY ? seconds : -1;
}

/** The number and the action of a step whose work begins there. */
function headingOf({ content, metadata }: Message): { number: number; action: string } | undefined {
  const number = metadata["step"];
  const action = /^Carry out step \d+ of \d+: ([\s\S]*?)\.?(?: Files: | It was tried before|$)/.exec(content)?.[1];
  return typeof number === "number" && action !== undefined ? { number, action } : undefined;
}

/** Whether a question stands elsewhere: in the dock, or, once it is answered, with its answer. */
function isTold({ message_type: type, metadata }: Message, waiting: ReadonlySet<unknown>, answered: ReadonlySet<unknown>): boolean {
  return type === "question" && (waiting.has(metadata["question_id"]) || answered.has(metadata["question_id"]));
}

type Mentions = ReadonlyMap<unknown, string>;

function ofSystem(message: Message, lastOf: Mentions, endOf: Mentions): Piece | undefined {
  const { id, content: text, created_at: time, metadata } = message;
  const [planId, executionId] = [metadata["plan_id"], metadata["execution_id"]];
  if (isPlan(message) && typeof planId === "string") return lastOf.get(planId) === id ? { kind: "plan", id, time, planId } : undefined;
  if (isRun(message) && typeof executionId === "string") return endOf.get(executionId) === id ? { kind: "run", id, time, executionId } : undefined;
  // Where a run begins is seen by its first step.
  if ("begins_context" in metadata || "is_hidden" in metadata) return undefined;
  const failure = metadata["failure"] as FailureTold | undefined;
  if (failure) return { kind: "failure", id, time, failure };
  const repair = /^Repair (\d+ of \d+) of step \d+: /.exec(text);
  if (repair) return { kind: "repair", id, time, title: `Check failed, repairing (${repair[1] ?? ""})`, text: text.slice(repair[0].length) };
  return { kind: "note", id, time, text };
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

const A_DAY = 86_400;
