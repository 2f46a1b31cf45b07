// Which schemas the form can show, and how. What it can't show is typed as JSON. Pure.
import type { Option, Question } from "../src/protocol";

type Schema = Readonly<Record<string, unknown>>;

export type Kind = "choices" | "form" | "json";

/** How a question is answered. */
export function kindOf({ options, schema }: Question): Kind {
  if (options.length > 0) return "choices";
  return canBeForm(schema) ? "form" : "json";
}

/** The question that one click answers, if it is the only one. */
export function oneClickOf(questions: readonly Question[]): Question | undefined {
  const [question, ...others] = questions;
  if (question === undefined || others.length > 0 || question.schema["type"] === "array") return undefined;
  return question.options.length > 0 && question.options.length <= MAX_BUTTONS ? question : undefined;
}

/** The default among a question's options. */
export function defaultOf({ options, default: value }: Question): Option | undefined {
  return options.find((option) => same(option.value, value));
}

/** Whether an option is the default, or one of several that are. */
export function isDefault({ schema, default: value }: Question, option: Option): boolean {
  return schema["type"] === "array" && Array.isArray(value) ? value.some((each) => same(each, option.value)) : same(option.value, value);
}

/** The text of the user's own among several that were chosen. */
export function ownAmong({ options }: Question, chosen: readonly unknown[]): string | undefined {
  return chosen.find((each) => typeof each === "string" && !options.some(({ value }) => same(value, each))) as string | undefined;
}

/** Whether the user's own among several is chosen, and not written. */
export function lacksOwn(question: Question, value: unknown): boolean {
  return question.schema["type"] === "array" && question.options.length > 0 && Array.isArray(value) && ownAmong(question, value)?.trim() === "";
}

/** An answer as it was offered: the labels of what was chosen, else the value itself. */
export function chosenAs(question: Question | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => chosenAs(question, each));
  return question?.options.find((option) => same(option.value, value))?.label ?? value;
}

/** The option that stands out: the default, else the first. None that destroys something does. */
export function chiefOf(question: Question): Option | undefined {
  const chief = defaultOf(question) ?? question.options[0];
  return chief?.variant === "danger" ? undefined : chief;
}

/** Whether an answer is some of a list of values. */
export function picksSeveral({ type, items }: Schema): boolean {
  return type === "array" && isSchema(items) && (Array.isArray(items["enum"]) || isNamedChoice(items));
}

/** Whether nothing was chosen or written yet, where there is no form that would tell by itself. */
export function isOpen(question: Question, value: unknown): boolean {
  const isOffered = question.options.some((option) => same(option.value, value));
  return !isOffered && (value ?? "") === "" && kindOf(question) !== "form";
}

/** What stands for an answer before there is one: of several, none may be chosen. */
export function noneOf({ options, schema }: Question): [] | undefined {
  return options.length > 0 && schema["type"] === "array" ? [] : undefined;
}

/** Whether two values of JSON are equal. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const MAX_BUTTONS = 5;

/** The schema as the form library gets it, each field with what is expected of it. Patterns are the server's to judge, in its own dialect. */
export function forForm(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return { type: "string" };
  const { pattern, ...kept } = schema as Record<string, unknown>;
  const told = [kept["description"], boundsOf(schema), typeof pattern === "string" && `Must match ${pattern}`, defaultTold(schema)].filter(Boolean);
  if (told.length > 0) kept["description"] = told.join(". ");
  if (picksSeveral(schema)) kept["uniqueItems"] = true;
  if (isSchema(kept["items"])) kept["items"] = forForm(kept["items"]);
  if (isSchema(kept["properties"])) {
    const properties = kept["properties"] as Readonly<Record<string, Schema>>;
    kept["properties"] = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, forForm(inner)]));
  }
  return kept;
}

/** How long a text, how large a number or how many items are wanted. */
function boundsOf({ type, minLength, maxLength, minimum, maximum, minItems, maxItems }: Schema): string {
  switch (type) {
    case "string":
      return between(minLength, maxLength, " characters");
    case "number":
    case "integer":
      return between(minimum, maximum, "");
    case "array":
      return between(minItems, maxItems, " items");
    default:
      return "";
  }
}

function between(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [least, most].map((each) => (typeof each === "number" ? String(each) : ""));
  if (from && to) return `${from} to ${to}${unit}`;
  if (from) return `At least ${from}${unit}`;
  return to ? `At most ${to}${unit}` : "";
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
