// A form grown from a schema with objects or lists in it. Loaded when the first such question is asked.
// The package as a whole needs the validator that its tests use.
import Form from "@rjsf/core/lib/components/Form.js";
import type { ArrayFieldItemTemplateProps, IconButtonProps, UiSchema } from "@rjsf/utils";
import { cloneElement, isValidElement, useId, type RefObject } from "react";

import type { Question } from "../src/protocol";
import type { Checked, FieldProps } from "./answer_field";
import { forForm, picksSeveral } from "./schema";
import { validator } from "./validator";

export function GrownForm({ question, value, form, onChange }: FieldProps & { readonly form: RefObject<Checked | null> }) {
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
      <button type="button" className="button secondary" {...(id ? { id } : {})} disabled={disabled} onClick={onClick}>
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
