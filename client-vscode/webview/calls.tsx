// Calls of tools that ended: one line for all that stand together; what was not run or ran contained says so without being opened.
import { useState, type ReactNode } from "react";

import type { CallsBlock } from "./blocks";
import { containedLine, differenceOf, refusedLine, subjectOf, summaryOf, type CallShown } from "./call_shown";
import { Difference, Highlighted } from "./code";
import { Icon } from "./icons";
import { Text } from "./text";
import { spanOf } from "./work";

export function Calls({ block: { calls, thoughts, thought } }: { readonly block: CallsBlock }) {
  const told = thoughts ? `thought${thought > 0 ? ` ${spanOf(thought)}` : ""}` : "";
  const summary = summaryOf(calls, told);
  const [refused, contained] = [refusedLine(calls), containedLine(calls)];
  const done = calls.filter(({ problem, contained: held }) => !held && !problem?.isRefusal);
  return (
    <div className="calls">
      {summary && (
        <Fold title={summary}>
          {thoughts && (
            <div className="thoughts">
              <Text text={thoughts} />
            </div>
          )}
          <List calls={done} />
        </Fold>
      )}
      {contained && (
        <Fold title={contained}>
          <List calls={calls.filter((each) => each.contained)} />
        </Fold>
      )}
      {refused && (
        <Fold title={refused}>
          <List calls={calls.filter(({ problem }) => problem?.isRefusal)} />
        </Fold>
      )}
    </div>
  );
}

/** One line that opens. */
export function Fold({ title, aside, children }: { readonly title: ReactNode; readonly aside?: ReactNode; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="folded">
      <button type="button" className="fold" aria-expanded={isOpen} title={typeof title === "string" ? title : undefined} onClick={() => { setOpen(!isOpen); }}>
        <Icon name={isOpen ? "chevron-down" : "chevron-right"} />
        <span className="text">{title}</span>
        {aside}
      </button>
      {isOpen && <div className="inside">{children}</div>}
    </div>
  );
}

function List({ calls }: { readonly calls: readonly CallShown[] }) {
  if (calls.length === 0) return null;
  return (
    <ul>
      {calls.map((each, index) => (
        <li key={index}>
          <One {...each} />
        </li>
      ))}
    </ul>
  );
}

function One({ call, result, problem, contained }: CallShown) {
  const difference = differenceOf(call);
  const isCommand = typeof subjectOf(call) === "string" && call.name.endsWith("_command");
  return (
    <Fold
      title={
        <>
          <code>{call.name}</code> {subjectOf(call)}
          {problem && <span className="muted"> · {problem.isRefusal ? "not run" : "failed"}</span>}
          {contained && <span className="muted"> · contained</span>}
        </>
      }
    >
      {problem && (
        <p className="problem">
          {problem.message} {problem.hint} {problem.code && <code>{problem.code}</code>}
        </p>
      )}
      {isCommand && (
        <pre tabIndex={0}>
          <Highlighted language="bash" text={subjectOf(call)} />
        </pre>
      )}
      {difference && (
        <pre tabIndex={0}>
          <Difference text={difference} />
        </pre>
      )}
      {!problem && result && (
        <pre tabIndex={0} className="output">
          <Highlighted language={languageOf(subjectOf(call), call.name)} text={result} />
        </pre>
      )}
    </Fold>
  );
}

/** Of the output of a call that read a file: by the end of its name. */
function languageOf(subject: string, tool: string): string {
  return tool === "read_file" ? (/\.(\w+)$/.exec(subject)?.[1]?.toLowerCase() ?? "") : "";
}
