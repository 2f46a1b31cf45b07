// Rollbacks, saved files and changes of runs, in a line or in order; differences that wait, by their lines.
import type { Execution, FileCompared, FilesSaved, QuestionPending, RollbackResult } from "./protocol";

/** Lines of a difference that the chat's card shows. */
const CARD_LINES = 12;

/** With a capital at its beginning. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
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

/** Numbers of the steps that changed files and were not rolled back, in order; 0 = work without a plan. */
export function changedSteps(run: Execution): number[] {
  const back = new Set(run.rollbacks.flatMap((rollback) => rollback.steps));
  const steps = run.steps.filter(({ files, step_number: step }) => files.length > 0 && !back.has(step));
  return [...new Set(steps.map(({ step_number: step }) => step))];
}

/** Files from before the first change of each until after its last; `changes` are in order. What came and went is left out. */
export function merged(changes: readonly FileCompared[]): FileCompared[] {
  const byPath = new Map<string, FileCompared>();
  for (const change of changes) {
    const first = byPath.get(change.path) ?? change;
    const isNew = first.what === "created";
    const what = change.what === "deleted" ? "deleted" : isNew ? "created" : "changed";
    byPath.set(change.path, { ...change, before_uri: first.before_uri, what });
    if (isNew && what === "deleted") byPath.delete(change.path);
  }
  return [...byPath.values()].filter(({ before_uri: before, after_uri: after }) => before !== "" && after !== "");
}

/** How many lines of the differences in a text come and go; undefined where none does. */
export function countsOf(context: string): { readonly added: number; readonly removed: number } | undefined {
  const blocks = [...context.matchAll(/^(`{3,})diff\n([\s\S]*?)^\1/gm)].map(([, , lines = ""]) => lines);
  const lines = blocks.join("").split("\n").filter((line) => !/^(\+\+\+|---) /.test(line));
  const [added, removed] = ["+", "-"].map((mark) => lines.filter((line) => line.startsWith(mark)).length) as [number, number];
  return added + removed > 0 ? { added, removed } : undefined;
}

/** Whether a change waits whose difference is too long for the chat's card: the editor's own stands beside it. */
export function isLongDifference({ edits, questions }: QuestionPending): boolean {
  const { added = 0, removed = 0 } = countsOf(questions[0]?.context ?? "") ?? {};
  return edits.length > 0 && added + removed > CARD_LINES;
}
