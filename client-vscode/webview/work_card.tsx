// A run that stopped or ended, an error that ended a turn, and work of another window, as cards of the dock.
import { useState, type ReactNode } from "react";

import { Button } from "./button";
import { Card } from "./card";
import { withHint, type FailureTold } from "./blocks";
import type { Chat } from "./chat";
import { keyOf, type DockCard, type Trouble } from "./dock_cards";
import { useRun } from "./plans";
import type { Store } from "./store";
import { Line, Text } from "./text";
import type { Work } from "../src/protocol";

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  readonly pager: ReactNode;
}

interface WorkProps extends Props {
  readonly work: Work;
}

/** Paused, interrupted, given up: what there is to do next is to go on. */
export function StoppedCard({ store, chat, work, pager }: WorkProps) {
  const goOn = () => {
    if (work.execution_id) void store.call("planact.resumeExecution", { execution_id: work.execution_id });
    else void store.call("planact.tryAgain", { folder: chat.folder, session_id: work.session_id });
  };
  const isLost = work.state === "no_answer";
  const title = work.title || (isLost ? "The model did not answer" : `Paused in step ${work.step} of ${work.of}`);
  return (
    <Card
      name={title}
      edge={isLost || work.state === "failed" ? "failed" : "act"}
      title={<Line text={title} />}
      aside={pager}
      buttons={
        <>
          <Button rank="primary" onClick={goOn}>{isLost ? "Try Again" : "Continue"}</Button>
          {isLost && <Button rank="link" onClick={() => void store.command("setModel")}>Other Model…</Button>}
          <Changes store={store} work={work} />
          {work.code && <Details code={work.code} />}
        </>
      }
    >
      <p className="muted" role={isLost ? "alert" : undefined}>
        <Line text={work.text || work.reason} />
      </p>
    </Card>
  );
}

/** What it did to files: to look at, to take back. */
function Changes({ store, work }: { readonly store: Store; readonly work: Work }) {
  if (work.files === 0) return null;
  return (
    <>
      <Button rank="link" onClick={() => void store.command("reviewChanges", { execution: work.execution_id })}>Review Changes</Button>
      <Button rank="link" onClick={() => void store.call("planact.rollBack", { execution_id: work.execution_id })}>Roll Back</Button>
    </>
  );
}

const RESULTS: Readonly<Partial<Record<Work["state"], string>>> = { done: "Done", partly: "Partly done", nothing_done: "Nothing was done", rolled_back: "Rolled back" };

/** How a run ended, until the next message or until it is closed. */
export function ResultCard({ store, chat, work, pager }: WorkProps) {
  const title = work.title || (RESULTS[work.state] ?? "");
  const run = useRun(store, work.execution_id, undefined);
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const unsaved = left ?? (run && "unsaved" in run ? run.unsaved : []);
  const save = async () => {
    const done = await store.call("planact.saveFiles", { execution_id: work.execution_id });
    if (done) setLeft(done.unsaved);
  };
  const isBack = work.state === "rolled_back";
  return (
    <Card
      name={title}
      edge={isBack ? "plain" : "act"}
      title={<Line text={title} />}
      aside={pager}
      close={() => { store.close(keyOf({ kind: "result", work })); }}
      buttons={
        <>
          {work.files > 0 && <Button rank="primary" onClick={() => void store.command("reviewChanges", { execution: work.execution_id })}>Review Changes</Button>}
          {work.files > 0 && <Button rank="link" onClick={() => void store.call("planact.rollBack", { execution_id: work.execution_id })}>Roll Back</Button>}
          {unsaved.length > 0 && <Button rank="link" onClick={() => void save()}>Save All</Button>}
          {isBack && work.plan_uri && !chat.surroundings.plans.includes(work.plan_uri) && <Button rank="link" onClick={() => void store.call("editor/open", { uri: work.plan_uri })}>Open Plan</Button>}
        </>
      }
    >
      {work.text && (
        <p className="muted">
          <Line text={work.text} />
        </p>
      )}
      {unsaved.length > 0 && <p className="muted">Not saved: {unsaved.join(", ")}</p>}
    </Card>
  );
}

export function ElsewhereCard({ pager }: Props) {
  return (
    <Card name="A run of another window" title="In another window" aside={pager}>
      <p className="muted">This run belongs to another window. Follow it here; stop or answer it there.</p>
    </Card>
  );
}

/** An error that ended a turn: the conversation keeps it. */
export function FailureCard({ store, chat, pager, card: { id, failure } }: Props & { readonly card: Extract<DockCard, { kind: "failure" }> }) {
  const session = { folder: chat.folder, session_id: chat.session?.id ?? "" };
  const tryAgain = failure.can_try_again ? () => void store.call("planact.tryAgain", session) : undefined;
  return <Failure store={store} failure={failure} pager={pager} tryAgain={tryAgain} close={() => { store.close(keyOf({ kind: "failure", id, failure })); }} />;
}

/** Something that the user wanted and that could not be done. */
export function TroubleCard({ store, trouble, pager }: Props & { readonly trouble: Trouble }) {
  const [title = "", ...rest] = trouble.message.split(/(?<=[.!?])\s+/);
  return <Failure store={store} failure={{ code: trouble.code, title, text: rest.join(" ") }} pager={pager} close={() => { store.forgetTrouble(); }} />;
}

interface FailureProps {
  readonly store: Store;
  readonly failure: FailureTold;
  readonly pager: ReactNode;
  readonly tryAgain?: (() => void) | undefined;
  readonly close: () => void;
}

function Failure({ store, failure: { code, title, text, hint = "" }, pager, tryAgain, close }: FailureProps) {
  const needsKey = code === "MODEL_KEY_MISSING" || code === "MODEL_KEY_REFUSED";
  const needsModel = !needsKey && code.startsWith("MODEL_");
  return (
    <Card
      name={title}
      edge="failed"
      title={<Line text={title.replace(/\.$/, "")} />}
      aside={pager}
      close={close}
      buttons={
        <>
          {tryAgain && <Button rank="primary" onClick={tryAgain}>Try Again</Button>}
          {needsKey && <Button rank={tryAgain ? "link" : "primary"} onClick={() => void store.command("setKey")}>Enter Key…</Button>}
          {(needsModel || needsKey) && <Button rank="link" onClick={() => void store.command("setModel")}>Other Model…</Button>}
          {code && <Details code={code} />}
        </>
      }
    >
      <div className="muted" role="alert">
        <span className="unseen">{title}</span>
        <Text text={withHint(text, hint)} />
      </div>
    </Card>
  );
}

/** The code, for who looks it up. */
function Details({ code }: { readonly code: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button link" aria-expanded={isOpen} onClick={() => { setOpen(!isOpen); }}>
        Details
      </button>
      {isOpen && <code>{code}</code>}
    </>
  );
}
