// How a question is asked with VS Code's lists and input boxes. The server alone says whether an answer is good.
import type { Option, Question } from "./protocol";

export interface Choice {
  readonly label: string;
  readonly value: unknown;
  readonly description: string;
}

export type Form =
  | { readonly kind: "one"; readonly choices: readonly Choice[]; readonly allowsOther: boolean }
  | { readonly kind: "many"; readonly choices: readonly Choice[]; readonly allowsOther: boolean }
  | { readonly kind: "text"; readonly hint: string };

/** What to show for a question: its options, which the server also names for a schema that lists values, else a text. */
export function formOf({ options, schema, allow_custom: allowsOther }: Question): Form {
  if (options.length > 0) return { kind: schema["type"] === "array" ? "many" : "one", choices: options.map(choice), allowsOther };
  return { kind: "text", hint: takesText(schema) ? "" : `As JSON: ${typeof schema["type"] === "string" ? schema["type"] : "any value"}` };
}

/** The value that a typed text stands for: itself where a text is wanted, else JSON; what isn't JSON stays text. */
export function valueOf(text: string, { schema }: Question): unknown {
  if (takesText(schema)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A value as it is typed; the inverse of `valueOf`. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function takesText(schema: Question["schema"]): boolean {
  return schema["type"] === undefined || schema["type"] === "string";
}

function choice({ label, value, description }: Option): Choice {
  return { label, value, description };
}
