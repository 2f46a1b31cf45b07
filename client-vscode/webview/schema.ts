// How each question is answered, by its options and its schema: rows, a text, a number, a form, or JSON where nothing else fits. Pure.
import type { Option, Question } from "../src/protocol";

type Schema = Readonly<Record<string, unknown>>;

export type Kind = "choices" | "text" | "number" | "form" | "json";

/** How a question is answered. */
export function kindOf(question: Question): Kind {
  if (rowsOf(question).length > 0) return "choices";
  const { schema } = question;
  if (UNFIT.some((keyword) => keyword in schema)) return "json";
  if (schema["type"] === "number" || schema["type"] === "integer") return "number";
  if (schema["type"] === "string" || (schema["type"] === undefined && canBeForm(schema))) return "text";
  return canBeForm(schema) ? "form" : "json";
}

/** What can be chosen: the question's options, else what its schema lists. */
export function rowsOf({ options, schema }: Question): readonly Option[] {
  if (options.length > 0) return options;
  if (picksSeveral(schema)) return listed(schema["items"] as Schema);
  if (schema["type"] === "boolean") return [row(true, "Yes"), row(false, "No")];
  return isNamedChoice(schema) || (Array.isArray(schema["enum"]) && canBeForm(schema)) ? listed(schema) : [];
}

function listed({ enum: values, oneOf, anyOf }: Schema): readonly Option[] {
  if (Array.isArray(values)) return values.map((value: unknown) => row(value, String(value)));
  return ((oneOf ?? anyOf) as Schema[]).map((each) => row(each["const"], typeof each["title"] === "string" ? each["title"] : String(each["const"]), typeof each["description"] === "string" ? each["description"] : ""));
}

function row(value: unknown, label: string, description = ""): Option {
  return { label, value, description, variant: "secondary", effect: null };
}

/** Whether several of the rows can be chosen. */
export function isSeveral({ schema }: Question): boolean {
  return schema["type"] === "array";
}

/** The question that one row answers, if it is the only one. */
export function oneClickOf(questions: readonly Question[]): Question | undefined {
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0 || isSeveral(question)) return undefined;
  return rowsOf(question).length > 0 ? question : undefined;
}

/** The value that is the default: the question's own, else its schema's. */
export function defaultValue({ default: value, schema }: Question): unknown {
  return value ?? schema["default"] ?? null;
}

/** Whether an option is the default, or one of several that are. */
export function isDefault(question: Question, option: Option): boolean {
  const value = defaultValue(question);
  return isSeveral(question) && Array.isArray(value) ? value.some((each) => same(each, option.value)) : same(option.value, value);
}

/** The row that Enter takes: the default, else the first that destroys nothing; -1 where there is none. */
export function chiefAt(question: Question): number {
  const rows = rowsOf(question);
  const at = rows.findIndex((option) => isDefault(question, option));
  return at >= 0 ? at : rows.findIndex(({ variant }) => variant !== "danger");
}

/** The text of the user's own among several that were chosen. */
export function ownAmong(question: Question, chosen: readonly unknown[]): string | undefined {
  return chosen.find((each) => typeof each === "string" && !rowsOf(question).some(({ value }) => same(value, each))) as string | undefined;
}

/** Whether the user's own among several is chosen, and not written. */
export function lacksOwn(question: Question, value: unknown): boolean {
  return isSeveral(question) && rowsOf(question).length > 0 && Array.isArray(value) && ownAmong(question, value)?.trim() === "";
}

/** An answer as it was offered: the labels of what was chosen, else the value itself. */
export function chosenAs(question: Question | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => chosenAs(question, each));
  return (question ? rowsOf(question) : []).find((option) => same(option.value, value))?.label ?? value;
}

/** Whether an answer is some of a list of values. */
export function picksSeveral({ type, items }: Schema): boolean {
  return type === "array" && isSchema(items) && (Array.isArray(items["enum"]) || isNamedChoice(items));
}

/** Whether nothing was chosen or written yet, where there is no form that would tell by itself. */
export function isOpen(question: Question, value: unknown): boolean {
  const isOffered = rowsOf(question).some((option) => same(option.value, value));
  return !isOffered && (value ?? "") === "" && kindOf(question) !== "form";
}

/** What stands for an answer before there is one: of several, none may be chosen. */
export function noneOf(question: Question): [] | undefined {
  return rowsOf(question).length > 0 && isSeveral(question) ? [] : undefined;
}

/** Whether two values of JSON are equal. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The schema as the form library gets it, each field with what is expected of it. Patterns are the server's to judge, in its own dialect. */
export function forForm(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return { type: "string" };
  const kept: Record<string, unknown> = { ...schema };
  delete kept["pattern"];
  const told = hintOf(schema);
  if (told) kept["description"] = told;
  if (picksSeveral(schema)) kept["uniqueItems"] = true;
  if (isSchema(kept["items"])) kept["items"] = forForm(kept["items"]);
  if (isSchema(kept["properties"])) {
    const properties = kept["properties"] as Readonly<Record<string, Schema>>;
    kept["properties"] = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, forForm(inner)]));
  }
  return kept;
}

/** What is expected of an answer, in words. A pattern is none: what it means is for the description to say. */
export function hintOf(schema: Schema): string {
  return [schema["description"], boundsOf(schema), defaultTold(schema)].filter((part) => typeof part === "string" && part !== "").join(". ");
}

/** How long a text, how large a number or how many items are wanted. */
function boundsOf({ type, minLength, maxLength, minimum, maximum, minItems, maxItems }: Schema): string {
  switch (type) {
    case "string":
      return between(minLength, maxLength, "character");
    case "number":
    case "integer":
      return between(minimum, maximum, "");
    case "array":
      return between(minItems, maxItems, "item");
    default:
      return "";
  }
}

function between(least: unknown, most: unknown, noun: string): string {
  const [from, to] = [least, most].map((each) => (typeof each === "number" ? String(each) : ""));
  const unit = (count: string | undefined) => (noun ? ` ${noun}${count === "1" ? "" : "s"}` : "");
  if (from && to) return `${from} to ${to}${unit(to)}`;
  if (from) return `At least ${from}${unit(from)}`;
  return to ? `At most ${to}${unit(to)}` : "";
}

/** The default in words, where it is a single value. */
function defaultTold({ default: value, oneOf, anyOf }: Schema): string {
  if (typeof value === "boolean") return `Default: ${value ? "Yes" : "No"}`;
  if (typeof value !== "string" && typeof value !== "number") return "";
  const choices = oneOf ?? anyOf;
  const named = Array.isArray(choices) ? choices.filter(isSchema).find((each) => each["const"] === value)?.["title"] : undefined;
  return value === "" ? "" : `Default: ${typeof named === "string" ? named : value}`;
}

function canBeForm(schema: Schema): boolean {
  if (isNamedChoice(schema)) return true;
  if (UNFIT.some((keyword) => keyword in schema)) return false;
  if (Array.isArray(schema["enum"])) return schema["enum"].every((value) => typeof value === "string" || typeof value === "number");
  switch (schema["type"]) {
    case undefined:
      return Object.keys(schema).every((keyword) => TEXT.has(keyword));
    case "string":
    case "number":
    case "integer":
    case "boolean":
      return true;
    case "array":
      return isSchema(schema["items"]) && canBeForm(schema["items"]);
    case "object":
      return isSchema(schema["properties"]) && Object.values(schema["properties"]).every((inner) => isSchema(inner) && canBeForm(inner));
    default:
      return false;
  }
}

/** Values with titles, as JSON Schema writes them. */
function isNamedChoice({ oneOf, anyOf }: Schema): boolean {
  const choices = oneOf ?? anyOf;
  return Array.isArray(choices) && choices.length > 0 && choices.every((each) => isSchema(each) && (typeof each["const"] === "string" || typeof each["const"] === "number"));
}

const UNFIT = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "prefixItems", "dependentSchemas"];
const TEXT: ReadonlySet<string> = new Set(["title", "description", "default", "pattern", "minLength", "maxLength"]);

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
