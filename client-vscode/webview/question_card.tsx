// A question that waits, as a card of the dock: one row answers it, or pages of fields that are sent together. Never answered by itself.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import type { Question, QuestionPending } from "../src/protocol";
import { AnswerField, type Checked } from "./answer_field";
import { beginning, faultOf, refusalOf, toSend, type Answers, type Fault } from "./answers";
import { ApprovalCard } from "./approval_card";
import { isLeave } from "./question";
import { Button, IconButton } from "./button";
import { Card, type Edge } from "./card";
import { CheckOutput, isLongOutput } from "./check_output";
import { Failed } from "./host";
import { titleOf } from "./question";
import { chooseByDigit, Rows } from "./rows";
import { chiefAt, isDefault, oneClickOf, rowsOf } from "./schema";
import type { Store } from "./store";
import { Line, Text } from "./text";

const EDGES: Readonly<Record<Question["severity"], Edge>> = { critical: "critical", major: "major", minor: "plain" };

interface Props {
  readonly store: Store;
  readonly set: QuestionPending;
  /** The name of the folder, where it is another than the one in hand. */
  readonly folder: string;
  /** What stands at the end of the title: how many cards wait. */
  readonly pager: ReactNode;
}

export interface Asking {
  readonly fault: Fault | null;
  readonly fail: (fault: Fault | null) => void;
  readonly answer: (answers: Answers, comment?: string) => Promise<void>;
  readonly decline: (() => Promise<void>) | undefined;
}

export function QuestionCard({ store, set, folder, pager }: Props) {
  const { question_id: id, questions } = set;
  const [fault, setFault] = useState<Fault | null>(null);
  const end = async (answering: Promise<unknown>) => {
    setFault(null);
    try {
      await answering;
      store.forgetAnswers(id);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      setFault(refusalOf(error.message, questions));
    }
  };
  const asking: Asking = {
    fault,
    fail: setFault,
    answer: (answers, comment) => end(store.host.call("planact.answerQuestion", { question_id: id, answers, ...(comment ? { comment } : {}) })),
    decline: set.purpose === "agent" ? () => end(store.host.call("planact.declineQuestion", { question_id: id })) : undefined,
  };
  const place = <Place set={set} folder={folder} />;
  const oneClick = oneClickOf(questions);
  if (isLeave(set) && oneClick) return <ApprovalCard store={store} set={set} question={oneClick} asking={asking} pager={pager} place={place} />;
  if (oneClick) return <OneClick set={set} question={oneClick} asking={asking} pager={pager} place={place} />;
  return <Pages store={store} set={set} asking={asking} pager={pager} place={place} />;
}

/** In which folder and which step it is asked. */
function Place({ set: { step }, folder }: { readonly set: QuestionPending; readonly folder: string }) {
  if (!folder && !step) return null;
  return (
    <p className="muted">
      {folder && `In ${folder}${step ? ", " : ""}`}
      {step && (
        <>
          Step {step.number}: <Line text={step.action} />
        </>
      )}
    </p>
  );
}

export interface CardProps {
  readonly set: QuestionPending;
  readonly asking: Asking;
  readonly pager: ReactNode;
  readonly place: ReactNode;
}

export function Problem({ fault }: { readonly fault: Fault | null }) {
  if (!fault) return null;
  return (
    <p className="problem" role="alert">
      {fault.text}
    </p>
  );
}

function edgeOf(set: QuestionPending, severity: Question["severity"]): Edge {
  return set.about === "failure" ? "failed" : EDGES[severity];
}

function OneClick({ set, question, asking, pager, place }: CardProps & { readonly question: Question }) {
  const [own, setOwn] = useState<string | undefined>();
  const [isWhole, setWhole] = useState(false);
  const card = useRef<HTMLElement>(null);
  useFocusOnce(card, question.severity === "critical");
  const isFailure = set.about === "failure";
  const give = (value: unknown) => void asking.answer({ [question.name]: value });
  return (
    <Card
      name="Question"
      id={set.question_id}
      edge={edgeOf(set, question.severity)}
      card={card}
      title={<Title question={question} />}
      aside={
        <>
          {isFailure && isLongOutput(question.context) && <Button rank="link" onClick={() => { setWhole(!isWhole); }}>{isWhole ? "Show Less" : "Show Output"}</Button>}
          {pager}
        </>
      }
      onKeyDown={(event) => { chooseByDigit(event); }}
      answers={
        <>
          <Rows
            label="Answers"
            options={rowsOf(question)}
            isDefault={(option) => isDefault(question, option)}
            first={chiefAt(question)}
            onChoose={(option) => { give(option.value); }}
            own={question.allow_custom ? { text: own, isAnswer: true, write: setOwn, give } : undefined}
          />
          <Problem fault={asking.fault} />
        </>
      }
      buttons={
        asking.decline || own !== undefined ? (
          <>
            {asking.decline && <Button rank="link" onClick={() => void asking.decline?.()}>Decline</Button>}
            {own !== undefined && <Button rank="primary" onClick={() => { give(own); }}>Answer</Button>}
          </>
        ) : undefined
      }
    >
      {place}
      {isFailure ? <CheckOutput text={question.context} isWhole={isWhole} /> : <Reason question={question} />}
    </Card>
  );
}

/** A question in one line; what is critical says so in a word. */
export function Title({ question }: { readonly question: Question }) {
  return (
    <>
      {question.severity === "critical" && <span className="severity">Critical</span>} <Line text={titleOf(question)} />
    </>
  );
}

/** What else there is to know: why it is asked, and what it is about. */
export function Reason({ question: { reason, context } }: { readonly question: Question }) {
  return (
    <>
      {reason && (
        <div className="muted">
          <Text text={reason} />
        </div>
      )}
      {context && (
        <div className="context">
          <Text text={context} />
        </div>
      )}
    </>
  );
}

function Pages({ store, set, asking, pager, place }: CardProps & { readonly store: Store }) {
  const { question_id: id, questions } = set;
  const [values, setValues] = useState<Answers>(() => ({ ...beginning(questions), ...store.answersTo(id) }));
  const [at, setAt] = useState(0);
  const card = useRef<HTMLElement>(null);
  const form = useRef<Checked>(null);
  const question = questions[at];
  useFocusOnce(card, questions.some(({ severity }) => severity === "critical"));
  const { fault, fail } = asking;
  useEffect(() => {
    const index = questions.findIndex(({ name }) => name === fault?.name);
    if (index >= 0) setAt(index);
    const focus = setTimeout(() => {
      const alert = card.current?.querySelector("[role=alert]");
      if (alert) firstField(card.current)?.focus();
      alert?.scrollIntoView({ block: "nearest" });
    });
    return () => { clearTimeout(focus); };
  }, [fault, questions]);
  if (!question) return null;
  const isLast = at === questions.length - 1;
  const write = (value: unknown) => {
    const changed = { ...values, [question.name]: value };
    setValues(changed);
    store.keepAnswers(id, changed);
  };
  const goOn = () => {
    const isWhole = form.current?.validateForm() ?? true;
    const found = faultOf(question, values[question.name]);
    fail(found);
    if (!isWhole) {
      // the form library draws its faults first
      setTimeout(() => { card.current?.querySelector(".error-detail, .text-danger")?.closest(".form-group")?.querySelector<HTMLElement>(FIELDS)?.focus(); });
    } else if (!found && !isLast) turnTo(at + 1);
    else if (!found) {
      const open = questions.map((each) => faultOf(each, values[each.name])).find((each) => each !== null);
      if (open) fail(open);
      else void asking.answer(toSend(questions, values));
    }
  };
  const turnTo = (page: number) => {
    if (page < 0 || page >= questions.length) return;
    fail(null);
    setAt(page);
    setTimeout(() => { firstField(card.current)?.focus(); });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isPage = event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight");
    if (isPage) turnTo(at + (event.key === "ArrowLeft" ? -1 : 1));
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey || isSingleLine(event.target))) goOn();
    else {
      chooseByDigit(event);
      return;
    }
    event.preventDefault();
  };
  return (
    <Card
      name="Question"
      id={id}
      edge={EDGES[question.severity]}
      card={card}
      title={<Title question={question} />}
      aside={pager}
      onKeyDown={onKeyDown}
      buttons={
        <>
          {questions.length > 1 && (
            <span className="pages">
              <IconButton icon="chevron-right" className="small back" label="Previous question" isDisabled={at === 0} onClick={() => { turnTo(at - 1); }} />
              <span className="muted">
                {at + 1} of {questions.length}
              </span>
              <IconButton icon="chevron-right" className="small" label="Next question" isDisabled={isLast} onClick={() => { turnTo(at + 1); }} />
            </span>
          )}
          <span className="gap" />
          {asking.decline && <Button rank="link" onClick={() => void asking.decline?.()}>Decline</Button>}
          <Button rank="primary" onClick={goOn}>{isLast ? "Answer" : "Next"}</Button>
        </>
      }
    >
      {place}
      <Reason question={question} />
      <AnswerField key={question.name} question={question} value={values[question.name]} form={form} onChange={write} />
      {(fault?.name === question.name || fault?.name === "") && <Problem fault={fault} />}
    </Card>
  );
}

const FIELDS = "input, textarea, select";

function firstField(card: HTMLElement | null): HTMLElement | null | undefined {
  return card?.querySelector<HTMLElement>(`.body :is(${FIELDS}), .body .row-button[tabindex="0"]`);
}

function isSingleLine(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === "text" && target.closest(".item, fieldset fieldset") === null;
}

/** Brings a card to the user's notice, if the view has the keyboard; who hears the screen is told instead. */
function useFocusOnce(card: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted && document.hasFocus() && !document.body.classList.contains("vscode-using-screen-reader")) card.current?.focus();
  }, [card, isWanted]);
}
