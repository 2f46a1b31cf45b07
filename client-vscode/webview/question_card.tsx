// Questions that wait, above the input: by click where one choice answers them, else as a form. Never answered by itself.
import { useRef, useState, type RefObject } from "react";

import type { Option, Question, QuestionPending } from "../src/protocol";
import { AnswerField, type Checked } from "./answer_field";
import { Failed } from "./host";
import { kindOf, oneClickOf } from "./schema";
import type { Store } from "./store";
import { Text } from "./text";

type Answers = Readonly<Record<string, unknown>>;

const SEVERITIES = ["critical", "major", "minor"] as const;
const WORDS = { critical: "Critical", major: "Important", minor: "" };

export function QuestionCard({ store, set }: { readonly store: Store; readonly set: QuestionPending }) {
  const { question_id: id, questions } = set;
  const [problem, setProblem] = useState("");
  const oneClick = oneClickOf(questions);
  const severity = SEVERITIES.find((each) => questions.some((question) => question.severity === each)) ?? "minor";
  const end = async (answering: Promise<unknown>) => {
    try {
      await answering;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      setProblem(error.message);
    }
  };
  const answer = (answers: Answers) => end(store.host.call("planact.answerQuestion", { question_id: id, answers }));
  const decline = () => end(store.host.call("planact.declineQuestion", { question_id: id }));
  return (
    <section className={`card question ${severity}`} aria-label="Question" data-question={id}>
      {WORDS[severity] && <span className="label">{WORDS[severity]}</span>}
      {oneClick ? (
        <OneClick question={oneClick} answer={answer} decline={set.purpose === "agent" ? decline : undefined} />
      ) : (
        <QuestionForm questions={questions} answer={answer} decline={set.purpose === "agent" ? decline : undefined} fail={setProblem} />
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

interface Asked {
  readonly answer: (answers: Answers) => Promise<void>;
  readonly decline: (() => Promise<void>) | undefined;
}

function OneClick({ question, answer, decline }: Asked & { readonly question: Question }) {
  const [other, setOther] = useState<string | null>(null);
  const give = (value: unknown) => void answer({ [question.name]: value });
  return (
    <>
      <Wording question={question} />
      <div className="buttons" role="group">
        {question.options.map((option, index) => (
          <OptionButton key={index} option={option} isFirst={index === 0} isDefault={JSON.stringify(option.value) === JSON.stringify(question.default)} onClick={() => { give(option.value); }} />
        ))}
        {question.allow_custom && other === null && <vscode-button secondary onClick={() => { setOther(""); }}>Other…</vscode-button>}
        {decline && <vscode-button secondary onClick={() => void decline()}>Decline</vscode-button>}
      </div>
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
  readonly isFirst: boolean;
  readonly isDefault: boolean;
  readonly onClick: () => void;
}

function OptionButton({ option, isFirst, isDefault, onClick }: ButtonProps) {
  const isPrimary = option.variant === "primary" || (isFirst && option.variant !== "danger");
  return (
    <vscode-button className={option.variant} secondary={!isPrimary} title={option.description} onClick={onClick}>
      {option.label}
      {isDefault ? " (default)" : ""}
    </vscode-button>
  );
}

function QuestionForm({ questions, answer, decline, fail }: Asked & { readonly questions: readonly Question[]; readonly fail: (problem: string) => void }) {
  const [values, setValues] = useState<Answers>(() => Object.fromEntries(questions.map((question) => [question.name, question.default ?? undefined])));
  const forms = useRef(new Map<string, RefObject<Checked | null>>());
  const formOf = (name: string) => {
    const form = forms.current.get(name) ?? { current: null };
    forms.current.set(name, form);
    return form;
  };
  const submit = () => {
    const valid = [...forms.current.values()].map((form) => form.current?.validateForm() ?? true);
    if (valid.includes(false)) return;
    try {
      void answer(Object.fromEntries(questions.map((question) => [question.name, valueOf(question, values[question.name])])));
    } catch {
      fail("An answer is not JSON.");
    }
  };
  return (
    <form onSubmit={(event) => { event.preventDefault(); submit(); }}>
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
        </fieldset>
      ))}
      <div className="buttons">
        <vscode-button onClick={submit}>Answer</vscode-button>
        {decline && <vscode-button secondary onClick={() => void decline()}>Decline</vscode-button>}
      </div>
    </form>
  );
}

function Wording({ question }: { readonly question: Question }) {
  return (
    <div className="wording">
      <Text text={question.question} />
      {question.context && (
        <div className="context">
          <Text text={question.context} />
        </div>
      )}
    </div>
  );
}

/** What was typed as JSON is sent as what it says. Throws where it says nothing. */
function valueOf(question: Question, value: unknown): unknown {
  return kindOf(question) === "json" && typeof value === "string" ? (JSON.parse(value) as unknown) : value;
}
