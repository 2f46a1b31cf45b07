// Rows of the lists Sessions… and Plans and Runs…: their words, their order, and the buttons at their right.
import type { Execution, PlanListed, PlanStatus, Session } from "./protocol";
import { changedFiles, statusOf } from "./text";

/** A button of a row: an icon of VS Code, and its name for people. */
export interface RowButton {
  readonly icon: "play" | "discard" | "ellipsis" | "edit" | "trash" | "diff-multiple";
  readonly title: string;
}

export const EXECUTE: RowButton = { icon: "play", title: "Execute" };
export const ROLL_BACK: RowButton = { icon: "discard", title: "Roll Back" };
export const REVIEW: RowButton = { icon: "diff-multiple", title: "Review Changes" };
export const MORE: RowButton = { icon: "ellipsis", title: "More…" };
export const RENAME: RowButton = { icon: "edit", title: "Rename" };
export const DELETE: RowButton = { icon: "trash", title: "Delete" };

export interface SessionRow {
  readonly label: string;
  readonly description: string;
  readonly buttons: readonly RowButton[];
  readonly session: Session;
}

export interface PlanRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly buttons: readonly RowButton[];
  /** URI of the plan; empty = work without one. */
  readonly plan: string;
  /** Id of the newest run; empty = none. */
  readonly execution: string;
}

export type Rows<T> = readonly (T | { readonly heading: string })[];

const OPEN: readonly PlanStatus[] = ["draft", "approved", "running", "paused"];
const EXECUTABLE: readonly PlanStatus[] = ["draft", "approved", "paused", "partial", "failed", "aborted"];
const WORDS: Readonly<Record<PlanStatus, string>> = { draft: "draft", approved: "approved", running: "running", paused: "paused", done: "done", partial: "partly done", failed: "failed", aborted: "stopped" };

/** State of a plan in a few words: `draft · 4 steps`, `paused 2/4`, `done`. */
export function standOf({ status, steps_done: done, steps_total: total }: PlanListed): string {
  if (status === "draft" || status === "approved") return `${WORDS[status]} · ${counted(total, "step")}`;
  return status === "done" ? WORDS.done : `${WORDS[status]} ${done}/${total}`;
}

/** Sessions by groups, the last used first; `plans` are those of the same folder. */
export function sessionRows(sessions: readonly Session[], plans: readonly PlanListed[], now = new Date()): Rows<SessionRow> {
  const planOf = ({ plan_file: path }: Session) => plans.find((plan) => path !== "" && plan.path === path);
  const groups = [
    { heading: "Open", has: (session: Session) => OPEN.includes(planOf(session)?.status ?? "done") },
    { heading: "Today", has: (session: Session) => isOn(now, usedAt(session)) },
    { heading: "Earlier", has: () => true },
  ];
  return grouped(sessions, groups, (session) => {
    const plan = planOf(session);
    return {
      label: session.title || "New session",
      description: [plan && standOf(plan), timeOf(usedAt(session), now)].filter(Boolean).join(" · "),
      buttons: [RENAME, DELETE],
      session,
    };
  });
}

/** Plans and runs of a folder; `place` is the folder's name and a detail, of several folders. */
export interface FolderPlans {
  readonly plans: readonly PlanListed[];
  readonly runs: readonly Execution[];
  readonly place: (detail: string) => string;
}

/** Plans and runs without one by groups; the newest first in each folder. */
export function planRows(folders: readonly FolderPlans[], now = new Date()): Rows<PlanRow> {
  const rows = folders.flatMap((folder) => [
    ...folder.plans.map((plan) => ({ group: groupOf(plan.status), row: planRow(plan, folder) })),
    ...folder.runs.filter(({ plan_id: plan }) => !plan).map((run) => ({ group: isGoing(run.status) ? "Running" : "Done", row: runRow(run, folder, now) })),
  ]);
  const groups = ["Running", "To review", "Done"].map((heading) => ({ heading, has: ({ group }: (typeof rows)[number]) => group === heading }));
  return grouped(rows, groups, ({ row }) => row);
}

function planRow(plan: PlanListed, { runs, place }: FolderPlans): PlanRow {
  const own = runs.filter((run) => run.plan_id === plan.id);
  return {
    label: plan.goal || plan.path,
    description: standOf(plan),
    detail: place(plan.path),
    buttons: [...(EXECUTABLE.includes(plan.status) ? [EXECUTE] : []), ...(own.some((run) => changedFiles(run).length > 0) ? [ROLL_BACK] : []), MORE],
    plan: plan.uri,
    execution: own[0]?.id ?? "",
  };
}

function runRow(run: Execution, { place }: FolderPlans, now: Date): PlanRow {
  return {
    label: run.goal || "Work without a plan",
    description: `${run.status === "success" && run.rollbacks.length === 0 ? "done" : statusOf(run)} · ${timeOf(new Date(run.started_at), now)}`,
    detail: place("without a plan"),
    buttons: changedFiles(run).length > 0 ? [REVIEW, ROLL_BACK] : [],
    plan: "",
    execution: run.id,
  };
}

function groupOf(status: PlanStatus): string {
  if (isGoing(status)) return "Running";
  return status === "draft" || status === "approved" ? "To review" : "Done";
}

function isGoing(status: string): boolean {
  return status === "running" || status === "paused";
}

function grouped<T, R>(all: readonly T[], groups: readonly { readonly heading: string; readonly has: (each: T) => boolean }[], row: (each: T) => R): Rows<R> {
  const left = new Set(all);
  return groups.flatMap(({ heading, has }) => {
    const own = [...left].filter(has);
    for (const each of own) left.delete(each);
    return own.length > 0 ? [{ heading }, ...own.map(row)] : [];
  });
}

function usedAt({ updated_at: updated, created_at: created }: Session): Date {
  return new Date(updated || created);
}

/** The time alone, of today. */
function timeOf(at: Date, now: Date): string {
  return at.toLocaleString([], isOn(now, at) ? { timeStyle: "short" } : { dateStyle: "short" });
}

function isOn(day: Date, at: Date): boolean {
  return at.toDateString() === day.toDateString();
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
