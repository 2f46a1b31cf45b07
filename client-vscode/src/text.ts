// Text from a model or a repository, made fit for VS Code's own surfaces.
import type { Execution } from "./protocol";

/** Without links: VS Code would follow `[label](command:…)` in a notification. */
export function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Without the lines of code fences, which nothing of VS Code's own draws. */
export function unfenced(text: string): string {
  return text.split("\n").filter((line) => !line.startsWith("```")).join("\n").trim();
}

/** One line on how a run ended; `step` is the number of the one that it was to run. */
export function summary(execution: Execution, step?: number): string {
  if (step !== undefined && execution.status === "success") return plain(`Step ${step} of “${execution.goal}” is done.`);
  const done = execution.steps.filter((step) => step.status === "done").length;
  const ending = {
    running: "is running",
    success: "is carried out",
    partial_success: "is partly done",
    failed: "failed",
    aborted: "was aborted",
    paused: "is paused",
  }[execution.status];
  const steps = done > 0 ? ` (${done} ${done === 1 ? "step" : "steps"} done)` : "";
  const reason = execution.reason && execution.status !== "success" ? `: ${execution.reason}` : "";
  return plain(`${execution.goal || "The work"} ${ending}${steps}${reason}`.replace(/\.?$/, "."));
}
