import assert from "node:assert/strict";
import { test } from "node:test";

import { planRows, sessionRows, standOf, type PlanRow, type SessionRow, type Rows } from "../src/listed";
import type { Execution, PlanListed, PlanStatus, Session } from "../src/protocol";

const NOW = new Date(2026, 10, 26, 12, 0);
const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 42).toISOString();
const clock = (day: number, hour: number) => new Date(at(day, hour)).toLocaleTimeString([], { timeStyle: "short" });
const date = (day: number) => new Date(at(day, 1)).toLocaleDateString([], { dateStyle: "short" });

function plan(status: PlanStatus, changes: Partial<PlanListed> = {}): PlanListed {
  return { id: status, goal: `Goal ${status}`, path: `.planact/plans/${status}.plan`, status, steps_total: 4, steps_done: 2, created_at: at(26, 9), has_infrastructure_changes: false, origin: "own", uri: `file:///${status}.plan`, is_pinned: false, ...changes };
}

function session(title: string, used: string, planFile = ""): Session {
  return { id: title, title, plan_file: planFile, updated_at: used, created_at: used } as Session;
}

function run(id: string, status: Execution["status"], changes: Partial<Execution> = {}): Execution {
  return { id, status, goal: "", plan_id: "", started_at: at(26, 10), rollbacks: [], steps: [], ...changes } as unknown as Execution;
}

const file = { path: "a.py", before: "", after: "", by_command: false, is_covered: true };
const changed = { steps: [{ step_number: 0, files: [file] }] } as unknown as Partial<Execution>;

function lines(rows: Rows<SessionRow | PlanRow>): string[] {
  return rows.map((row) => ("heading" in row ? `# ${row.heading}` : [row.label, row.description, ...row.buttons.map(({ title }) => title)].join(" | ")));
}

test("a plan's state is a word and what is done of it", () => {
  const all: PlanStatus[] = ["draft", "approved", "running", "paused", "done", "partial", "failed", "aborted"];
  assert.deepEqual(all.map((status) => standOf(plan(status))), ["draft · 4 steps", "approved · 4 steps", "running 2/4", "paused 2/4", "done", "partly done 2/4", "failed 2/4", "stopped 2/4"]);
  assert.equal(standOf(plan("draft", { steps_total: 1 })), "draft · 1 step");
});

test("sessions stand by what is open in them, then by day, each with its time", () => {
  const sessions = [session("Add retries", at(20, 10), plan("paused").path), session("Ask", at(26, 10)), session("", at(25, 10)), session("Old", at(24, 9), plan("done").path)];
  assert.deepEqual(lines(sessionRows(sessions, [plan("paused"), plan("done")], NOW)), [
    "# Open",
    `Add retries | paused 2/4 · ${date(20)} | Rename | Delete`,
    "# Today",
    `Ask | ${clock(26, 10)} | Rename | Delete`,
    "# Earlier",
    `New session | ${date(25)} | Rename | Delete`,
    `Old | done · ${date(24)} | Rename | Delete`,
  ]);
  assert.deepEqual(sessionRows([], [], NOW), []);
});

test("plans and runs without one stand by what is to be done with them", () => {
  const plans = [plan("done"), plan("draft"), plan("paused"), plan("failed")];
  const runs = [run("1", "success", { plan_id: "done", ...changed }), run("2", "success", { goal: "Fix it", ...changed }), run("3", "running")];
  const place = (detail: string) => `web · ${detail}`;
  const rows = planRows([{ plans, runs, place }], NOW);
  assert.deepEqual(lines(rows), [
    "# Running",
    "Goal paused | paused 2/4 | Execute | More…",
    `Work without a plan | running · ${clock(26, 10)}`,
    "# To review",
    "Goal draft | draft · 4 steps | Execute | More…",
    "# Done",
    "Goal done | done | Roll Back | More…",
    "Goal failed | failed 2/4 | Execute | More…",
    `Fix it | done · ${clock(26, 10)} | Review Changes | Roll Back`,
  ]);
  const details = rows.flatMap((row) => ("heading" in row ? [] : [row.detail]));
  assert.equal(details[0], "web · .planact/plans/paused.plan");
});
