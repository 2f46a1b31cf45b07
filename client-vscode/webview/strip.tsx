// One line on the run that is open: how far it is, what it is at, and its steps on a click.
import { useState } from "react";

import type { StepStatus } from "../src/protocol";
import type { Chat } from "./chat";
import { Icon, Spinner } from "./icons";
import { usePlan } from "./plans";
import { Since } from "./since";
import type { Store } from "./store";
import { Line } from "./text";
import { isBusy, isOpenRun, stripText } from "./work";
import type { Work } from "../src/protocol";

export function Strip({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const [isOpen, setOpen] = useState(false);
  const { work } = chat;
  if (!isOpenRun(work)) return null;
  const text = stripText(work);
  const since = Date.parse(work.started_at);
  return (
    <div className="strip-area">
      {isOpen && <Steps store={store} chat={chat} />}
      <button
        type="button"
        className="strip"
        aria-expanded={isOpen}
        onClick={() => { setOpen(!isOpen); }}
      >
        <span className="bar" style={{ width: `${(work.finished / work.of) * 100}%` }} />
        <StripIcon work={work} />
        <span className="text">
          <b>
            {work.step}/{work.of}
          </b>{" "}
          <Line text={text} />
        </span>
        {work.elsewhere ? <span className="muted">other window</span> : isBusy(work) && Number.isFinite(since) && <Since since={since} />}
      </button>
      <span
        className="unseen"
        role="progressbar"
        aria-label="Steps done"
        aria-valuemin={0}
        aria-valuemax={work.of}
        aria-valuenow={work.finished}
        aria-valuetext={`Step ${work.step} of ${work.of}, ${text}`}
      />
    </div>
  );
}

function StripIcon({ work: { state } }: { readonly work: Work }) {
  switch (state) {
    case "waiting_approval":
    case "waiting_question":
      return <Icon name="comment-discussion" />;
    case "retrying":
      return <Icon name="watch" />;
    case "failed":
    case "no_answer":
      return <Icon name="error" className="bad" />;
    case "paused":
    case "interrupted":
      return <Icon name="debug-pause" />;
    default:
      return <Spinner />;
  }
}

const WORDS: Readonly<Record<StepStatus, string>> = { pending: "", running: "now", done: "✓", skipped: "skipped", failed: "✗" };

/** Six rows, then it scrolls. */
function Steps({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const shown = usePlan(store, { uri: chat.work.plan_uri }, chat);
  if (!shown) return null;
  return (
    <ol className="strip-steps" tabIndex={0} aria-label="Steps">
      {shown.plan.steps.map((step) => (
        <li key={step.step_number} className={step.status}>
          <span className="number">{step.step_number}</span>
          <span className="text">
            <Line text={step.action} />
          </span>
          <span className="muted">{WORDS[step.status]}</span>
        </li>
      ))}
    </ol>
  );
}
