import assert from "node:assert/strict";
import { test } from "node:test";

import type { Message } from "../src/protocol";
import { blocksOf, isSame } from "../webview/blocks";
import { containedLine, differenceOf, refusedLine, subjectOf, summaryOf } from "../webview/call_shown";
import { calls, message, result, system, USAGE } from "./messages";
import { question } from "./questions";

const REFUSAL = '{"error": {"code": "TOOL_BLOCKED_BY_MODE", "layer": "policy", "message": "You can only modify the plan."}}';

test("calls that ended stand together, and what was not run is told apart from them; one that runs is not counted", () => {
  const blocks = blocksOf([calls("read_file", "read_file"), result("read_file0", "one"), result("read_file1", "two"), calls("delete_file"), result("delete_file0", REFUSAL), calls("search_code")]);
  const [block, ...others] = blocks;
  assert.ok(block?.kind === "calls" && others.length === 0);
  assert.deepEqual(block.calls.map((each) => each.result), ["one", "two", REFUSAL]);
  assert.deepEqual(block.calls[2]?.problem, { message: "You can only modify the plan.", hint: "", code: "TOOL_BLOCKED_BY_MODE", isRefusal: true });
  assert.equal(summaryOf(block.calls), "Read 2 files");
  assert.equal(refusedLine(block.calls), "1 call not run: nothing changes in Plan");
});

test("a refused call never did anything, and one that failed is never left out", () => {
  const of = (name: string, content: string, outcome?: string) => [calls(name), result(`${name}0`, content, outcome === undefined ? {} : { outcome })];
  const failure = '{"error": {"code": "FILE_NOT_FOUND", "message": "There is no x.py."}}';
  const cases: [Message[][], string, string][] = [
    [[of("create_file", REFUSAL)], "", "1 call not run: nothing changes in Plan"],
    [[of("create_file", "", "refused")], "", "1 call not run: "],
    [[of("update_file", "done", "done"), of("update_file", failure)], "Changed 1 file, 1 failed", ""],
    [[of("read_file", ""), of("search_code", ""), of("update_file", ""), of("execute_command", ""), of("create_file", ""), of("create_file", failure)], "Read 1 file, 1 search, changed 1 file, 2 other steps, 1 failed", ""],
    [[of("ask_user", "")], "", ""],
    [[of("my_tool", ""), of("my_tool", "")], "My tool 2 times", ""],
  ];
  for (const [messages, summary, refused] of cases) {
    const [block] = blocksOf(messages.flat());
    assert.ok(block?.kind === "calls");
    assert.deepEqual([summaryOf(block.calls), refusedLine(block.calls)], [summary, refused]);
  }
});

test("several reads of one file are one file, and several commands are as many", () => {
  const call = (name: string, args: unknown) => [message({ tool_calls: [{ id: "c", name, arguments: JSON.stringify(args) }] }), result("c", "")];
  const [block] = blocksOf([call("read_file", { path: "a.py", start: 1 }), call("read_file", { path: "a.py", start: 50 }), call("execute_command", { command: "make" }), call("execute_command", { command: "make" })].flat());
  assert.ok(block?.kind === "calls");
  assert.equal(summaryOf(block.calls), "Read 1 file, ran 2 commands");
});

test("thoughts fold into the calls that they are between, with how long they took where nothing was said with them", () => {
  const time = (seconds: number) => new Date(Date.parse("2026-03-05T10:00:00Z") + seconds * 1000);
  const id = (seconds: number) => `${time(seconds).getTime().toString(16).padStart(12, "0")}-7000-8000-000000000000`;
  const thought = (at: number, took: number, changes: Partial<Message>) => message({ id: id(at), created_at: time(at + took).toISOString(), reasoning: "Hm.", ...changes });
  const read = { tool_calls: [{ id: "c", name: "read_file", arguments: '{"path": "a.py"}' }] };
  const [block, answer] = blocksOf([thought(0, 7, read), result("c", "one"), thought(10, 5, read), result("c", "two"), message({ content: "So be it." })]);
  assert.ok(block?.kind === "calls" && answer?.kind === "said");
  assert.deepEqual([block.thought, block.thoughts, block.calls.length], [12, "Hm.\n\nHm.", 2]);
  assert.equal(summaryOf(block.calls, "thought 12 s"), "Thought 12 s, read 1 file");
  const [alone] = blocksOf([thought(0, 7, { content: "I know." })]);
  assert.ok(alone?.kind === "calls");
  assert.equal(alone.thought, -1, "the words took some of the time");
});

test("a result is that of the last call before it, where a model uses an id again", () => {
  const blocks = blocksOf([calls("read_file"), result("read_file0", "one"), message({ content: "Next" }), calls("read_file"), result("read_file0", "two")]);
  assert.deepEqual(blocks.map((block) => block.kind === "calls" && block.calls.map((each) => each.result)), [["one"], false, ["two"]]);
});

test("a command that ran contained says why, and a file that says so doesn't", () => {
  const call = message({ message_type: "tool_call", tool_calls: [{ id: "c", name: "execute_command", arguments: "{}" }, { id: "f", name: "read_file", arguments: "{}" }] });
  const text = "(contained: it could change and reach nothing, since it is unknown) exit code 0";
  const [block] = blocksOf([call, result("c", text), result("f", text)]);
  assert.ok(block?.kind === "calls");
  assert.deepEqual(block.calls.map(({ contained }) => contained), ["it could change and reach nothing, since it is unknown", ""]);
  assert.equal(summaryOf(block.calls), "Read 1 file");
  assert.equal(containedLine(block.calls), "1 command ran contained: it could change and reach nothing, since it is unknown");
});

test("what the user typed is shown, not what was handed over with it, and an answer with what it answers", () => {
  const answer = { question_id: "q", answers: { colour: "blue" } };
  const asked = [question({ name: "colour" })];
  const blocks = blocksOf([
    message({ role: "user", content: "See @a.py\n\n[planact] `a.py`: …", metadata: { typed: "See @a.py" } }),
    system("?", { question_id: "q", questions: asked }, "question"),
    message({ role: "user", content: "colour: blue", metadata: { question_answer: answer } }),
  ]);
  const users = blocks.filter((block) => block.kind === "user");
  assert.equal(blocks.length, 2, "the question stands with its answer");
  assert.deepEqual(users.map(({ text, answer, asked }) => [text, answer, asked]), [["See @a.py", undefined, undefined], ["colour: blue", answer, asked]]);
});

test("a question is not told while it waits in the dock, and once it ended without an answer it is", () => {
  const messages = [message({ role: "user", content: "Hello" }), system("?", { question_id: "q", questions: [question({})] }, "question")];
  const kinds = (...waiting: string[]) => blocksOf(messages, new Set(waiting)).map(({ kind }) => kind);
  assert.deepEqual([kinds("q"), kinds("other")], [["user"], ["user", "note"]]);
});

test("a message more changes no block before it", () => {
  const first = [message({ role: "user", content: "Hello" }), message({ content: "Good day", usage: USAGE }), calls("read_file", "read_file"), result("read_file0", "one")];
  const [before, after] = [blocksOf(first), blocksOf([...first, result("read_file1", "two")])];
  assert.deepEqual(before.map((block, at) => isSame(block, after[at] ?? block)), [true, true, false]);
  assert.deepEqual(before.map((block, at) => isSame(block, blocksOf(first)[at] ?? block)), [true, true, true]);
});

test("what is written while work runs is queued until the model is asked again", () => {
  const ids = (...texts: string[]) => texts.map((id) => (id.startsWith("m") ? message({ id }) : message({ id, role: "user", metadata: { queued: true } })));
  const queued = (messages: Message[]) => blocksOf(messages).map((block) => block.kind === "user" && block.isQueued);
  const later = message({ id: "n4", content: "Done." });
  assert.deepEqual(queued(ids("m1", "n2")), [true]);
  assert.deepEqual(queued([...ids("n2", "n3"), later]), [false, false, false]);
  assert.deepEqual(queued([...ids("n2"), message({ id: "n4", metadata: { delegate: "d" }, content: "I look." })]), [true, false]);
  assert.deepEqual(queued([message({ role: "user" })]), [false]);
});

test("a plan stands where it was mentioned last, a run where it ended, and each step holds what was done for it", () => {
  const plan = (id: string) => system("Plan: x", { plan_id: id }, "plan");
  const blocks = blocksOf([
    plan("p"),
    message({ role: "user", content: "shorter" }),
    plan("p"),
    system("begins", { execution_id: "e", begins_context: true }),
    system("Carry out step 1 of 2: Add `a()` to `a.py`. Files: a.py.", { step: 1 }),
    calls("read_file"),
    result("read_file0", "one"),
    system("Repair 1 of 3 of step 1: `pytest` failed\nMend it.", { step: 1 }),
    message({ content: "I mend it." }),
    system("Carry out step 2 of 2: Test it.", { step: 2 }),
    system("Carry out step 2 of 2: Test it. It was tried before and failed: so.", { step: 2 }),
    message({ content: "Tested." }),
    system("done", { execution_id: "e", is_summary: true }),
    message({ role: "user", content: "thanks" }),
  ]);
  assert.deepEqual(blocks.map(({ kind }) => kind), ["user", "plan", "step", "step", "step", "run", "user"]);
  const steps = blocks.filter((block) => block.kind === "step");
  assert.deepEqual(steps.map(({ number, action, executionId, attempt, isNewest }) => [number, action, executionId, attempt, isNewest]), [[1, "Add `a()` to `a.py`", "e", 0, true], [2, "Test it", "e", 0, false], [2, "Test it", "e", 1, true]]);
  assert.deepEqual(steps.map(({ pieces }) => pieces.map(({ kind }) => kind)), [["calls", "repair", "said"], [], ["said"]]);
});

test("an error that ended a turn leaves a trace", () => {
  const failure = { code: "MODEL_UNAVAILABLE", title: "The model did not answer", text: "Nobody is there." };
  const [block] = blocksOf([system("Nobody is there.", { failure })]);
  assert.deepEqual(block?.kind === "failure" && block.failure, failure);
});

test("a call says what it is about and what it would change", () => {
  const call = (args: unknown) => ({ id: "c", name: "update_file", arguments: JSON.stringify(args) });
  assert.equal(subjectOf(call({ path: "a.py" })), "a.py");
  assert.equal(subjectOf({ id: "c", name: "x", arguments: "{not json" }), "");
  assert.equal(differenceOf(call({ path: "a.py", edits: [{ old: "a\nb", new: "c" }] })), "- a\n- b\n+ c");
  assert.equal(differenceOf(call({ patch: "*** Begin" })), "*** Begin");
  assert.equal(differenceOf(call({ path: "a.py" })), "");
});
