// Calls of tools: one line for all that stand together, openable; refusals can be seen without opening anything.
import { differenceOf, subjectOf, summaryOf, type CallShown } from "./blocks";
import { Difference } from "./text";

export function Calls({ calls }: { readonly calls: readonly CallShown[] }) {
  const refused = calls.filter(({ problem }) => problem?.isRefusal);
  return (
    <section className="calls" aria-label="Tool calls">
      <details>
        <summary>
          {summaryOf(calls)}
          {calls.some(({ result }) => result === undefined) && <span className="running"> · running</span>}
        </summary>
        <ul>
          {calls.map((each) => (
            <li key={each.call.id}>
              <One {...each} />
            </li>
          ))}
        </ul>
      </details>
      {refused.map(({ call, problem }) => (
        <p key={call.id} className="refusal">
          <span className="label">Refused</span> <code>{subjectOf(call) || call.name}</code> {problem?.message}
        </p>
      ))}
    </section>
  );
}

function One({ call, result, problem }: CallShown) {
  const difference = differenceOf(call);
  return (
    <details>
      <summary>
        <code>{call.name}</code> {subjectOf(call)}
        {problem && <span className="problem"> · {problem.isRefusal ? "refused" : "failed"}</span>}
      </summary>
      {problem && (
        <p className="problem">
          {problem.message} <span className="code">{problem.code}</span>
        </p>
      )}
      {difference && (
        <pre>
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
