import assert from "node:assert/strict";
import { test } from "node:test";

import { formOf, textOf, valueOf } from "../src/forms";
import { options, question } from "./questions";

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
