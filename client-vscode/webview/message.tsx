// One block of the conversation: what was said by whom, calls, a plan, a step, an end, an error, a remark.
import { memo, type ReactNode } from "react";

import { isSame, withHint, type Block, type FailureTold, type Piece, type StepBlock, type UserBlock } from "./blocks";
import { Calls, Fold } from "./calls";
import { Copy } from "./code";
import type { Chat } from "./chat";
import { endOf } from "./ending";
import { Icon } from "./icons";
import { addressOf } from "./images";
import { usePlan, useRun } from "./plans";
import { titleOf } from "./question";
import { chosenAs } from "./schema";
import { StepView } from "./step";
import type { Store } from "./store";
import { Line, Text } from "./text";
import { isBusy } from "./work";
import type { Execution, Work } from "../src/protocol";

/** What of the chat a block looks at, beside itself. */
export type Around = Pick<Chat, "folder" | "plans" | "edits" | "work">;

interface Props {
  readonly block: Block;
  readonly store: Store;
  /** Missing where the block is neither a plan nor a run. */
  readonly around: Around | undefined;
  /** The run that it is about, if it has moved since. */
  readonly execution: Execution | undefined;
  /** Of a step: whether it is the last. */
  readonly isLast: boolean;
}

export const BlockView = memo(function BlockView({ block, store, around, execution, isLast }: Props) {
  switch (block.kind) {
    case "step":
      return (
        <StepView store={store} block={block} execution={execution} isLast={isLast}>
          <Pieces block={block} store={store} />
        </StepView>
      );
    default:
      return <PieceView piece={block} store={store} around={around} execution={execution} />;
  }
}, areSame);

function areSame(before: Props, now: Props): boolean {
  const isUnmoved = before.around === now.around && before.execution === now.execution && before.isLast === now.isLast;
  return isUnmoved && isSame(before.block, now.block);
}

function Pieces({ block, store }: { readonly block: StepBlock; readonly store: Store }) {
  return block.pieces.map((piece) => <PieceView key={piece.id} piece={piece} store={store} around={undefined} execution={undefined} />);
}

function PieceView({ piece, store, around, execution }: { readonly piece: Piece; readonly store: Store; readonly around: Around | undefined; readonly execution: Execution | undefined }): ReactNode {
  switch (piece.kind) {
    case "user":
      return <Said block={piece} />;
    case "said":
      return (
        <div className="said">
          {piece.delegate && <span className="muted">{piece.delegate}</span>}
          <Text text={piece.text} />
          <Copy text={piece.text} className="on-hover" />
        </div>
      );
    case "calls":
      return <Calls block={piece} />;
    case "plan":
      return around && <PlanLine store={store} planId={piece.planId} around={around} />;
    case "run":
      return <End store={store} executionId={piece.executionId} moved={execution} work={around?.work} />;
    case "failure":
      return <FailureLine failure={piece.failure} />;
    case "repair":
      return (
        <Fold title={piece.title}>
          <Text text={piece.text} />
        </Fold>
      );
    case "note":
      return <Note text={piece.text} />;
  }
}

/** What the user said has a box of its own; an answer is one line with what was asked. */
function Said({ block }: { readonly block: UserBlock }) {
  const { text, images, answer, isQueued } = block;
  if (answer) return <AnswerLine block={block} />;
  return (
    <div className="user">
      <Text text={text} />
      {images.length > 0 && (
        <div className="images">
          {images.map((image, index) => (
            <img key={index} src={addressOf(image)} alt={`Image ${index + 1}`} />
          ))}
        </div>
      )}
      {isQueued && <span className="muted">It is read at the next safe point.</span>}
    </div>
  );
}

const REJECTIONS: ReadonlySet<unknown> = new Set(["reject_once", "reject_and_stop"]);

/** `How are half cents rounded? Half even`, of several questions each in a line, and what became of each file. */
function AnswerLine({ block: { answer, asked = [] } }: { readonly block: UserBlock }) {
  if (!answer) return null;
  const isNo = Object.values(answer.answers).some((value) => REJECTIONS.has(value));
  return (
    <div className="answered">
      {Object.entries(answer.answers).map(([name, value]) => {
        const question = asked.find((each) => each.name === name);
        return (
          <p key={name}>
            <span className="muted">
              <Line text={question ? titleOf(question) : name} />
            </span>{" "}
            <span className="given">{wordsOf(chosenAs(question, value))}</span>
          </p>
        );
      })}
      {answer.edits?.map((path) => (
        <p key={path}>
          <span className="muted">{isNo || answer.rejected?.includes(path) ? "rejected" : "allowed"}</span> <code>{path}</code>
        </p>
      ))}
      {answer.comment && <Text text={answer.comment} />}
    </div>
  );
}

/** A value as people write it. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map(wordsOf).join(value.some((each) => typeof each === "object") ? "; " : ", ") || "none";
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${name}: ${wordsOf(inner)}`).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const MOST_STEPS = 6;

/** The plan is the document: here it is named, with its first steps. */
function PlanLine({ store, planId, around }: { readonly store: Store; readonly planId: string; readonly around: Around }) {
  const shown = usePlan(store, { plan_id: planId }, around);
  if (shown === undefined) return <p className="muted">A plan that is no longer there.</p>;
  if (shown === null) return <p className="muted">A plan…</p>;
  const { plan, uri } = shown;
  const open = () => void store.call("editor/open", { uri });
  const more = plan.steps.length - MOST_STEPS;
  return (
    <div className="plan-line">
      <button type="button" className="line-button" aria-label={`Plan: ${plan.goal}`} onClick={open}>
        <Icon name="checklist" />
        <span className="text link-text">
          <Line text={plan.goal} />
        </span>
      </button>
      <ol>
        {plan.steps.slice(0, MOST_STEPS).map((step) => (
          <li key={step.step_number}>
            <span className="number">{step.step_number}</span>
            <span>
              <Line text={step.action} />
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <button type="button" className="link more" onClick={open}>
          {more} more
        </button>
      )}
    </div>
  );
}

interface EndProps {
  readonly store: Store;
  readonly executionId: string;
  readonly moved: Execution | undefined;
  readonly work: Work | undefined;
}

/** How a run ended, and what it did as a document; nothing where it goes on, or waits for an answer after a start. */
function End({ store, executionId, moved, work }: EndProps) {
  const run = useRun(store, executionId, moved);
  if (work?.execution_id === executionId && isBusy(work)) return null;
  if (run === undefined) return <p className="muted">A run whose record is no longer there.</p>;
  if (run === null || run.status === "running") return null;
  const isBad = run.status === "failed";
  return (
    <div className="ended" role="group" aria-label={`Run: ${run.goal || "without a plan"}`}>
      <Icon name={run.rollbacks.length > 0 ? "discard" : isBad ? "error" : run.status === "paused" ? "debug-pause" : "pass"} className={isBad ? "bad" : ""} />
      <span className="words">
        <Line text={endOf(run)} />
      </span>
      <button type="button" className="link" onClick={() => void store.command("showExecutions", { execution: executionId })}>
        Report
      </button>
    </div>
  );
}

/** An error leaves a trace; its code is one click away. */
export function FailureLine({ failure: { title, text, hint = "", code } }: { readonly failure: FailureTold }) {
  return (
    <div className="failed-line">
      <Fold
        title={
          <>
            <Icon name="error" className="bad" /> <Line text={title || text} />
          </>
        }
      >
        <Text text={withHint(title ? text : "", hint)} />
        {code && <code>{code}</code>}
      </Fold>
    </div>
  );
}

const LONG = 400;

/** What planact tells; below its first line, and where that is long, it is folded. */
function Note({ text }: { readonly text: string }) {
  const [first = "", ...rest] = text.trim().split("\n");
  if (rest.length > 0 || first.length > LONG) {
    return (
      <Fold title={<Line text={first.slice(0, LONG)} />}>
        <Text text={first.length > LONG ? text : rest.join("\n")} />
      </Fold>
    );
  }
  return (
    <p className="note">
      <Line text={text} />
    </p>
  );
}
