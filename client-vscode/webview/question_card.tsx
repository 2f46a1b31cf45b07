// Questions that wait, above the input: by click where one choice answers them, else as a form. Never answered by itself.
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import type { Option, Question, QuestionPending } from "../src/protocol";
import { AnswerField, type Checked } from "./answer_field";
import { Failed } from "./host";
import { chiefOf, defaultOf, isOpen, kindOf, lacksOwn, noneOf, oneClickOf } from "./schema";
import type { Store } from "./store";
import { Line, Text } from "./text";

type Answers = Readonly<Record<string, unknown>>;

/** What is wrong with the answers; `name` = that of the question it is about, empty = of no single one. */
interface Fault {
  readonly name: string;
  readonly text: string;
}

const SEVERITIES = ["critical", "major", "minor"] as const;
const WORDS = { critical: "Critical", major: "Major", minor: "" };

export function QuestionCard({ store, set }: { readonly store: Store; readonly set: QuestionPending }) {
  const { question_id: id, questions, edits, step } = set;
  const [fault, setFault] = useState<Fault | null>(null);
  const card = useRef<HTMLElement>(null);
  const oneClick = oneClickOf(questions);
  const severity = SEVERITIES.find((each) => questions.some((question) => question.severity === each)) ?? "minor";
  useFocusOnce(card, severity === "critical");
  useEffect(() => {
    const alert = fault && card.current?.querySelector("[role=alert]");
    alert?.closest(".asked")?.querySelector<HTMLElement>("input, textarea, select")?.focus();
    alert?.scrollIntoView({ block: "nearest" });
  }, [fault]);
  const end = async (answering: Promise<unknown>) => {
    try {
      await answering;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      setFault(faultIn(error.message, questions));
    }
  };
  const answer = (answers: Answers) => end(store.host.call("planact.answerQuestion", { question_id: id, answers }));
  const decline = () => end(store.host.call("planact.declineQuestion", { question_id: id }));
  return (
    <section ref={card} className={`card question ${severity}`} aria-label="Question" tabIndex={-1} data-question={id}>
      {step && (
        <p className="detail">
          Step {step.number}: <Line text={step.action} />
        </p>
      )}
      {oneClick ? (
        <OneClick question={oneClick} answer={answer} decline={set.purpose === "agent" ? decline : undefined}>
          {edits.length > 0 && <Edits store={store} set={set} />}
        </OneClick>
      ) : (
        <QuestionForm questions={questions} answer={answer} decline={set.purpose === "agent" ? decline : undefined} fault={fault} fail={setFault} />
      )}
      {fault && (oneClick ?? !fault.name) && <Problem text={fault.text} />}
    </section>
  );
}

function Problem({ text }: { readonly text: string }) {
  return (
    <p className="problem" role="alert">
      {text}
    </p>
  );
}

/** The server begins with the name of the question, which is shown there without it. */
function faultIn(message: string, questions: readonly Question[]): Fault {
  const name = questions.find((question) => message.startsWith(`${question.name}: `))?.name ?? "";
  return { name, text: name ? message.slice(name.length + 2) : message };
}

/** Brings a card to the user's notice, without taking the keyboard from another part of the window. */
function useFocusOnce(card: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const focus = () => { card.current?.focus(); };
    if (document.hasFocus()) focus();
    else window.addEventListener("focus", focus, { once: true });
    return () => { window.removeEventListener("focus", focus); };
  }, [card, isWanted]);
}

/** What would be done to files, where it can be looked at: beside the plan. */
function Edits({ store, set: { question_id: id, edits } }: { readonly store: Store; readonly set: QuestionPending }) {
  const review = (isAll: boolean) => () => void store.call("editor/review", { question_id: id, is_all: isAll });
  return (
    <div className="buttons" role="group" aria-label="What would change">
      <vscode-button secondary onClick={review(false)}>Review</vscode-button>
      {edits.length > 1 && <vscode-button secondary onClick={review(true)}>All Files</vscode-button>}
    </div>
  );
}

interface Asked {
  readonly answer: (answers: Answers) => Promise<void>;
  readonly decline: (() => Promise<void>) | undefined;
}

function OneClick({ question, answer, decline, children }: Asked & { readonly question: Question; readonly children: ReactNode }) {
  const [other, setOther] = useState<string | null>(null);
  const give = (value: unknown) => void answer({ [question.name]: value });
  return (
    <>
      <Wording question={question} />
      {children}
      <div className="buttons" role="group" aria-label="Answers">
        {question.options.map((option, index) => (
          <OptionButton key={index} option={option} isChief={option === chiefOf(question)} isDefault={option === defaultOf(question)} onClick={() => { give(option.value); }} />
        ))}
        {question.allow_custom && other === null && <vscode-button secondary onClick={() => { setOther(""); }}>Other…</vscode-button>}
        {decline && <vscode-button secondary onClick={() => void decline()}>Decline</vscode-button>}
      </div>
      {question.options.filter(({ description }) => description).map(({ label, description }, index) => (
        <p key={index} className="detail meaning">
          {label}: {description}
        </p>
      ))}
      {other !== null && (
        <form className="other" onSubmit={(event) => { event.preventDefault(); give(other); }}>
          <input type="text" aria-label="Your answer" autoFocus value={other} onChange={(event) => { setOther(event.target.value); }} />
          <vscode-button onClick={() => { give(other); }}>Answer</vscode-button>
        </form>
      )}
    </>
  );
}

interface ButtonProps {
  readonly option: Option;
  readonly isChief: boolean;
  readonly isDefault: boolean;
  readonly onClick: () => void;
}

function OptionButton({ option, isChief, isDefault, onClick }: ButtonProps) {
  const isPrimary = option.variant === "primary" || isChief;
  return (
    <vscode-button className={option.variant} secondary={!isPrimary} onClick={onClick}>
      {option.label}
      {isDefault ? " (default)" : ""}
    </vscode-button>
  );
}

interface FormProps extends Asked {
  readonly questions: readonly Question[];
  readonly fault: Fault | null;
  readonly fail: (fault: Fault | null) => void;
}

function QuestionForm({ questions, answer, decline, fault, fail }: FormProps) {
  const [values, setValues] = useState<Answers>(() => Object.fromEntries(questions.map((question) => [question.name, question.default ?? noneOf(question)])));
  const fields = useRef<HTMLFormElement>(null);
  const forms = useRef(new Map<string, RefObject<Checked | null>>());
  const formOf = (name: string) => {
    const form = forms.current.get(name) ?? { current: null };
    forms.current.set(name, form);
    return form;
  };
  const submit = () => {
    const valid = [...forms.current.values()].map((form) => form.current?.validateForm() ?? true);
    const found = faultOf(questions, values);
    fail(found);
    // the form library draws its faults first
    if (valid.includes(false)) setTimeout(() => { firstFault(fields.current)?.focus(); });
    else if (!found) void answer(Object.fromEntries(questions.map((question) => [question.name, valueOf(question, values[question.name])])));
  };
  return (
    <form ref={fields} onSubmit={(event) => { event.preventDefault(); submit(); }}>
      {questions.map((question) => (
        <fieldset key={question.name} className="asked">
          <legend>
            <Wording question={question} />
          </legend>
          <AnswerField
            question={question}
            value={values[question.name]}
            form={formOf(question.name)}
            onChange={(value) => { setValues((before) => ({ ...before, [question.name]: value })); }}
          />
          {fault?.name === question.name && <Problem text={fault.text} />}
        </fieldset>
      ))}
      <div className="buttons">
        <vscode-button onClick={submit}>Answer</vscode-button>
        {decline && <vscode-button secondary onClick={() => void decline()}>Decline</vscode-button>}
      </div>
    </form>
  );
}

/** The first fault of what no form of the library checks. */
function faultOf(questions: readonly Question[], values: Answers): Fault | null {
  const open = questions.find((question) => isOpen(question, values[question.name]));
  if (open) return { name: open.name, text: "Not answered yet." };
  const unreadable = questions.find((question) => !isReadable(question, values[question.name]));
  if (unreadable) return { name: unreadable.name, text: 'This is not JSON. Write a text in quotes: "like this".' };
  const unwritten = questions.find((question) => lacksOwn(question, values[question.name]));
  return unwritten ? { name: unwritten.name, text: "There is nothing for Other. Write it, or leave Other out." } : null;
}

/** The field that the first fault is about. */
function firstFault(form: HTMLFormElement | null): HTMLElement | null | undefined {
  const fault = form?.querySelector(".error-detail, .text-danger");
  return fault?.closest(".form-group")?.querySelector<HTMLElement>("input, textarea, select");
}

function Wording({ question }: { readonly question: Question }) {
  return (
    <div className="wording">
      {WORDS[question.severity] && <span className={`label severity ${question.severity}`}>{WORDS[question.severity]}</span>}
      <Text text={question.question} />
      {question.context && (
        <div className="context">
          <Text text={question.context} />
        </div>
      )}
    </div>
  );
}

function isReadable(question: Question, value: unknown): boolean {
  try {
    valueOf(question, value);
    return true;
  } catch {
    return false;
  }
}

/** What was typed as JSON is sent as what it says. Throws where it says nothing. */
function valueOf(question: Question, value: unknown): unknown {
  return kindOf(question) === "json" && typeof value === "string" ? (JSON.parse(value) as unknown) : value;
}
