import assert from "node:assert/strict";
import { test } from "node:test";

import { buttonsOf, formOf, textOf, valueOf } from "../src/forms";
import type { Question, QuestionPending } from "../src/protocol";
import { options, question } from "./questions";

function pending(...questions: Question[]): QuestionPending {
  return { folder: "file:///web", question_id: "q", session_id: "s", questions, created_at: "", purpose: "agent", edits: [], step: null, plan_hash: "", format_version: "1.0", about: "agent" };
}

const choice = (label: string, value: unknown) => ({ label, value, description: "" });

test("a question is asked in the form that its options, or else its schema, want", () => {
  const forms = [
    question({}),
    question({ options: options("Keep", "Drop"), allow_custom: true }),
    question({ schema: { type: "array" }, options: options("Keep") }),
    question({ schema: { type: "array" }, options: options("Keep"), allow_custom: true }),
    question({ schema: { type: "integer" } }),
    question({ schema: { type: "object" } }),
  ].map(formOf);
  assert.deepEqual(forms, [
    { kind: "text", hint: "" },
    { kind: "one", choices: [choice("Keep", "keep"), choice("Drop", "drop")], allowsOther: true },
    { kind: "many", choices: [choice("Keep", "keep")], allowsOther: false },
    { kind: "many", choices: [choice("Keep", "keep")], allowsOther: true },
    { kind: "text", hint: "As JSON: integer" },
    { kind: "text", hint: "As JSON: object" },
  ]);
});

test("a typed text is a value where the schema wants one, and what cannot be read is left to the server", () => {
  const integer = question({ schema: { type: "integer" } });
  const string = question({ schema: { type: "string" } });
  const values = [valueOf("7", integer), valueOf("seven", integer), valueOf("7", string), valueOf("7", question({}))];
  assert.deepEqual(values, [7, "seven", "7", "7"]);
});

test("a value is typed as it is read", () => {
  for (const value of [7, { a: [1] }, true]) {
    assert.deepEqual(valueOf(textOf(value), question({ schema: { type: "object" } })), value);
  }
  assert.deepEqual([textOf(null), textOf(undefined), textOf("a")], ["", "", "a"]);
});

test("only one question with few choices fits on a notification", () => {
  const four = question({ options: options("A", "B", "C", "D") });
  const counts = [
    pending(four),
    pending({ ...four, allow_custom: true }),
    pending(question({ options: options("A", "B", "C"), allow_custom: true })),
    pending(question({ options: options("A", "B", "C", "D", "E") })),
    pending(question({})),
    pending(four, four),
    pending(),
  ].map((set) => buttonsOf(set)?.length);
  assert.deepEqual(counts, [4, undefined, 3, undefined, undefined, undefined, undefined]);
});
