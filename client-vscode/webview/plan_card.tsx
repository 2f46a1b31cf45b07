// The plan that waits for the user, as a card of the dock. What is executed is the text that is there, by its hash.
import type { ReactNode } from "react";

import type { PlanShown } from "../src/protocol";
import { Button, type Action } from "./button";
import { capital, counted } from "./call_shown";
import { Card } from "./card";
import type { Chat } from "./chat";
import { usePlan } from "./plans";
import type { Store } from "./store";
import { Line } from "./text";
import type { Work } from "../src/protocol";

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  readonly work: Work;
  readonly pager: ReactNode;
}

export function PlanCard({ store, chat, work, pager }: Props) {
  const shown = usePlan(store, { uri: work.plan_uri }, chat);
  if (!shown) return null;
  const { uri, comments, plan_hash: hash } = shown;
  const execute = () => void store.call("planact.executePlan", { uri, approve_hash: hash });
  const open = chat.surroundings.plans.includes(uri) ? null : <Button rank="link" onClick={() => void store.call("editor/open", { uri })}>Open</Button>;
  const difference = (name: "showChanges" | "showFileChanges") => <Button rank="link" onClick={() => void store.command(name, { plan: uri })}>Show Difference</Button>;
  if (work.state === "outdated" && comments === 0) {
    return (
      <Card
        name="Plan out of date"
        edge="major"
        title={work.title}
        aside={pager}
        buttons={
          <>
            <Button rank="primary" onClick={() => void store.call("planact.revisePlan", { uri, feedback: OUTDATED })}>Revise</Button>
            <Button rank="link" onClick={execute}>Execute Anyway</Button>
            {difference("showFileChanges")}
          </>
        }
      >
        <p className="muted">
          <Line text={work.text} />
        </p>
      </Card>
    );
  }
  if (work.state === "changed" && comments === 0) {
    return (
      <Card
        name="Plan changed"
        edge="plan"
        title={work.title || "The plan changed since you approved it"}
        aside={pager}
        buttons={
          <>
            <Button rank="primary" onClick={execute}>Execute What Is There</Button>
            {difference("showChanges")}
            {open}
          </>
        }
      >
        {work.text && (
          <p className="muted">
            <Line text={work.text} />
          </p>
        )}
      </Card>
    );
  }
  return comments > 0 ? <Commented store={store} shown={shown} open={open} pager={pager} /> : <Ready store={store} shown={shown} open={open} execute={execute} pager={pager} />;
}

const OUTDATED = "Files that the plan rests on have changed since. Bring the plan up to date.";

interface CardProps {
  readonly store: Store;
  readonly shown: PlanShown;
  readonly open: ReactNode;
  readonly execute: () => void;
  readonly pager: ReactNode;
}

function Ready({ store, shown: { plan, uri, plan_hash: hash, is_approved: isApproved }, open, execute, pager }: CardProps) {
  const files = new Set(plan.steps.flatMap((step) => step.files)).size;
  const left = plan.steps.filter(({ status }) => status !== "done" && status !== "skipped");
  const done = plan.steps.length - left.length;
  const first = left[0]?.step_number;
  const more: Action[] = [
    ...(first === undefined ? [] : [{ label: `Run Step ${first} Only`, act: () => void store.call("planact.executeStep", { uri, step: first, approve_hash: hash }) }]),
    { label: "With Another Model…", act: () => void store.command("executeWithModel", { plan: uri }) },
    ...(isApproved ? [] : [{ label: "Approve Only", act: () => void store.call("planact.approvePlan", { uri, approve_hash: hash }) }]),
    { label: "Save as Template…", act: () => void store.command("createTemplate", { plan: uri }) },
    { label: "Export…", act: () => void store.command("exportPlan", { plan: uri }) },
  ];
  const title = ["Plan", counted(plan.steps.length, "step"), ...(files > 0 ? [counted(files, "file")] : []), ...(done > 0 ? [`${done} done`] : isApproved ? ["approved"] : [])].join(" · ");
  return (
    <Card
      name={`Plan: ${plan.goal}`}
      edge="plan"
      title={title}
      aside={
        <>
          {plan.estimated_total_time && <span className="muted">{plan.estimated_total_time}</span>}
          {pager}
        </>
      }
      buttons={
        <>
          <Button rank="primary" onClick={execute} more={more}>{done > 0 ? "Continue" : "Execute Plan"}</Button>
          {open}
        </>
      }
    >
      {(plan.risks.length > 0 || plan.has_infrastructure_changes) && (
        <div className="muted">
          {plan.risks.map((risk, index) => (
            <p key={index}>
              Risk: <Line text={risk} />
            </p>
          ))}
          {plan.has_infrastructure_changes && <p>Changes things outside this workspace.</p>}
        </div>
      )}
    </Card>
  );
}

function Commented({ store, shown, open, pager }: Omit<CardProps, "execute">) {
  const { plan, uri, comments, remarks } = shown;
  return (
    <Card
      name={`Plan: ${plan.goal}`}
      edge="plan"
      title={`Plan · ${counted(comments, "comment")}`}
      aside={pager}
      buttons={
        <>
          <Button
            rank="primary"
            onClick={() => void store.call("planact.revisePlan", { uri, feedback: "" })}
            more={[
              { label: "Execute Anyway", act: () => void store.call("planact.executePlan", { uri }) },
              { label: "Remove Comments", act: () => void store.command("removeComments", { plan: uri }) },
            ]}
          >
            {`Revise (${comments})`}
          </Button>
          {open}
        </>
      }
    >
      {remarks.length > 0 && (
        <ul className="remarks">
          {remarks.map(({ line, step, text }, index) => (
            <li key={index}>
              <button type="button" className="line-button" onClick={() => void store.call("editor/open", { uri, line })}>
                <Line text={capital(`${step > 0 ? `step ${step}: ` : ""}${text}`)} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
