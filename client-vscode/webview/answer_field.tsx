// One question's field: choices, a form grown from its schema, or JSON where nothing else fits.
// The package as a whole needs the validator that its tests use.
import Form from "@rjsf/core/lib/components/Form.js";
import type { ArrayFieldItemTemplateProps, IconButtonProps, UiSchema } from "@rjsf/utils";
import { cloneElement, isValidElement, useId, useState, type RefObject } from "react";

import type { Option, Question } from "../src/protocol";
import { forForm, isDefault, kindOf, ownAmong, picksSeveral, same } from "./schema";
import { validator } from "./validator";

/** Whether what was filled in can be sent; shows what can't. */
export interface Checked {
  validateForm(): boolean;
}

interface Props {
  readonly question: Question;
  readonly value: unknown;
  readonly form: RefObject<Checked | null>;
  readonly onChange: (value: unknown) => void;
}

export function AnswerField(props: Props) {
  switch (kindOf(props.question)) {
    case "choices":
      return props.question.schema["type"] === "array" ? <Several {...props} /> : <OneOf {...props} />;
    case "form":
      return <Grown {...props} />;
    case "json":
      return <Json {...props} />;
  }
}

function OneOf({ question, value, onChange }: Props) {
  const group = useId();
  const chosen = question.options.findIndex((option) => same(option.value, value));
  const isOther = chosen < 0 && typeof value === "string";
  return (
    <div role="radiogroup" className="choices">
      {question.options.map((option, index) => (
        <label key={index}>
          <input type="radio" name={group} checked={index === chosen} onChange={() => { onChange(option.value); }} />
          <Choice option={option} isDefault={isDefault(question, option)} />
        </label>
      ))}
      {question.allow_custom && (
        <label>
          <input type="radio" name={group} checked={isOther} onChange={() => { onChange(""); }} />
          <span>
            Other
            {isOther && <input type="text" aria-label="Other" autoFocus value={value} onChange={(event) => { onChange(event.target.value); }} />}
          </span>
        </label>
      )}
    </div>
  );
}

function Several({ question, value, onChange }: Props) {
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : [];
  // what is typed may become, on its way, the value of an option: it stays what it is
  const [own, setOwn] = useState(() => ownAmong(question, chosen));
  const place = own === undefined ? -1 : chosen.lastIndexOf(own);
  const offered = chosen.filter((_, at) => at !== place);
  const give = (values: readonly unknown[], text: string | undefined) => {
    setOwn(text);
    onChange(text === undefined ? values : [...values, text]);
  };
  return (
    <div role="group" className="choices">
      {question.options.map((option, index) => {
        const isChosen = offered.some((each) => same(each, option.value));
        const others = offered.filter((each) => !same(each, option.value));
        return (
          <label key={index}>
            <input type="checkbox" checked={isChosen} onChange={() => { give(isChosen ? others : [...others, option.value], own); }} />
            <Choice option={option} isDefault={isDefault(question, option)} />
          </label>
        );
      })}
      {question.allow_custom && (
        <label>
          <input type="checkbox" checked={own !== undefined} onChange={() => { give(offered, own === undefined ? "" : undefined); }} />
          <span>
            Other
            {own !== undefined && <input type="text" aria-label="Other" autoFocus value={own} onChange={(event) => { give(offered, event.target.value); }} />}
          </span>
        </label>
      )}
    </div>
  );
}

function Choice({ option, isDefault }: { readonly option: Option; readonly isDefault: boolean }) {
  return (
    <span>
      {option.label} {isDefault && <span className="detail">default</span>}
      {option.description && <span className="description">{option.description}</span>}
    </span>
  );
}

function Grown({ question, value, form, onChange }: Props) {
  return (
    <Form
      ref={form as RefObject<never>}
      idPrefix={useId()}
      tagName="div"
      schema={forForm(question.default === null || question.default === undefined ? question.schema : { ...question.schema, default: question.default })}
      uiSchema={{ ...uiOf(question.schema), "ui:submitButtonOptions": { norender: true }, ...titleOf(question.schema) }}
      validator={validator}
      templates={TEMPLATES}
      formData={value}
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }) => { onChange(formData); }}
      onError={shown}
    />
  );
}

/** What doesn't fit is said at its field; without this, the library would write it into the console as well. */
const shown = () => undefined;

const TEMPLATES = {
  ArrayFieldItemTemplate: Item,
  ButtonTemplates: { AddButton: worded("Add"), RemoveButton: worded("Remove"), MoveUpButton: worded("Up"), MoveDownButton: worded("Down") },
};

/**
 * The library's own calls an item by the list's name, a hyphen and its number: here the number is enough, where it has no title of its own. It
 * also leaves an item with fields of its own no room beside its buttons.
 */
function Item({ children, className, index, buttonsProps, hasToolbar, registry }: ArrayFieldItemTemplateProps) {
  const { ArrayFieldItemButtonsTemplate: Buttons } = registry.templates;
  return (
    <div className={`${className} item`}>
      <div className="value">{isValidElement<{ title?: string }>(children) ? cloneElement(children, { title: String(index + 1) }) : children}</div>
      {hasToolbar && (
        <div className="tools">
          <Buttons {...buttonsProps} />
        </div>
      )}
    </div>
  );
}

/** The library's own buttons have icons of a font that isn't here. */
function worded(text: string) {
  return function WordedButton({ id, disabled, onClick }: IconButtonProps) {
    return (
      <button type="button" className="btn" {...(id ? { id } : {})} disabled={disabled} onClick={onClick}>
        {text}
      </button>
    );
  };
}

/** Which fields the library is to take, where it would take others. */
function uiOf(schema: Question["schema"]): UiSchema {
  if (schema["type"] === "boolean") return { "ui:widget": "radio" };
  if (picksSeveral(schema)) return { "ui:widget": "checkboxes" };
  if (schema["type"] === "string" && Number(schema["maxLength"] ?? 0) > LONG) return { "ui:widget": "textarea" };
  if (schema["type"] === "array") return { items: uiOf((schema["items"] ?? {}) as Question["schema"]) };
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Question["schema"]>>;
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, uiOf(inner)]));
}

/** The question says what it is about: a field without a title has one only for those who don't see. */
function titleOf({ title }: Question["schema"]): UiSchema {
  return typeof title === "string" ? { "ui:title": title } : { "ui:title": "Answer", "ui:classNames": "untitled" };
}

const LONG = 200;

function Json({ value, onChange }: Props) {
  return (
    <label className="json">
      Answer, as JSON
      <textarea rows={4} spellCheck={false} value={typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2)} onChange={(event) => { onChange(event.target.value); }} />
    </label>
  );
}
