// JSON Schema for the form library, without `eval`, which the page's policy forbids. The server has the last word.
import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";
import { toErrorSchema, type RJSFSchema, type RJSFValidationError, type ValidatorType } from "@rjsf/utils";

export const validator: ValidatorType = {
  validateFormData(data, schema) {
    const errors = problemsOf(schema, data);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid: (schema, data) => problemsOf(schema, data).length === 0,
  rawValidation: (schema, data) => ({ errors: problemsOf(schema, data) as never[] }),
};

function problemsOf(schema: RJSFSchema, data: unknown): RJSFValidationError[] {
  if (data === undefined) return [{ name: "required", message: "Not answered yet.", property: "", stack: "" }];
  const { errors } = new Validator(schema as Schema, "2020-12", false).validate(withoutGaps(data));
  return errors.filter(({ keyword }) => !PARENTS.has(keyword)).map(problem);
}

/** What was left empty in an object isn't there. */
function withoutGaps(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data)) as unknown;
}

function problem({ instanceLocation, keyword, error }: OutputUnit): RJSFValidationError {
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
