// One block of the conversation: what was said by whom, calls, a plan, a run, a remark.
import { memo } from "react";

import { AnswerGiven } from "./answer_given";
import { isSame, type Block, type UserBlock } from "./blocks";
import { Calls } from "./calls";
import { detailsOf, useOf } from "./chat";
import { addressOf } from "./images";
import { PlanCard } from "./plan_card";
import { RunCard } from "./run_card";
import type { Store } from "./store";
import { Line, Text } from "./text";
import type { Execution, Usage } from "../src/protocol";

interface Props {
  readonly block: Block;
  readonly store: Store;
  /** How often the plan that it is about has changed. */
  readonly version: number;
  /** The run that it is about, if it has moved since. */
  readonly execution: Execution | undefined;
  readonly isRunning: boolean;
  /** Whether a question waits: what there is to do next is to answer it. */
  readonly isAsked: boolean;
}

export const BlockView = memo(function BlockView({ block, store, version, execution, isRunning, isAsked }: Props) {
  switch (block.kind) {
    case "user":
      return <Said block={block} />;
    case "said":
      return (
        <div className="said">
          {block.delegate && <span className="label">{block.delegate}</span>}
          {block.reasoning && (
            <details className="reasoning">
              <summary>Thoughts</summary>
              <Text text={block.reasoning} />
            </details>
          )}
          <Text text={block.text} />
          {block.usage && <Use usage={block.usage} />}
        </div>
      );
    case "calls":
      return (
        <Calls calls={block.calls} isRunning={isRunning}>
          {block.usage && <Use usage={block.usage} />}
        </Calls>
      );
    case "plan":
      return <PlanCard store={store} planId={block.planId} time={block.time} version={version} isRunning={isRunning} isAsked={isAsked} isLatest={block.isLatest} />;
    case "run":
      return <RunCard store={store} executionId={block.executionId} moved={execution} isRunning={isRunning} canContinue={block.isLatest && !isAsked} />;
    case "note":
      return (
        <>
          <Note text={block.text} isStep={block.isStep} />
          {block.usage && <Use usage={block.usage} />}
        </>
      );
  }
}, areSame);

function areSame(before: Props, now: Props): boolean {
  const isUnmoved = before.version === now.version && before.execution === now.execution;
  return isUnmoved && before.isRunning === now.isRunning && before.isAsked === now.isAsked && isSame(before.block, now.block);
}

/** What was used for something. */
function Use({ usage }: { readonly usage: Usage }) {
  return (
    <span className="detail used" title={detailsOf(usage)}>
      {useOf(usage)}
    </span>
  );
}

function Said({ block: { text, images, answer, asked, isQueued } }: { readonly block: UserBlock }) {
  return (
    <div className="user">
      <span className="label">{answer ? "Your answer" : isQueued ? "You, queued" : "You"}</span>
      {answer ? <AnswerGiven answer={answer} asked={asked ?? []} /> : <Text text={text} />}
      {images.length > 0 && (
        <div className="images">
          {images.map((image, index) => (
            <img key={index} src={addressOf(image)} alt={`Image ${index + 1}`} />
          ))}
        </div>
      )}
    </div>
  );
}

const LONG = 400;

/** What planact tells; what is long, such as what stands for an earlier part of the conversation, is folded. */
function Note({ text, isStep }: { readonly text: string; readonly isStep: boolean }) {
  if (text.length > LONG && !isStep) {
    return (
      <details className="note">
        <summary>
          <Line text={text.slice(0, text.search(/\n|$/)).slice(0, LONG)} />
        </summary>
        <Text text={text} />
      </details>
    );
  }
  return (
    <p className={isStep ? "step" : "note"}>
      <Line text={text} />
    </p>
  );
}
