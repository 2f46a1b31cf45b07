// Calls of tools: one line for all that stand together, openable; what was refused or contained can be seen without opening anything.
import type { ReactNode } from "react";

import { differenceOf, subjectOf, summaryOf, type CallShown } from "./blocks";
import { Difference } from "./text";

interface Props {
  readonly calls: readonly CallShown[];
  readonly isRunning: boolean;
  /** What stands below the calls. */
  readonly children: ReactNode;
}

export function Calls({ calls, isRunning, children }: Props) {
  return (
    <section className="calls" aria-label="Tool calls">
      <details>
        <summary>
          {summaryOf(calls)}
          {isRunning && calls.some(({ result }) => result === undefined) && <span className="running"> · running</span>}
        </summary>
        <ul>
          {calls.map((each, index) => (
            <li key={index}>
              <One {...each} />
            </li>
          ))}
        </ul>
        {children}
      </details>
      {calls.map(({ call, problem, contained }, index) => {
        if (problem?.isRefusal) return <Held key={index} word="Refused" call={call} why={problem.message} />;
        return contained ? <Held key={index} word="Contained" call={call} why={sentence(contained)} /> : null;
      })}
    </section>
  );
}

/** What did not run as it was asked for, and why. */
function Held({ word, call, why }: { readonly word: string; readonly call: CallShown["call"]; readonly why: string }) {
  return (
    <p className="held">
      <span className="label">{word}</span> <code>{subjectOf(call) || call.name}</code> {why}
    </p>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function One({ call, result, problem, contained }: CallShown) {
  const difference = differenceOf(call);
  return (
    <details>
      <summary>
        <code>{call.name}</code> {subjectOf(call)}
        {problem && <span className="mark"> · {problem.isRefusal ? "refused" : "failed"}</span>}
        {contained && <span className="mark"> · contained</span>}
      </summary>
      {problem && (
        <p className="problem">
          {problem.message} {problem.hint} <span className="code">[{problem.code}]</span>
        </p>
      )}
      {difference && (
        <pre tabIndex={0}>
          <Difference text={difference} />
        </pre>
      )}
      {!problem && result && (
        <pre tabIndex={0}>
          <code>{result}</code>
        </pre>
      )}
    </details>
  );
}
