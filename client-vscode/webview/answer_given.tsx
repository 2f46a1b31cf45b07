// What the user answered: the choices as they read, of several questions each beside its own, what became of each file, and the words that
// went with it.
import type { Question } from "../src/protocol";
import type { Answer } from "./blocks";
import { chosenAs } from "./schema";
import { Line, Text } from "./text";

const REJECTIONS: ReadonlySet<unknown> = new Set(["reject_once", "reject_and_stop"]);

export function AnswerGiven({ answer: { answers, edits, rejected, comment }, asked }: { readonly answer: Answer; readonly asked: readonly Question[] }) {
  const isNo = Object.values(answers).some((value) => REJECTIONS.has(value));
  const given = Object.entries(answers).map(([name, value]) => {
    const question = asked.find((each) => each.name === name);
    return { name: question?.question ?? name, value: wordsOf(chosenAs(question, value)) };
  });
  const [only] = given.length === 1 ? given : [];
  return (
    <>
      {only && <p className="only">{only.value}</p>}
      <dl>
        {!only && given.map(({ name, value }, index) => <Row key={index} name={name} value={value} isLong />)}
        {edits?.map((path) => (
          <Row key={path} name={isNo || rejected?.includes(path) ? "rejected" : "allowed"} value={path} isPath />
        ))}
      </dl>
      {comment && <Text text={comment} />}
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly value: string;
  readonly isPath?: boolean;
  readonly isLong?: boolean;
}

function Row({ name, value, isPath = false, isLong = false }: RowProps) {
  return (
    <div className={isLong ? "asked-row" : "row"}>
      <dt>{isLong ? <Line text={name} /> : name}</dt>
      <dd>{isPath ? <code>{value}</code> : value}</dd>
    </div>
  );
}

/** A value as people write it. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(wordsOf).join(value.some((each) => typeof each === "object") ? "; " : ", ") || "none";
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${name}: ${wordsOf(inner)}`).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
