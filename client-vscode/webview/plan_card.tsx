// A plan: its steps and what can be done with it. What is executed is the text that is shown, by its hash.
import { useEffect, useState } from "react";

import type { PlanShown, Step, StepStatus } from "../src/protocol";
import { Failed } from "./host";
import type { Store } from "./store";
import { Line, Text } from "./text";

const MARKS: Readonly<Record<StepStatus, string>> = { pending: "", running: "running", done: "done", skipped: "skipped", failed: "failed" };

interface Props {
  readonly store: Store;
  readonly planId: string;
  readonly time: string;
  /** How often it has changed. */
  readonly version: number;
  readonly isRunning: boolean;
  /** Whether a question of this conversation waits. */
  readonly isAsked: boolean;
  /** Whether no run of it is told below. */
  readonly isLatest: boolean;
}

export function PlanCard({ store, planId, version, ...others }: Props) {
  const [shown, setShown] = useState<PlanShown | null>(null);
  const [isGone, setGone] = useState(false);
  const { folder } = store.get().chat;
  useEffect(() => {
    let isCurrent = true;
    store.host.call("planact.showPlan", { folder, plan_id: planId }).then(
      (found) => { if (isCurrent && found) { setShown(found); setGone(false); } },
      // while somebody types in it, it may be incomplete
      (error: unknown) => { if (isCurrent && !(error instanceof Failed && error.code === "PLAN_INVALID")) setGone(true); },
    );
    return () => { isCurrent = false; };
  }, [store, folder, planId, version]);
  if (isGone) return <p className="note">A plan that is no longer there.</p>;
  if (!shown) return <p className="note">A plan…</p>;
  return <Card store={store} shown={shown} {...others} />;
}

type CardProps = Omit<Props, "planId" | "version"> & { readonly shown: PlanShown };

function Card({ store, shown, time, isRunning, isAsked, isLatest }: CardProps) {
  const { plan, uri, plan_hash: hash, is_approved: isApproved, comments } = shown;
  const [wish, setWish] = useState<string | null>(null);
  const done = plan.steps.filter((step) => step.status === "done" || step.status === "skipped").length;
  const isOpen = done < plan.steps.length && (isRunning || !isAsked);
  const isContinuedBelow = plan.status === "paused" && !isLatest;
  const status = plan.status === "draft" && isApproved ? "approved" : plan.status;
  const revise = (feedback: string) => {
    setWish(null);
    void store.call("planact.revisePlan", { uri, feedback });
  };
  return (
    <article className="card plan" aria-label={`Plan: ${plan.goal}`}>
      <header>
        <span className="label">Plan</span>
        <span className="status">{done > 0 ? `${status} · ${done} of ${plan.steps.length} done` : status}</span>
        <time dateTime={time}>{clock(time)}</time>
      </header>
      <h3>
        <Line text={plan.goal} />
      </h3>
      {plan.description && <Text text={plan.description} />}
      <Items title="Before it" items={plan.prerequisites} />
      <ol>
        {plan.steps.map((step) => (
          <StepRow key={step.step_number} step={step} />
        ))}
      </ol>
      <Items title={plan.risks.length === 1 ? "Risk" : "Risks"} items={plan.risks} className="risks" />
      {plan.has_infrastructure_changes && <p className="risks">Changes things outside this workspace.</p>}
      {plan.estimated_total_time && <p className="detail">Estimated: {plan.estimated_total_time}</p>}
      {plan.assumptions.length + plan.validation.length > 0 && (
        <details>
          <summary>Assumptions and validation</summary>
          <Items title="Assumed" items={plan.assumptions} />
          <Items title="Checked at the end" items={plan.validation} />
        </details>
      )}
      {wish !== null && (
        <form className="wish" onSubmit={(event) => { event.preventDefault(); revise(wish); }}>
          <label>
            What should be different?
            {comments > 0 && <span className="description">Goes with {countOf(comments)} in the document.</span>}
            <textarea autoFocus rows={2} value={wish} onChange={(event) => { setWish(event.target.value); }} />
          </label>
          <div className="buttons">
            <vscode-button onClick={() => { revise(wish); }}>Revise</vscode-button>
            <vscode-button secondary onClick={() => { setWish(null); }}>Cancel</vscode-button>
          </div>
        </form>
      )}
      <div className="buttons">
        {isOpen && wish === null && (
          <>
            {!isContinuedBelow && (
              <vscode-button disabled={isRunning} onClick={() => void store.call("planact.executePlan", { uri, approve_hash: hash })}>
                {done > 0 || plan.status === "paused" ? "Continue" : "Execute Plan"}
              </vscode-button>
            )}
            {!isApproved && (
              <vscode-button secondary disabled={isRunning} onClick={() => void store.call("planact.approvePlan", { uri, approve_hash: hash })}>
                Approve
              </vscode-button>
            )}
            <vscode-button secondary disabled={isRunning} onClick={() => { setWish(""); }}>
              {comments > 0 ? `Revise (${countOf(comments)})` : "Revise"}
            </vscode-button>
          </>
        )}
        <vscode-button secondary onClick={() => void store.call("editor/open", { uri })}>Open Document</vscode-button>
      </div>
    </article>
  );
}

function StepRow({ step }: { readonly step: Step }) {
  const mark = MARKS[step.status];
  const facts = [step.files.join(", "), step.tools_needed.join(", "), step.estimated_time].filter(Boolean);
  return (
    <li value={step.step_number} className={step.status}>
      <details>
        <summary>
          <Line text={step.action} /> {mark && <span className="mark">{mark}</span>}
          {facts.length > 0 && <span className="facts">{facts.join(" · ")}</span>}
        </summary>
        <dl>
          <Row name="Why" text={step.reason} />
          <Row name="Expect" text={step.expected_outcome} />
          <Row name="Checks" text={step.validation_checks.join("; ")} />
        </dl>
      </details>
    </li>
  );
}

function Row({ name, text }: { readonly name: string; readonly text: string }) {
  if (!text) return null;
  return (
    <div className="row">
      <dt>{name}</dt>
      <dd>
        <Line text={text} />
      </dd>
    </div>
  );
}

function Items({ title, items, className = "" }: { readonly title: string; readonly items: readonly string[]; readonly className?: string }) {
  if (items.length === 0) return null;
  return (
    <div className={className}>
      <h4>{title}</h4>
      <ul>
        {items.map((item, index) => (
          <li key={index}>
            <Line text={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function countOf(comments: number): string {
  return comments === 1 ? "1 comment" : `${comments} comments`;
}

/** The hour and minute here of an ISO time, with the day if it isn't today's. */
function clock(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString([], { timeStyle: "short" }) : date.toLocaleString([], { dateStyle: "short", timeStyle: "short" });
}
