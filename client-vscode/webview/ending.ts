// How runs and their steps ended, in a few words. Pure.
import type { Execution, StepRecord } from "../src/protocol";
import { changedFiles } from "../src/text";
import { counted } from "./call_shown";
import { spanOf } from "./work";

/** The end of a run, in one line of Markdown. */
export function endOf(run: Execution): string {
  const steps = run.only_steps.length > 0 ? run.only_steps.length : new Set(run.steps.map(({ step_number: number }) => number)).size;
  const done = new Set(run.steps.filter(({ status }) => status === "done").map(({ step_number: number }) => number)).size;
  const files = new Set(run.steps.flatMap((step) => step.files.map(({ path }) => path))).size;
  const touched = files > 0 ? [counted(files, "file")] : [];
  const why = run.reason ? `: ${run.reason}` : "";
  if (run.rollbacks.length > 0) return changedFiles(run).length > 0 ? "Partly rolled back" : "Rolled back";
  switch (run.status) {
    case "running":
      return "";
    case "success":
      return ["Done", ...(run.plan_id ? [counted(steps, "step")] : []), ...touched].join(" · ");
    case "partial_success":
      return ["Partly done", `${done} of ${counted(steps, "step")}`, ...touched].join(" · ");
    case "nothing_done":
      return "Nothing was done";
    case "paused":
      return `Paused${why}`;
    case "aborted":
      return `Stopped${why}`;
    case "failed":
      return `Failed${why}`;
  }
}

/** The record of a step's attempt, counted from 0; of the `last` one that the conversation has, the newest. */
export function recordOf(run: Execution | null | undefined, number: number, attempt: number, isLast: boolean): StepRecord | undefined {
  const records = run?.steps.filter((record) => record.step_number === number) ?? [];
  return isLast ? records.at(-1) : records[attempt];
}

/** What stands at the end of a step's heading; empty while it runs. */
export function markOf(run: Execution, record: StepRecord): string {
  if (run.rollbacks.some(({ steps }) => steps.includes(record.step_number))) return "rolled back";
  switch (record.status) {
    case "done":
      return `✓ ${spanOf(record.duration)}`;
    case "failed":
      return "✗ failed";
    case "skipped":
      return "skipped";
    default:
      return "";
  }
}
