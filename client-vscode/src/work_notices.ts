// Which ends of a run are told to a user who doesn't see them.
import type { Level } from "./ui";
import type { Work } from "./protocol";

const AT_WORK: readonly Work["state"][] = ["working", "running", "repairing", "retrying", "stopping", "waiting_approval", "waiting_question"];
const LEVELS: Readonly<Partial<Record<Work["state"], Level>>> = { done: "info", partly: "warning", nothing_done: "warning", failed: "warning", no_answer: "warning" };

export interface WorkNotice {
  readonly key: string;
  readonly level: Level;
  readonly message: string;
  /** The run whose changes can be reviewed; empty = none. */
  readonly execution: string;
}

/** The notice for work that has just ended; undefined where it goes on, waits with a question that is told, or belongs to another window. */
export function endOf(work: Work, before: Work | undefined): WorkNotice | undefined {
  const level = LEVELS[work.state];
  const isSame = before?.session_id === work.session_id;
  if (!level || !before || !isSame || !AT_WORK.includes(before.state) || work.elsewhere || work.question_id) return undefined;
  const message = [work.goal, work.title, work.text].filter(Boolean).map((part) => part.replace(/[.:]$/, "")).join(". ");
  return { key: `${work.execution_id || work.session_id} ${work.state} ${work.since}`, level, message: `${message}.`, execution: work.files > 0 ? work.execution_id : "" };
}
