// A step of a run in the conversation: its heading stays in view while it runs, and is one line when it ended.
import { useState, type ReactNode } from "react";

import type { CheckResult, Execution, StepRecord } from "../src/protocol";
import { AdaptationCard } from "./adaptation_card";
import type { StepBlock } from "./blocks";
import { Fold } from "./calls";
import { markOf, recordOf } from "./ending";
import { Icon } from "./icons";
import { useRun } from "./plans";
import type { Store } from "./store";
import { Line } from "./text";

interface Props {
  readonly store: Store;
  readonly block: StepBlock;
  readonly execution: Execution | undefined;
  /** Whether no later attempt of it, and no later step, is there. */
  readonly isLast: boolean;
  readonly children: ReactNode;
}

export function StepView({ store, block: { executionId, number, action, attempt, isNewest }, execution, isLast, children }: Props) {
  const run = useRun(store, executionId, execution);
  const record = recordOf(run, number, attempt, isNewest);
  const mark = run && record ? markOf(run, record) : "";
  const isOver = mark !== "" || !isLast;
  const [toggled, setToggled] = useState<boolean | null>(null);
  const isOpen = toggled ?? !isOver;
  return (
    <section className={`step${isOver ? " over" : ""}`}>
      <h3>
        <button type="button" className="fold" aria-expanded={isOpen} onClick={() => { setToggled(!isOpen); }}>
          {isOver && <Icon name={isOpen ? "chevron-down" : "chevron-right"} />}
          <span className="text">
            {number} <Line text={action} />
          </span>
          {mark && <span className={`muted ${record?.status ?? ""}`}>{mark}</span>}
        </button>
      </h3>
      {record?.adaptations.map((adaptation, index) => <AdaptationCard key={index} adaptation={adaptation} />)}
      {record?.error && record.status === "failed" && (
        <p className="problem">
          <Line text={record.error} />
        </p>
      )}
      {isOpen && (
        <div className="inside">
          {children}
          {isOver && record && <Evidence store={store} executionId={executionId} record={record} />}
        </div>
      )}
    </section>
  );
}

function Evidence({ store, executionId, record }: { readonly store: Store; readonly executionId: string; readonly record: StepRecord }) {
  return (
    <>
      {record.evidence
        .filter(({ variant_of: approved }) => approved)
        .map(({ about, variant_of: approved }, index) => (
          <p key={index} className="muted">
            Ran <code>{about}</code>, a variant of <code>{approved}</code>
          </p>
        ))}
      {record.checks.map((check, index) => <Check key={index} check={check} />)}
      {record.status === "done" && record.unchanged.map((path) => (
        <p key={path} className="muted">
          Named and not changed: <code>{path}</code>
        </p>
      ))}
      {record.uncovered.map((each) => (
        <p key={each} className="muted">
          Can't be rolled back: {each}
        </p>
      ))}
      {record.files.length > 0 && (
        <button type="button" className="link" onClick={() => void store.command("showStepDiff", { execution: executionId, step: record.step_number })}>
          Show Diff
        </button>
      )}
    </>
  );
}

function Check({ check }: { readonly check: CheckResult }) {
  return (
    <Fold
      title={
        <>
          <code>{check.command}</code> {check.passed ? "passed" : check.failed_before ? "failed as before the run" : "failed"}
        </>
      }
    >
      <pre tabIndex={0} className="output">
        <code>{check.output}</code>
      </pre>
    </Fold>
  );
}
