import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { subjectOf } from "../src/subject";

const MANIFEST = JSON.parse(readFileSync("package.json", "utf8")) as { readonly contributes: { readonly menus: { readonly "view/title": readonly { readonly command: string }[] } } };
const TAKES_NOTHING = "getStarted";
const ROW = { subject: { plan: "file:///w/a.plan", step: 2 } };
const COMPARED = { execution: "exec_1", step: 1 };
const EDITOR = { toString: () => "file:///w/b.plan" };

test("a row's command is about that row, whatever is open", () => {
  assert.deepEqual(subjectOf("skipStep", [ROW, undefined], COMPARED), ROW.subject);
});

test("a row's command whose row is gone is about nothing, whatever is open", () => {
  for (const gone of [undefined, null]) assert.equal(subjectOf("skipStep", [gone, undefined], COMPARED), undefined);
});

test("a command in the title of a view needs no row", () => {
  const names = MANIFEST.contributes.menus["view/title"].map(({ command }) => command.replace("planact.ui.", ""));
  for (const name of names.filter((each) => each !== TAKES_NOTHING)) assert.deepEqual(subjectOf(name, [undefined, undefined], undefined), {}, name);
});

test("the palette's and the keys' commands are about what the active editor compares", () => {
  assert.deepEqual([subjectOf("rollBack", [], COMPARED), subjectOf("rollBack", [], undefined)], [COMPARED, {}]);
});

test("a button at the top of an editor is about what that compares, else about its document", () => {
  const group = { groupId: 1 };
  assert.deepEqual(subjectOf("rollBack", [EDITOR, group], COMPARED), COMPARED);
  assert.deepEqual(subjectOf("executePlan", [EDITOR, group], undefined), { plan: "file:///w/b.plan" });
});
