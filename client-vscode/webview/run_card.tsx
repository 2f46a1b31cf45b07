// A run of a plan: what came of each step, with its evidence.
import { useEffect, useState } from "react";

import type { Execution, StepRecord } from "../src/protocol";
import { costOf } from "./chat";
import type { Store } from "./store";
import { Line, Text } from "./text";

export function RunCard({ store, executionId }: { readonly store: Store; readonly executionId: string }) {
  const [execution, setExecution] = useState<Execution | null>(null);
  useEffect(() => {
    store.host.call("planact.showExecution", { execution_id: executionId }).then(
      (found) => { if (found) setExecution(found); },
      () => undefined,
    );
  }, [store, executionId]);
  return execution ? <Run execution={execution} /> : <p className="note">A run…</p>;
}

function Run({ execution }: { readonly execution: Execution }) {
  const status = execution.status.replace("_", " ");
  return (
    <article className={`card run ${execution.status}`} aria-label={`Run: ${execution.goal}`}>
      <header>
        <span className="label">Run</span>
        <span className="status">{status}</span>
        <span className="detail">{costOf(execution.usage)}</span>
      </header>
      <h3>
        <Line text={execution.goal || "Work without a plan"} />
      </h3>
      {execution.reason && execution.status !== "success" && <p className="problem">{execution.reason}</p>}
      <ol>
        {execution.steps.map((record, index) => (
          <RecordRow key={index} record={record} />
        ))}
      </ol>
    </article>
  );
}

function RecordRow({ record }: { readonly record: StepRecord }) {
  const facts = [
    `${record.duration.toFixed(0)} s`,
    ...(record.files.length > 0 ? [count(record.files.length, "file")] : []),
    ...(record.checks.length > 0 ? [count(record.checks.length, "check")] : []),
  ];
  return (
    <li value={record.step_number || 1} className={record.status}>
      <details>
        <summary>
          <Line text={record.action} /> <span className="mark">{record.status}</span> <span className="detail">{facts.join(" · ")}</span>
        </summary>
        {record.error && <p className="problem">{record.error}</p>}
        {record.output && <Text text={record.output} />}
        {record.files.length > 0 && <p className="detail">{record.files.map((file) => file.path).join(", ")}</p>}
        {record.adaptations.map((adaptation, index) => (
          <p key={index} className="adaptation">
            <span className="label">Adapted</span> {adaptation.adapted_action} ({adaptation.reason})
          </p>
        ))}
        {record.checks.map((check, index) => (
          <details key={index}>
            <summary>
              <code>{check.command}</code> <span className={check.passed ? "passed" : "problem"}>{check.passed ? "passed" : "failed"}</span>
            </summary>
            <pre tabIndex={0}>
              <code>{check.output}</code>
            </pre>
          </details>
        ))}
      </details>
    </li>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
