// How runs and rollbacks are told, in a line.
import type { Execution, FilesSaved, RollbackResult } from "./protocol";

/** With a capital at its beginning. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Without the lines of code fences, which nothing of VS Code's own draws. */
export function unfenced(text: string): string {
  return text.split("\n").filter((line) => !line.startsWith("```")).join("\n").trim();
}

/** One line on how a run ended; `step` is the number of the one that it was to run. */
export function summary(execution: Execution, step?: number): string {
  if (step !== undefined && execution.status === "success") return `Step ${step} of “${execution.goal}” is done.`;
  const done = execution.steps.filter((step) => step.status === "done").length;
  const ending = {
    running: "is running",
    success: "is carried out",
    partial_success: "is partly done",
    failed: "failed",
    aborted: "was aborted",
    paused: "is paused",
    nothing_done: "ended with nothing done",
  }[execution.status];
  const steps = done > 0 ? ` (${done} ${done === 1 ? "step" : "steps"} done)` : "";
  const reason = execution.reason && execution.status !== "success" ? `: ${execution.reason}` : "";
  return `${execution.goal || "The work"} ${ending}${steps}${reason}`.replace(/\.?$/, ".");
}

/** One line on what a rollback put back, and what it could not. */
export function rolledBack(done: RollbackResult): string {
  const count = done.files.length;
  const files = count === 0 ? "no file had to change" : `${count} ${count === 1 ? "file is" : "files are"} as before`;
  const stayed = done.stayed.length > 0 ? ` What could not be put back: ${done.stayed.join(", ")}.` : "";
  return `Rolled back: ${files}.${stayed}`;
}

/** One line on files that aren't saved; empty where all are. */
export function notSaved(files: readonly string[]): string {
  return files.length > 0 ? `Not saved: ${files.join(", ")}.` : "";
}

/** One line on which files of a run were saved, and which could not be. */
export function savedFiles({ saved, unsaved }: FilesSaved): string {
  const told = [saved.length > 0 ? `Saved: ${saved.join(", ")}.` : "", notSaved(unsaved)].filter(Boolean);
  return told.join(" ") || "All files of the run are saved.";
}

/** How a run stands, in a word or two. */
export function statusOf(run: Execution): string {
  if (run.rollbacks.length === 0) return run.status.replace("_", " ");
  return changedFiles(run).length > 0 ? "partly rolled back" : "rolled back";
}

/** The files that a rollback of the run would be about: those that can be put back, of steps that were not. */
export function changedFiles(run: Execution): string[] {
  const back = new Set(run.rollbacks.flatMap((rollback) => rollback.steps));
  const files = run.steps.filter((step) => !back.has(step.step_number)).flatMap((step) => step.files);
  return [...new Set(files.filter((file) => file.is_covered).map((file) => file.path))];
}
