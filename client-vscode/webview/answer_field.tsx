// One question's field: rows, a text, a number, a form grown from its schema, or JSON where nothing else fits.
import { lazy, Suspense, useId, useState, type RefObject } from "react";

import type { Question } from "../src/protocol";
import { Rows } from "./rows";
import { chiefAt, hintOf, isDefault, isSeveral, kindOf, ownAmong, rowsOf, same } from "./schema";

const GrownForm = lazy(() => import("./grown_form").then(({ GrownForm: component }) => ({ default: component })));

/** Whether what was filled in can be sent; shows what can't. */
export interface Checked {
  validateForm(): boolean;
}

export interface FieldProps {
  readonly question: Question;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

export function AnswerField({ form, ...props }: FieldProps & { readonly form: RefObject<Checked | null> }) {
  switch (kindOf(props.question)) {
    case "choices":
      return isSeveral(props.question) ? <Several {...props} /> : <OneOf {...props} />;
    case "text":
      return <Written {...props} />;
    case "number":
      return <Amount {...props} />;
    case "form":
      return (
        <Suspense fallback={<p className="muted">…</p>}>
          <GrownForm {...props} form={form} />
        </Suspense>
      );
    case "json":
      return <Json {...props} />;
  }
}

function OneOf({ question, value, onChange }: FieldProps) {
  const options = rowsOf(question);
  const isChosen = options.some((option) => same(option.value, value));
  return (
    <Rows
      label="Choices"
      options={options}
      isDefault={(option) => isDefault(question, option)}
      first={isChosen ? options.findIndex((option) => same(option.value, value)) : chiefAt(question)}
      chosen={(option) => same(option.value, value)}
      onChoose={(option) => { onChange(option.value); }}
      own={question.allow_custom ? { text: !isChosen && typeof value === "string" ? value : undefined, isAnswer: false, write: (text) => { onChange(text ?? ""); }, give: () => undefined } : undefined}
    />
  );
}

function Several({ question, value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : [];
  // what is typed may become, on its way, the value of an option: it stays what it is
  const [own, setOwn] = useState(() => ownAmong(question, chosen));
  const place = own === undefined ? -1 : chosen.lastIndexOf(own);
  const offered = chosen.filter((_, at) => at !== place);
  const give = (values: readonly unknown[], text: string | undefined) => {
    setOwn(text);
    onChange(text === undefined ? values : [...values, text]);
  };
  const has = (each: unknown) => offered.some((other) => same(other, each));
  return (
    <Rows
      label="Choices"
      options={rowsOf(question)}
      isDefault={(option) => isDefault(question, option)}
      first={0}
      chosen={(option) => has(option.value)}
      isSeveral
      onChoose={({ value: each }) => { give(has(each) ? offered.filter((other) => !same(other, each)) : [...offered, each], own); }}
      own={question.allow_custom ? { text: own, isAnswer: false, write: (text) => { give(offered, text); }, give: () => undefined } : undefined}
    />
  );
}

const LONG = 200;

function Written({ question, value, onChange }: FieldProps) {
  const hint = hintOf(question.schema);
  const id = useId();
  const field = { "aria-label": "Your answer", value: typeof value === "string" ? value : "", ...(hint ? { "aria-describedby": id } : {}) };
  const isLong = Number(question.schema["maxLength"] ?? 0) > LONG || field.value.includes("\n");
  return (
    <>
      {isLong ? (
        <textarea rows={3} {...field} onChange={({ target }) => { onChange(target.value); }} />
      ) : (
        <input type="text" {...field} onChange={({ target }) => { onChange(target.value); }} />
      )}
      {hint && <Hint id={id} text={hint} />}
    </>
  );
}

function Amount({ question, value, onChange }: FieldProps) {
  const hint = hintOf(question.schema);
  const id = useId();
  return (
    <>
      <input
        type="number"
        step={question.schema["type"] === "integer" ? 1 : "any"}
        aria-label="Your answer"
        {...(hint ? { "aria-describedby": id } : {})}
        value={typeof value === "number" ? value : ""}
        onChange={({ target }) => { onChange(target.value === "" ? undefined : target.valueAsNumber); }}
      />
      {hint && <Hint id={id} text={hint} />}
    </>
  );
}

function Hint({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p id={id} className="muted">
      {text}
    </p>
  );
}

function Json({ value, onChange }: FieldProps) {
  return (
    <label className="json">
      Answer, as JSON
      <textarea rows={4} spellCheck={false} value={typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2)} onChange={(event) => { onChange(event.target.value); }} />
    </label>
  );
}
