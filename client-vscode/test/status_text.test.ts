import assert from "node:assert/strict";
import { test } from "node:test";

import type { Condition } from "../src/bridge";
import { statusWords, type StatusFacts } from "../src/status_text";
import type { Work } from "../src/protocol";
import { workOf } from "./work";

const running = (changes: Partial<StatusFacts>): StatusFacts => ({ condition: "running", mode: "plan", missing: "", work: undefined, ...changes });
const shown = (facts: StatusFacts) => {
  const { icon, text } = statusWords(facts);
  return `${icon} ${text}`;
};

test("without a server the item says how to start, and a click leads to the card that says more", () => {
  const conditions: Condition[] = ["missing", "stopped", "starting", "installing"];
  assert.deepEqual(conditions.map((condition) => shown({ condition, mode: "act", missing: "model", work: workOf({}) })), [
    "warning Planact: start",
    "warning Planact: start",
    "sync~spin Planact: starting",
    "sync~spin Planact: installing",
  ]);
  assert.ok(conditions.every((condition) => statusWords({ condition, mode: "plan", missing: "", work: undefined }).isWaiting));
});

test("a missing model or key comes before all work", () => {
  assert.equal(shown(running({ missing: "model" })), "warning Plan · no model");
  assert.equal(shown(running({ missing: "key", work: workOf({ mode: "act", state: "paused", status_text: "Act 2/4 · paused" }) })), "warning Act · no key");
});

test("each state of the work has its icon, and the words are the server's", () => {
  const rows: [Work["state"], string, string][] = [
    ["idle", "Plan", "checklist"],
    ["working", "Plan · thinking", "sync~spin"],
    ["to_review", "Plan · 4 steps", "checklist"],
    ["running", "Act 2/4", "sync~spin"],
    ["waiting_approval", "Act 2/4 · allow?", "bell-dot"],
    ["waiting_question", "Act 2/4 · answer", "bell-dot"],
    ["repairing", "Act 3/4 · repairing", "sync~spin"],
    ["failed", "Act 3/4 · failed", "error"],
    ["retrying", "Act 2/4 · model busy", "watch"],
    ["no_answer", "Act 2/4 · no answer", "error"],
    ["stopping", "Act 2/4 · stopping", "sync~spin"],
    ["paused", "Act 2/4 · paused", "debug-pause"],
    ["interrupted", "Act 2/4 · interrupted", "debug-pause"],
    ["done", "Act · done", "pass"],
    ["partly", "Act · done", "pass"],
    ["nothing_done", "Act · nothing done", "warning"],
    ["rolled_back", "Plan · rolled back", "discard"],
    ["outdated", "Plan · out of date", "warning"],
    ["changed", "Plan · changed", "checklist"],
  ];
  for (const [state, text, icon] of rows) assert.equal(shown(running({ work: workOf({ state, status_text: text }) })), `${icon} ${text}`);
});

test("a click leads to what waits for the user, and to the list of what can be done everywhere else", () => {
  const waiting = (state: Work["state"], elsewhere = false) => statusWords(running({ work: workOf({ state, elsewhere }) }));
  for (const state of ["waiting_approval", "waiting_question", "no_answer", "failed", "paused", "interrupted"] as const) assert.ok(waiting(state).isWaiting, state);
  for (const state of ["idle", "working", "running", "to_review", "done", "rolled_back"] as const) assert.ok(!waiting(state).isWaiting, state);
  assert.deepEqual([waiting("waiting_approval"), waiting("waiting_question"), waiting("failed")].map(({ isAsking }) => isAsking), [true, true, false]);
});

test("work of another window is followed, and nothing of it waits here", () => {
  const words = statusWords(running({ work: workOf({ state: "waiting_question", elsewhere: true, status_text: "2/4 · elsewhere" }) }));
  assert.deepEqual(words, { icon: "sync", text: "2/4 · other window", isWaiting: false, isAsking: false });
});

test("before the server has told its work, the mode stands there", () => {
  assert.equal(shown(running({ mode: "act" })), "checklist Act");
});
