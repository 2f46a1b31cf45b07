import assert from "node:assert/strict";
import { test } from "node:test";

import { nested } from "../src/nested";
import type { Execution, FileCompared, StepRecord } from "../src/protocol";
import { changedFiles, changedSteps, merged, rolledBack, savedFiles } from "../src/text";

const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, reasoning_tokens: 0, cost: null, requests: 0, is_estimated: false, by_model: {}, by_purpose: {} };

function step(status: StepRecord["status"]): StepRecord {
  return {
    step_number: 1, action: "", status, attempt: 1, output: "", error: "", duration: 0, tool_results: 0, checks: [], repairs: [], files: [],
    evidence: [], uncovered: [], unchanged: [], adaptations: [], usage: USAGE, ended_by: "",
  };
}

function execution(changes: Partial<Execution>): Execution {
  return {
    id: "", session_id: "", plan_id: "", plan_file: "", plan_hash: "", goal: "Rename it", only_steps: [], status: "success", started_at: "",
    finished_at: "", duration: 0, adaptations: [], steps: [step("done"), step("failed")], usage: USAGE, reason: "",
    rollbacks: [], checks_before: [], ...changes,
  };
}

test("settings are nested at dots, and what the user has not set is left out", () => {
  const entries = [["model", "m"], ["limits.maxTurns", 1], ["limits.maxCost", 2], ["approval", undefined]] as const;
  assert.deepEqual(nested(entries), { model: "m", limits: { maxTurns: 1, maxCost: 2 } });
});

test("a rollback is told with what it put back and what it could not", () => {
  const done = { session_id: "", execution_ids: [], steps: [1], files: [], stayed: [] };
  const file = { path: "a.py", what: "restored" as const };
  assert.deepEqual([done, { ...done, files: [file] }, { ...done, files: [file, file], stayed: ["b"] }].map(rolledBack), [
    "Rolled back: no file had to change.",
    "Rolled back: 1 file is as before.",
    "Rolled back: 2 files are as before. What could not be put back: b.",
  ]);
});

test("only steps that were not rolled back, and files that can be put back, are offered", () => {
  const file = (path: string, covered: boolean) => ({ path, before: "", after: "", by_command: false, is_covered: covered });
  const steps = [
    { ...step("done"), step_number: 1, files: [file("a.py", true)] },
    { ...step("done"), step_number: 2, files: [file("b.py", true), file("c.py", false), file("b.py", true)] },
  ];
  const rollback = { id: "", at: "", steps: [1], files: [], stayed: [] };
  assert.deepEqual(changedFiles(execution({ steps })), ["a.py", "b.py"]);
  assert.deepEqual(changedFiles(execution({ steps, rollbacks: [rollback] })), ["b.py"]);
});

test("all that a run did is one change for each file, from before its first step to after its last", () => {
  const file = (path: string) => ({ path, before: "", after: "", by_command: false, is_covered: true });
  const steps = [3, 1, 2, 1].map((number) => ({ ...step("done"), step_number: number, files: number === 3 ? [] : [file("a.py")] }));
  const rollback = { id: "", at: "", steps: [2], files: [], stayed: [] };
  assert.deepEqual(changedSteps(execution({ steps, rollbacks: [rollback] })), [1]);
  const change = (path: string, what: FileCompared["what"], number: number) => ({ path, what, before_uri: `${path}-${number - 1}`, after_uri: `${path}-${number}` });
  const changes = [change("a", "changed", 1), change("b", "created", 1), change("c", "created", 1), change("d", "changed", 1), change("a", "changed", 2), change("b", "changed", 2), change("c", "deleted", 2), change("d", "deleted", 2)];
  assert.deepEqual(merged(changes), [
    { path: "a", what: "changed", before_uri: "a-0", after_uri: "a-2" },
    { path: "b", what: "created", before_uri: "b-0", after_uri: "b-2" },
    { path: "d", what: "deleted", before_uri: "d-0", after_uri: "d-2" },
  ]);
});

test("what was saved of a run is told by name, and what could not be", () => {
  const lines = [{ saved: ["a.py", "b.py"], unsaved: [] }, { saved: ["a.py"], unsaved: ["b.py"] }, { saved: [], unsaved: ["b.py"] }, { saved: [], unsaved: [] }].map(savedFiles);
  assert.deepEqual(lines, ["Saved: a.py, b.py.", "Saved: a.py. Not saved: b.py.", "Not saved: b.py.", "All files of the run are saved."]);
});
