import assert from "node:assert/strict";
import { test } from "node:test";

import type { Work } from "../src/protocol";
import { endOf } from "../src/work_notices";
import { workOf } from "./work";

const running = workOf({ state: "running", execution_id: "e" });
const ended = (changes: Partial<Work>) => workOf({ execution_id: "e", goal: "Rename it", since: "t", ...changes });

test("the end of a run is told once it is there, with the run to review where it changed files", () => {
  const done = ended({ state: "done", title: "Done · 4 steps · 5 files", text: "3 checks passed · 4 min", files: 5 });
  assert.deepEqual(endOf(done, running), { key: "e done t", level: "info", message: "Rename it. Done · 4 steps · 5 files. 3 checks passed · 4 min.", execution: "e" });
  assert.equal(endOf(done, done), undefined);
  assert.equal(endOf(ended({ state: "no_answer", title: "The model did not answer", text: "5 tries in 2 min." }), running)?.message, "Rename it. The model did not answer. 5 tries in 2 min.");
});

test("what goes on, waits with a question, was the user's own, or is another window's or session's is not told", () => {
  assert.equal(endOf(ended({ state: "paused" }), running), undefined);
  assert.equal(endOf(ended({ state: "repairing" }), running), undefined);
  assert.equal(endOf(ended({ state: "rolled_back" }), running), undefined);
  assert.equal(endOf(ended({ state: "failed", question_id: "q" }), running), undefined);
  assert.equal(endOf(ended({ state: "done", elsewhere: true }), running), undefined);
  assert.equal(endOf(ended({ state: "done", session_id: "other" }), running), undefined);
  assert.equal(endOf(ended({ state: "done" }), undefined), undefined, "it had ended before this window looked");
});
