// What the user answered: the choices as they read, what became of each file, and the words that went with it.
import type { Question } from "../src/protocol";
import type { Answer } from "./blocks";
import { chosenAs } from "./schema";
import { Text } from "./text";

const REJECTIONS: ReadonlySet<unknown> = new Set(["reject_once", "reject_and_stop"]);

export function AnswerGiven({ answer: { answers, edits, rejected, comment }, asked }: { readonly answer: Answer; readonly asked: readonly Question[] }) {
  const isNo = Object.values(answers).some((value) => REJECTIONS.has(value));
  return (
    <>
      <dl>
        {Object.entries(answers).map(([name, value]) => (
          <Row key={name} name={name} value={wordsOf(chosenAs(asked.find((question) => question.name === name), value))} />
        ))}
        {edits?.map((path) => (
          <Row key={path} name={isNo || rejected?.includes(path) ? "rejected" : "allowed"} value={path} isPath />
        ))}
      </dl>
      {comment && <Text text={comment} />}
    </>
  );
}

function Row({ name, value, isPath = false }: { readonly name: string; readonly value: string; readonly isPath?: boolean }) {
  return (
    <div className="row">
      <dt>{name}</dt>
      <dd>{isPath ? <code>{value}</code> : value}</dd>
    </div>
  );
}

/** A value as people write it. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(wordsOf).join(", ") || "none";
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${name}: ${wordsOf(inner)}`).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
