// The whole view: header, transcript, questions that wait, and the place to write.
import { memo, useEffect, useLayoutEffect, useMemo, useRef, type UIEvent } from "react";

import { blocksOf, type Block } from "./blocks";
import { Calls } from "./calls";
import { costOf, type Chat } from "./chat";
import { Composer } from "./composer";
import { Header } from "./header";
import { PlanCard } from "./plan_card";
import { QuestionCard } from "./question_card";
import { RunCard } from "./run_card";
import { useView, type Store, type Trouble } from "./store";
import { Line, Text } from "./text";

const NEAR_END_PX = 60;

export function App({ store }: { readonly store: Store }) {
  const { chat, told, trouble } = useView(store);
  const isEnabled = chat.condition === "running";
  return (
    <>
      <Header store={store} chat={chat} />
      <Transcript store={store} chat={chat} told={told} />
      {trouble && <TroubleBar store={store} trouble={trouble} />}
      <Questions store={store} chat={chat} />
      <Composer store={store} sessionId={chat.session?.id ?? ""} isWorking={chat.isRunning} isEnabled={isEnabled} />
    </>
  );
}

function Transcript({ store, chat, told }: { readonly store: Store; readonly chat: Chat; readonly told: string }) {
  const blocks = useMemo(() => blocksOf(chat.messages), [chat.messages]);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  });
  useEffect(() => {
    isAtEnd.current = true;
  }, [chat.session?.id]);
  useEffect(() => {
    const stayAtEnd = () => {
      if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
    };
    window.addEventListener("resize", stayAtEnd);
    return () => { window.removeEventListener("resize", stayAtEnd); };
  }, []);
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };
  return (
    <div className="transcript" ref={list} role="log" aria-label="Conversation" tabIndex={0} onScroll={onScroll}>
      {chat.hasEarlier && (
        <button type="button" className="link" onClick={() => void store.loadEarlier()}>
          Earlier messages
        </button>
      )}
      {blocks.length === 0 && !chat.stream && !told && <Welcome chat={chat} />}
      {blocks.map((block) => (
        <BlockView key={block.id} block={block} store={store} version={block.kind === "plan" ? (chat.plans[block.planId] ?? 0) : 0} isRunning={chat.isRunning} />
      ))}
      {chat.stream && (
        <div className="said">
          {chat.stream.reasoning && !chat.stream.text && <p className="note">Thinking…</p>}
          <Text text={chat.stream.text} />
        </div>
      )}
      {told && (
        <div className="told" role="status">
          <Text text={told} />
        </div>
      )}
      {chat.isRunning && !chat.stream && (
        <p className="working" role="status">
          <vscode-progress-ring aria-hidden="true" />
          <span>
            <Line text={chat.run?.text ?? "Working…"} />
          </span>
        </p>
      )}
    </div>
  );
}

interface BlockProps {
  readonly block: Block;
  readonly store: Store;
  readonly version: number;
  readonly isRunning: boolean;
}

const BlockView = memo(function BlockView({ block, store, version, isRunning }: BlockProps) {
  switch (block.kind) {
    case "user":
      return (
        <div className="user">
          <span className="label">{block.isAnswer ? "Your answer" : block.isQueued ? "You, queued" : "You"}</span>
          <Text text={block.text} />
        </div>
      );
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
          {block.usage && <span className="detail">{costOf(block.usage)}</span>}
        </div>
      );
    case "calls":
      return <Calls calls={block.calls} />;
    case "plan":
      return <PlanCard store={store} planId={block.planId} time={block.time} version={version} isRunning={isRunning} />;
    case "run":
      return <RunCard store={store} executionId={block.executionId} />;
    case "note":
      return (
        <p className={block.isStep ? "step" : "note"}>
          <Line text={block.text} />
        </p>
      );
  }
});

function Questions({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  if (chat.questions.length === 0) return null;
  const own = chat.session?.id;
  const sets = [...chat.questions].sort((a, b) => Number(b.session_id === own) - Number(a.session_id === own));
  return (
    <div className="waiting" role="region" aria-label="Questions" aria-live="polite">
      {sets.map((set) => (
        <QuestionCard key={set.question_id} store={store} set={set} />
      ))}
    </div>
  );
}

function Welcome({ chat }: { readonly chat: Chat }) {
  if (chat.condition !== "running") return <p className="note">{chat.condition === "starting" ? "The server starts…" : "The server is not running."}</p>;
  return (
    <div className="welcome">
      <p>Say what you want done. Planact explores, then writes a plan that you can edit and approve. In Plan, nothing else can change.</p>
    </div>
  );
}

function TroubleBar({ store, trouble }: { readonly store: Store; readonly trouble: Trouble }) {
  const needsModel = trouble.code === "MODEL_NOT_CHOSEN" || trouble.code === "MODEL_UNKNOWN";
  return (
    <div className="trouble" role="alert">
      <p>{trouble.message}</p>
      <div className="buttons">
        {needsModel && <vscode-button onClick={() => void store.call("editor/chooseModel", null)}>Choose Model</vscode-button>}
        <vscode-button secondary onClick={() => { store.forgetTrouble(); }}>Close</vscode-button>
      </div>
    </div>
  );
}
