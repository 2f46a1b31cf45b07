// What of an answer doesn't fit its JSON Schema, in words, without `eval`, which the page's policy forbids. The server has the last word.
import { Validator, type OutputUnit } from "@cfworker/json-schema";

/** `property` is the place in the answer, as `.list.0.name`. */
export interface SchemaFault {
  readonly name: string;
  readonly message: string;
  readonly property: string;
  readonly stack: string;
}

/** What is wrong with a single value, in words; empty where nothing is. Patterns are the server's to judge. */
export function faultOfValue(schema: Readonly<Record<string, unknown>>, value: unknown): string {
  return faultsOf({ ...schema, pattern: undefined }, value)[0]?.message ?? "";
}

export function faultsOf(schema: object, data: unknown): SchemaFault[] {
  if (data === undefined) return [{ name: "required", message: "Not answered yet.", property: "", stack: "" }];
  const { errors } = new Validator(schema, "2020-12", false).validate(withoutGaps(data));
  return errors.filter(({ keyword }) => !PARENTS.has(keyword)).map(fault);
}

/** What was left empty in an object isn't there. */
function withoutGaps(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data)) as unknown;
}

function fault({ instanceLocation, keyword, error }: OutputUnit): SchemaFault {
  const missing = keyword === "required" ? (/"([^"]+)"/.exec(error)?.[1] ?? "") : "";
  const path = [...instanceLocation.split("/").slice(1).map(decodeURIComponent), ...(missing ? [missing] : [])];
  return { name: keyword, message: missing ? "is required" : inWords(error), property: path.map((part) => `.${part}`).join(""), stack: error };
}

function inWords(error: string): string {
  const [, is, wanted] = /^String is too short \((\d+) < (\d+)\)/.exec(error) ?? [];
  if (is && wanted) return `Too short: ${is} of at least ${wanted} characters.`;
  const [, length, most] = /^String is too long \((\d+) > (\d+)\)/.exec(error) ?? [];
  return length && most ? `Too long: ${length} characters, where ${most} is the most.` : error;
}

/** Keywords whose problems only repeat those of what is inside. */
const PARENTS: ReadonlySet<string> = new Set(["properties", "items", "prefixItems", "additionalProperties", "allOf"]);
