import assert from "node:assert/strict";
import { test } from "node:test";

import type { QuestionPending } from "../src/protocol";
import { EMPTY, withStatus, type Chat } from "../webview/chat";
import { cardsOf, keyOf, placeholderOf, type DockCard } from "../webview/dock_cards";
import { placeIn } from "../webview/outside";
import { clockOf, isOpenRun, NO_WORK, spanOf, stripText, type WorkState } from "../webview/work";
import type { Work } from "../src/protocol";
import { STATUS, system } from "./messages";
import { question } from "./questions";

function chatWith(work: Partial<Work>, changes: Partial<Chat> = {}): Chat {
  return { ...withStatus({ ...EMPTY, server: { condition: "running" } }, { ...STATUS, works: [{ ...NO_WORK, session_id: "s", ...work }] }), ...changes };
}

function asked(id: string, session: string, severity: "critical" | "major"): QuestionPending {
  return { folder: "", question_id: id, session_id: session, questions: [question({ severity })], created_at: "", purpose: "agent", about: "agent", edits: [], step: null, plan_hash: "", format_version: "1.0" };
}

const kinds = (cards: readonly DockCard[]) => cards.map((card) => (card.kind === "question" ? card.set.question_id : card.kind));
const none: ReadonlySet<string> = new Set();

test("without a server the dock is about that alone, and so it is without a model where nothing is asked", () => {
  const questions = [asked("q", "s", "major")];
  assert.deepEqual(kinds(cardsOf({ ...chatWith({}), server: { condition: "stopped" }, questions }, null, none)), ["server"]);
  assert.deepEqual(kinds(cardsOf({ ...chatWith({}), server: { condition: "starting" } }, null, none)), []);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "to_review" }, { missing: "key" }), { code: "MODEL_KEY_MISSING", message: "No key." }, none)), ["key"]);
});

test("questions come critical first, then the session's own, then the oldest; what stopped, a plan and a result come after", () => {
  const questions = [asked("far", "other", "major"), asked("own", "s", "major"), asked("own2", "s", "major"), asked("danger", "other", "critical")];
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "interrupted", execution_id: "e" }, { questions }), null, none)), ["danger", "own", "own2", "far", "stopped"]);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "to_review" }, { questions: [] }), null, none)), ["plan"]);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "partly" }), null, none)), ["result"]);
  assert.deepEqual(kinds(cardsOf(chatWith({}, { isFolderTrusted: false }), null, none)), ["folder"]);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "to_review" }, { isFolderTrusted: false }), null, none)), ["plan"], "trust waits until there is nothing else");
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "running", elsewhere: true, session_id: "far" }), null, none)), ["elsewhere"]);
});

test("while a run waits for the answer to what failed, that question is its card; without it, the run itself is", () => {
  const failed = { state: "failed", execution_id: "e", question_id: "q" } as const;
  assert.deepEqual(kinds(cardsOf(chatWith(failed, { questions: [asked("q", "s", "major")] }), null, none)), ["q"]);
  assert.deepEqual(kinds(cardsOf(chatWith(failed), null, none)), ["stopped"], "a run that failed always has a way on");
});

test("an error that ended the last turn has a card until something is said, and a card that was closed stays closed", () => {
  const failure = { code: "MODEL_UNAVAILABLE", title: "The model did not answer", text: "" };
  const chat = chatWith({}, { messages: [system("", { failure })] });
  const [card] = cardsOf(chat, null, none);
  assert.ok(card?.kind === "failure");
  assert.deepEqual(cardsOf(chat, null, new Set([keyOf(card)])), []);
  assert.deepEqual(cardsOf({ ...chat, messages: [...chat.messages, system("Hello", {})] }, null, none), []);
});

test("an error that stopped a run leads on with the run, and one that ended a turn with the turn", () => {
  const failure = { code: "MODEL_RATE_LIMITED", title: "The model did not answer", text: "" };
  const messages = [system("", { failure })];
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "no_answer", execution_id: "e" }, { messages }), null, none)), ["stopped"]);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "no_answer" }, { messages }), null, none)), ["failure"]);
  assert.deepEqual(kinds(cardsOf(chatWith({ state: "no_answer" }), null, none)), ["stopped"]);
});

test("the strip says what the run is at, and only open runs have one", () => {
  const work = (state: WorkState): Work => ({ ...NO_WORK, state, execution_id: "e", of: 4, step: 2, action: "Use it", repair: 2, repairs: 3 });
  const texts = (["running", "waiting_question", "repairing", "failed", "retrying", "stopping", "paused", "interrupted", "no_answer"] as const).map((state) => stripText(work(state)));
  assert.deepEqual(texts, ["Use it", "waits for you", "check failed, repairing (2 of 3)", "a check failed", "waiting for the model", "stops after this call", "paused", "interrupted", "paused"]);
  assert.deepEqual((["running", "interrupted", "done", "to_review", "idle"] as const).map((state) => isOpenRun(work(state))), [true, true, false, false, false]);
  assert.equal(isOpenRun({ ...work("working"), of: 0, execution_id: "" }), false, "a turn is no run");
});

test("the input says what would be written there", () => {
  const says = (work: Partial<Work>, changes: Partial<Chat> = {}) => placeholderOf(chatWith(work, changes), undefined);
  assert.deepEqual([says({}), says({}, { messages: [system("", {})] }), says({ state: "running" }), says({ state: "to_review" }), says({ state: "to_review", comments: 1 }), says({ state: "paused" }), says({ state: "running", elsewhere: true })], [
    "Ask or plan; @ files, / words", "What next?", "Add something", "What should be different?", "Anything else?", "Say what to do differently", "Ask or plan meanwhile",
  ]);
});

test("times are short", () => {
  assert.deepEqual([clockOf(41_000), clockOf(3_723_000), clockOf(-5)], ["0:41", "1:02:03", "0:00"]);
  assert.deepEqual([spanOf(57.4), spanOf(180), spanOf(3900)], ["57 s", "3 min", "1 h 5 min"]);
});

test("what names a file is a link, and what only looks like one isn't", () => {
  assert.deepEqual(["src/a.py:12", "a.py", "docs/", "Cart.receipt", "Cart.receipt:4", "../a.py", "a b.py", "make test", "src/a.ts:3-9"].map((text) => placeIn(text)), [
    { path: "src/a.py", line: 11 }, { path: "a.py" }, undefined, undefined, { path: "Cart.receipt", line: 3 }, undefined, undefined, undefined, { path: "src/a.ts", line: 2 },
  ]);
});
