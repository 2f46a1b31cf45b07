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
  return type === "array" && isSchema(items) && Array.isArray(items["enum"]);
}

/** Whether two values of JSON are equal. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const MAX_BUTTONS = 5;

/** The schema as the form library gets it: patterns are the server's to judge, in its own dialect. */
export function forForm(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return { type: "string" };
  const { pattern, ...rest } = schema;
  const kept: Record<string, unknown> = typeof pattern === "string" ? { ...rest, description: [rest["description"], `Must match ${pattern}`].filter(Boolean).join(". ") } : rest;
  if (picksSeveral(schema)) kept["uniqueItems"] = true;
  else if (schema["type"] === "array") kept["title"] ??= "Item"; // the library calls each by it, and the number
  if (isSchema(kept["items"])) kept["items"] = forForm(kept["items"]);
  if (isSchema(kept["properties"])) {
    const properties = kept["properties"] as Readonly<Record<string, Schema>>;
    kept["properties"] = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, forForm(inner)]));
  }
  return kept;
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
