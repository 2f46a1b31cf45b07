// Which steps end while this window looks on, by what is heard of their runs: each message has all of its run's steps so far.
import type { Execution } from "./protocol";

export class Finished {
  private readonly known = new Map<string, number>();

  /** The number of the step that ended since the last message on its run, if it changed files; of work without a plan it is 0. */
  changedBy({ id, plan_id: plan, status, steps, rollbacks }: Execution): number | undefined {
    // Of a run that is heard of for the first time, what there is already happened before; work without a plan is told only at its end.
    const isAllNew = !plan && status !== "running";
    const before = this.known.get(id) ?? (isAllNew ? 0 : steps.length);
    this.known.set(id, steps.length);
    if (rollbacks.length > 0) return undefined;
    return steps.slice(before).filter(({ files }) => files.length > 0).at(-1)?.step_number;
  }
}
