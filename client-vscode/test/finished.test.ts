import assert from "node:assert/strict";
import { test } from "node:test";

import { Finished } from "../src/finished";
import type { Execution, StepRecord } from "../src/protocol";

const FILE = { path: "a.py", before: "1", after: "2", by_command: false, is_covered: true };

function run(status: Execution["status"], steps: readonly (readonly [number, boolean])[], changes: Partial<Execution> = {}): Execution {
  const records = steps.map(([number, isChanged]) => ({ step_number: number, files: isChanged ? [FILE] : [] }) as unknown as StepRecord);
  return { id: "e", plan_id: "p", status, steps: records, rollbacks: [], ...changes } as unknown as Execution;
}

test("a step is told once, when it ends, and only if it changed files", () => {
  const finished = new Finished();
  const heard = [
    run("running", []),
    run("running", [[1, true]]),
    run("running", [[1, true]]),
    run("running", [[1, true], [2, false]]),
    run("running", [[1, true], [2, false], [3, true]]),
    run("success", [[1, true], [2, false], [3, true]]),
  ];
  assert.deepEqual(heard.map((each) => finished.changedBy(each)), [undefined, 1, undefined, undefined, 3, undefined]);
});

test("what happened before the window looked on is not told", () => {
  const finished = new Finished();
  const heard = [run("running", [[1, true]]), run("running", [[1, true], [2, true]]), run("success", [[1, true]], { id: "other" })];
  assert.deepEqual(heard.map((each) => finished.changedBy(each)), [undefined, 2, undefined]);
});

test("work without a plan is told at its end, and what was rolled back is not", () => {
  const loose = run("success", [[0, true]], { plan_id: "" });
  assert.equal(new Finished().changedBy(loose), 0);
  assert.equal(new Finished().changedBy({ ...loose, rollbacks: [{ id: "r", at: "", steps: [0], files: [], stayed: [] }] }), undefined);
});
