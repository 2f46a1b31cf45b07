import assert from "node:assert/strict";
import { test } from "node:test";

import { beginning, faultOf, refusalOf, toSend } from "../webview/answers";
import { countsOf } from "../src/text";
import { titleOf } from "../webview/question";
import { chiefAt, chosenAs, forForm, hintOf, isDefault, isOpen, kindOf, lacksOwn, oneClickOf, ownAmong, rowsOf } from "../webview/schema";
import { options, question } from "./questions";

test("each question is answered by rows, a text or a number of ours where they fit, a form where it has parts, and JSON elsewhere", () => {
  const kinds = [
    question({ options: options("a") }),
    question({ schema: { enum: ["a", "b"] } }),
    question({ schema: { type: "boolean" } }),
    question({ schema: { type: "array", items: { enum: ["a"] } } }),
    question({ schema: { oneOf: [{ const: "a", title: "A" }, { const: 2 }] } }),
    question({}),
    question({ schema: { type: "string", pattern: "^A" } }),
    question({ schema: { type: "integer", minimum: 1 } }),
    question({ schema: { type: "object", properties: { a: { type: "array", items: { type: "string", enum: ["x"] } } } } }),
    question({ schema: { type: "array", items: { type: "string" } } }),
    question({ schema: { enum: ["a", null] } }),
    question({ schema: { type: "object" } }),
    question({ schema: { type: ["string", "null"] } }),
    question({ schema: { type: "object", properties: { a: { anyOf: [] } } } }),
  ].map(kindOf);
  assert.deepEqual(kinds, ["choices", "choices", "choices", "choices", "choices", "text", "text", "number", "form", "form", "json", "json", "json", "json"]);
  assert.deepEqual(rowsOf(question({ schema: { oneOf: [{ const: "a", title: "A" }, { const: 2 }] } })).map(({ label, value }) => [label, value]), [["A", "a"], ["2", 2]]);
  assert.deepEqual(forForm({ type: "array", items: { enum: ["a", "b"] } }), { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true });
});

test("what was chosen is an answer, also where it stands for nothing", () => {
  const [none, empty] = options("none", "empty");
  assert.ok(none && empty);
  const either = question({ options: [{ ...none, value: null }, { ...empty, value: "" }] });
  const one = question({ options: options("a") });
  const cases = [[either, undefined], [either, null], [either, ""], [one, undefined], [one, ""], [one, "own"], [question({}), undefined]] as const;
  assert.deepEqual(cases.map(([asked, value]) => isOpen(asked, value)), [true, false, false, true, true, false, true]);
});

test("a field tells its bounds and its default in words, and never a pattern", () => {
  const named = { oneOf: [{ const: 1, title: "One" }, { const: 2, title: "Two" }] };
  const schemas = [
    { type: "string", description: "A name", minLength: 2, maxLength: 9, pattern: "^a", default: "ab" },
    { type: "string", pattern: "^[A-Z]" },
    { type: "integer", minimum: 1 },
    { type: "array", maxItems: 3, items: { type: "string" } },
    { type: "array", minItems: 1, items: { type: "string" } },
    { type: "boolean", default: false },
    { ...named, default: 2 },
    { type: "object", properties: {}, default: {} },
  ];
  assert.deepEqual(schemas.map(hintOf), ["A name. 2 to 9 characters. Default: ab", "", "At least 1", "At most 3 items", "At least 1 item", "Default: No", "Default: Two", ""]);
  assert.equal(forForm({ type: "string", pattern: "^a" })["pattern"], undefined);
});

test("Enter takes the default, else the first row, and nothing that destroys by itself", () => {
  const [two, four] = options("two", "four");
  assert.ok(two && four);
  const danger = { ...two, variant: "danger" as const };
  const at = (...asked: Parameters<typeof question>) => chiefAt(question(...asked));
  assert.deepEqual([at({ options: [two, four], default: "four" }), at({ options: [two, four] }), at({ options: [danger, four] }), at({ options: [danger] }), at({ schema: { enum: ["a", "b"], default: "b" } })], [1, 0, 1, -1, 1]);
});

test("an answer reads as it was offered", () => {
  const asked = question({ options: [{ label: "Allow once", value: "allow_once", description: "", variant: "primary", effect: null }, { label: "Two", value: 2, description: "", variant: "secondary", effect: null }] });
  assert.deepEqual([chosenAs(asked, "allow_once"), chosenAs(asked, [2, "other"]), chosenAs(undefined, "allow_once")], ["Allow once", ["Two", "other"], "allow_once"]);
});

test("of several choices, each default is marked, and what is the user's own is told apart", () => {
  const several = question({ options: [...options("Header", "Footer"), { label: "Two", value: 2, description: "", variant: "secondary", effect: null }], schema: { type: "array" }, allow_custom: true, default: ["footer", 2] });
  assert.deepEqual(several.options.map((option) => isDefault(several, option)), [false, true, true]);
  const one = question({ options: options("Header", "Footer"), default: "footer" });
  assert.deepEqual(one.options.map((option) => isDefault(one, option)), [false, true]);
  const chosen = [[], ["footer", 2], ["margin", "footer"], ["footer", ""]];
  assert.deepEqual(chosen.map((value) => ownAmong(several, value)), [undefined, undefined, "margin", ""]);
  assert.deepEqual(chosen.map((value) => lacksOwn(several, value)), [false, false, false, true]);
  assert.equal(lacksOwn(question({ schema: { type: "array" } }), [""]), false, "a list of texts is the form's to check");
});

test("a row answers only a single question of which one thing is chosen", () => {
  const few = question({ options: options("a", "b") });
  assert.equal(oneClickOf([few]), few);
  assert.equal(oneClickOf([few, few]), undefined);
  assert.equal(oneClickOf([question({ options: options("a"), schema: { type: "array" } })]), undefined);
  assert.ok(oneClickOf([question({ options: options("a", "b", "c", "d", "e", "f") })]), "however many there are: they scroll");
  assert.equal(oneClickOf([question({})]), undefined);
});

test("each fault is told in words, of its question", () => {
  const title = question({ name: "title", schema: { type: "string", minLength: 3, pattern: "^[A-Z]", description: "It begins with a capital" } });
  const count = question({ name: "count", schema: { type: "integer", minimum: 1 } });
  const either = question({ name: "either", schema: { type: ["integer", "string"] } });
  const faults = [faultOf(title, undefined), faultOf(title, "no"), faultOf(title, "no capital"), faultOf(count, 0), faultOf(count, 2), faultOf(either, "seven"), faultOf(either, "7")];
  assert.deepEqual(faults.map((fault) => fault?.text ?? ""), ["Not answered yet.", "Too short: 2 of at least 3 characters.", "", "0 is less than 1.", "", 'This is not JSON. Write a text in quotes: "like this".', ""]);
  assert.deepEqual(refusalOf("title: 'no capital' does not match '^[A-Z]'", [title]), { name: "title", text: "This doesn't have the form that is asked for. It begins with a capital. At least 3 characters." });
  assert.deepEqual(refusalOf("too late", [title]), { name: "", text: "too late" });
  assert.deepEqual(toSend([title, either], { title: "Capital", either: "7" }), { title: "Capital", either: 7 });
  assert.deepEqual(beginning([question({ name: "a", options: options("x"), schema: { type: "array" } }), question({ name: "b", schema: { type: "string", default: "c" } })]), { a: [], b: "c" });
});

test("a question's title is the server's, else its words, and lines that come and go are counted", () => {
  assert.equal(titleOf(question({ question: "Change `a.py` (update_file)?" })), "Change `a.py` (update_file)?");
  assert.equal(titleOf(question({ question: "long", title: "Change `a.py`?" })), "Change `a.py`?");
  assert.deepEqual(countsOf("```diff\n--- a\n+++ b\n-one\n+two\n+three\n same\n```"), { added: 2, removed: 1 });
  for (const none of ["```bash\nmake\n```", "```diff\n--- /dev/null\n+++ b\n```", "```diff\nb: created; it is empty\n```"]) assert.equal(countsOf(none), undefined, none);
});
