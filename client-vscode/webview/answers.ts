// The answers to questions of one set while they are chosen and written, and what is wrong with them. Pure.
import type { Question } from "../src/protocol";
import { defaultValue, hintOf, isOpen, kindOf, lacksOwn, noneOf } from "./schema";
import { faultOfValue } from "./schema_faults";

export type Answers = Readonly<Record<string, unknown>>;

/** What is wrong with the answers; `name` = that of the question it is about, empty = of no single one. */
export interface Fault {
  readonly name: string;
  readonly text: string;
}

/** What stands before anything was chosen. */
export function beginning(questions: readonly Question[]): Answers {
  return Object.fromEntries(questions.map((question) => [question.name, defaultValue(question) ?? noneOf(question)]));
}

/** The fault of one answer, but for those that a form tells at its own fields. */
export function faultOf(question: Question, value: unknown): Fault | null {
  const fault = (text: string): Fault => ({ name: question.name, text });
  if (isOpen(question, value)) return fault("Not answered yet.");
  if (lacksOwn(question, value)) return fault("There is nothing for Other. Write it, or leave Other out.");
  switch (kindOf(question)) {
    case "json":
      return isReadable(question, value) ? null : fault('This is not JSON. Write a text in quotes: "like this".');
    case "text":
    case "number": {
      const text = faultOfValue(question.schema, value);
      return text ? fault(text) : null;
    }
    default:
      return null;
  }
}

/** The answers as they are sent. Throws where JSON was to be typed and isn't. */
export function toSend(questions: readonly Question[], values: Answers): Answers {
  return Object.fromEntries(questions.map((question) => [question.name, valueOf(question, values[question.name])]));
}

/** The server begins with the name of the question, which is shown there without it, and names patterns, which are none for people. */
export function refusalOf(message: string, questions: readonly Question[]): Fault {
  const question = questions.find((each) => message.startsWith(`${each.name}: `));
  if (!question) return { name: "", text: message };
  const text = message.slice(question.name.length + 2);
  const pattern = question.schema["pattern"];
  if (typeof pattern !== "string" || !text.includes(pattern)) return { name: question.name, text };
  const hint = hintOf(question.schema);
  return { name: question.name, text: `This doesn't have the form that is asked for.${hint ? ` ${hint}.` : ""}` };
}

function isReadable(question: Question, value: unknown): boolean {
  try {
    valueOf(question, value);
    return true;
  } catch {
    return false;
  }
}

function valueOf(question: Question, value: unknown): unknown {
  return kindOf(question) === "json" && typeof value === "string" ? (JSON.parse(value) as unknown) : value;
}
