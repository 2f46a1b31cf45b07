// A run of a plan: what came of each step, with its evidence, and taking it back.
import { type ReactNode, useEffect, useState } from "react";

import type { CheckResult, Execution, ExecutionShown, StepRecord } from "../src/protocol";
import { changedFiles, statusOf } from "../src/text";
import { AdaptationCard } from "./adaptation_card";
import { detailsOf, useOf } from "./chat";
import type { Store } from "./store";
import { Line, Text } from "./text";

interface Props {
  readonly store: Store;
  readonly executionId: string;
  /** As it is by now, where it has moved since it was asked for. */
  readonly moved: Execution | undefined;
  readonly isRunning: boolean;
  /** Whether it can be gone on with here, if it is paused. */
  readonly canContinue: boolean;
}

export function RunCard({ store, executionId, moved, isRunning, canContinue }: Props) {
  const [found, setFound] = useState<ExecutionShown | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    store.host.call("planact.showExecution", { execution_id: executionId }).then(
      (execution) => { if (execution) setFound(execution); },
      () => { setGone(true); },
    );
  }, [store, executionId]);
  const execution = moved ?? found;
  if (execution) return <Run store={store} execution={execution} unsaved={found?.unsaved ?? []} isRunning={isRunning} canContinue={canContinue && execution.status === "paused"} />;
  return <p className="note">{isGone ? "A run whose record is no longer there." : "A run…"}</p>;
}

type RunProps = Pick<Props, "store" | "isRunning" | "canContinue"> & {
  readonly execution: Execution;
  /** Files that it changed and that weren't saved when the card was drawn. */
  readonly unsaved: readonly string[];
};

function Run({ store, execution, unsaved, isRunning, canContinue }: RunProps) {
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const toSave = left ?? unsaved;
  const save = async () => {
    const done = await store.call("planact.saveFiles", { execution_id: execution.id });
    if (done) setLeft(done.unsaved);
  };
  const back = new Set(execution.rollbacks.flatMap(({ steps }) => steps));
  const id = { execution_id: execution.id };
  const canRollBack = changedFiles(execution).length > 0;
  const facts = [seconds(execution.duration), useOf(execution.usage)].filter(Boolean);
  return (
    <article className={`card run ${execution.status}`} aria-label={`Run: ${execution.goal}`}>
      <header>
        <span className="label">Run</span>
        <span className="status">{statusOf(execution)}</span>
        <span className="detail" title={detailsOf(execution.usage)}>{facts.join(" · ")}</span>
      </header>
      <h3>
        <Line text={execution.goal || "Work without a plan"} />
      </h3>
      {execution.reason && execution.status !== "success" && (
        <p className={execution.status === "paused" ? "detail" : "problem"}>
          <Line text={execution.reason} />
        </p>
      )}
      <ol>
        {execution.steps.map((record, index) => (
          <RecordRow key={index} store={store} executionId={execution.id} record={record} isBack={back.has(record.step_number)} />
        ))}
      </ol>
      {toSave.length > 0 && (
        <p className="detail">
          <span className="label">Not saved</span> {toSave.join(", ")}
        </p>
      )}
      <div className="buttons">
        {toSave.length > 0 && (
          <vscode-button secondary disabled={isRunning} onClick={() => void save()}>Save All</vscode-button>
        )}
        {canContinue && (
          <vscode-button disabled={isRunning} onClick={() => void store.call("planact.resumeExecution", id)}>Continue</vscode-button>
        )}
        {canRollBack && (
          <vscode-button secondary disabled={isRunning} onClick={() => void store.call("planact.rollBack", id)}>
            Roll Back
          </vscode-button>
        )}
        <vscode-button secondary onClick={() => void store.call("editor/showRun", id)}>Report</vscode-button>
      </div>
    </article>
  );
}

/** A check with what it printed; `children` say more about it. */
function Check({ check, children }: { readonly check: CheckResult; readonly children?: ReactNode }) {
  return (
    <details>
      <summary>
        <code>{check.command}</code> <span className={check.passed ? "passed" : "problem"}>{check.passed ? "passed" : check.failed_before ? "failed as before the run" : "failed"}</span> {children}
      </summary>
      <pre tabIndex={0}>
        <code>{check.output}</code>
      </pre>
    </details>
  );
}

interface RecordProps {
  readonly store: Store;
  readonly executionId: string;
  readonly record: StepRecord;
  readonly isBack: boolean;
}

function RecordRow({ store, executionId, record, isBack }: RecordProps) {
  const failed = record.checks.filter((check) => !check.passed && !check.failed_before).length;
  const facts = [
    seconds(record.duration),
    ...(record.files.length > 0 ? [count(record.files.length, "file")] : []),
    ...(record.checks.length > 0 ? [failed > 0 ? `${failed} of ${count(record.checks.length, "check")} failed` : count(record.checks.length, "check")] : []),
    ...(record.repairs.length > 0 ? [count(record.repairs.length, "repair")] : []),
    ...(record.attempt > 1 ? [`attempt ${record.attempt}`] : []),
    ...(record.usage.requests > 0 ? [useOf(record.usage)] : []),
  ];
  return (
    <li value={record.step_number || 1} className={record.status}>
      <details>
        <summary>
          <Line text={record.action} /> <span className="mark">{isBack ? "rolled back" : record.status}</span> <span className="facts">{facts.join(" · ")}</span>
        </summary>
        {record.output && <Text text={record.output} />}
        <ul className="evidence">
          {record.files.map((file) => (
            <li key={file.path}>
              <code>{file.path}</code> <span className="detail">{whatOf(file)}</span>
            </li>
          ))}
          {record.evidence.map((each, index) => (
            <li key={index}>
              {each.tool} <code>{each.about}</code>
              {each.variant_of && (
                <span className="detail">
                  {" "}
                  as <code>{each.variant_of}</code>
                </span>
              )}{" "}
              {each.exit_code !== null && <span className="detail">exit code {each.exit_code}</span>}
            </li>
          ))}
        </ul>
        {record.files.length > 0 && (
          <div className="buttons">
            <vscode-button secondary onClick={() => void store.call("editor/showStepDiff", { execution_id: executionId, step: record.step_number })}>Show Diff</vscode-button>
          </div>
        )}
        {record.uncovered.map((each) => (
          <p key={each} className="detail">
            <span className="label">Can't be rolled back</span> {each}
          </p>
        ))}
        {record.repairs.map(({ number, check, files }) => (
          <Check key={number} check={check}>
            <span className="label">Before repair {number}</span> <span className="detail">{count(files.length, "file")} changed</span>
          </Check>
        ))}
        {record.checks.map((check, index) => (
          <Check key={index} check={check} />
        ))}
      </details>
      {record.error && <p className="problem">{record.error}</p>}
      {record.adaptations.map((adaptation, index) => (
        <AdaptationCard key={index} adaptation={adaptation} />
      ))}
    </li>
  );
}

function whatOf({ before, after, is_covered: isCovered }: StepRecord["files"][number]): string {
  if (!isCovered) return "changed by a command, can't be rolled back";
  if (!before) return "created";
  return after ? "changed" : "deleted";
}

function seconds(duration: number): string {
  return duration < 60 ? `${duration.toFixed(0)} s` : `${Math.floor(duration / 60)} min ${(duration % 60).toFixed(0)} s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
