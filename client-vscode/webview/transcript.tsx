// What was said, the newest at the end, and what goes on there. Earlier pages come as the user scrolls up to them.
import { useLayoutEffect, useMemo, useRef, type MouseEvent, type RefObject, type UIEvent } from "react";

import type { ExecutionProgress } from "../src/protocol";
import { AdaptationCard } from "./adaptation_card";
import { blocksOf, type Block } from "./blocks";
import type { Chat, Stream } from "./chat";
import { BlockView } from "./message";
import type { Store } from "./store";
import { NOTHING } from "./stream";
import { Text } from "./text";
import { Welcome } from "./welcome";
import { Working } from "./working";

const NEAR_END_PX = 60;
const NEAR_BEGIN_PX = 400;

export function Transcript({ store, chat, told }: { readonly store: Store; readonly chat: Chat; readonly told: string }) {
  const blocks = useMemo(() => blocksOf(chat.messages, new Set(chat.questions.map((set) => set.question_id))), [chat.messages, chat.questions]);
  const isAsked = chat.questions.some((set) => set.session_id === chat.session?.id);
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const said = blocks.filter(({ kind }) => kind === "user").at(-1)?.id;
  const end = useEnd(list, content, `${chat.session?.id ?? ""} ${said ?? ""}`);
  const loadEarlier = () => {
    // the browser keeps what is shown in its place, but at the very beginning
    if (list.current?.scrollTop === 0) list.current.scrollTop = 1;
    void store.loadEarlier();
  };
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    end.scrolled(currentTarget);
    if (chat.hasEarlier && currentTarget.scrollTop < NEAR_BEGIN_PX) loadEarlier();
  };
  const onClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest("summary")) end.left();
  };
  return (
    <div className="transcript" ref={list} role="log" aria-label="Conversation" tabIndex={0} onScroll={onScroll} onWheel={end.moved} onKeyDown={end.moved} onPointerDown={end.moved} onClick={onClick}>
      <div ref={content}>
        {chat.hasEarlier && (
          <button type="button" className="link earlier" onClick={loadEarlier}>
            Earlier messages
          </button>
        )}
        {blocks.length === 0 && !chat.stream && !told && <Welcome store={store} chat={chat} />}
        {blocks.map((block) => (
          <BlockView
            key={block.id}
            block={block}
            store={store}
            version={block.kind === "plan" ? (chat.plans[block.planId] ?? 0) + chat.edits : 0}
            execution={block.kind === "run" ? chat.executions[block.executionId] : undefined}
            isRunning={chat.isRunning && heedsWork(block)}
            isAsked={isAsked && heedsWork(block)}
          />
        ))}
        {chat.stream && <Writing stream={chat.stream} />}
        {told && (
          <div className="told" role="status">
            <Text text={told} />
          </div>
        )}
        {chat.run && <Adaptations run={chat.run} />}
        {chat.isRunning && (!chat.stream || chat.retry) && <Working text={chat.run?.text ?? "Working…"} retry={chat.retry} isWaiting={isAsked} />}
      </div>
    </div>
  );
}

/** Whether a block looks otherwise while work runs. */
function heedsWork(block: Block): boolean {
  if (block.kind === "calls") return block.calls.some(({ result }) => result === undefined);
  return block.kind === "plan" || block.kind === "run";
}

interface End {
  /** The user may be about to scroll: not all scrolling is theirs. */
  readonly moved: () => void;
  readonly scrolled: (list: HTMLDivElement) => void;
  /** The user looks at something, wherever it is. */
  readonly left: () => void;
}

/** Keeps the end in view, also while what is there grows, until the user goes away from it; with another `cause` it is shown again. */
function useEnd(list: RefObject<HTMLDivElement | null>, content: RefObject<HTMLDivElement | null>, cause: string): End {
  const at = useRef({ isEnd: true, isUsers: false, size: "" });
  useLayoutEffect(() => {
    at.current.isEnd = true;
    const stay = () => {
      if (!list.current || !at.current.isEnd) return;
      list.current.scrollTop = list.current.scrollHeight;
      at.current.size = sizeOf(list.current);
    };
    const observer = new ResizeObserver(stay);
    for (const each of [list.current, content.current]) if (each) observer.observe(each);
    return () => { observer.disconnect(); };
  }, [list, content, cause]);
  return {
    moved: () => { at.current.isUsers = true; },
    scrolled: (element) => {
      const { scrollHeight, scrollTop, clientHeight } = element;
      const isEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      // the browser scrolls too, but only where something has another size than it had at the end
      if (isEnd || at.current.isUsers || at.current.size === sizeOf(element)) at.current = { isEnd, isUsers: !isEnd, size: sizeOf(element) };
    },
    left: () => { at.current.isEnd = false; },
  };
}

function sizeOf({ scrollHeight, clientHeight }: HTMLDivElement): string {
  return `${scrollHeight} ${clientHeight}`;
}

/** An answer as it comes: what stands is left alone. It is read out when it is complete. */
function Writing({ stream: { written, reasoning } }: { readonly stream: Stream }) {
  return (
    <div className="said" aria-live="off">
      {reasoning && written === NOTHING && <p className="note">Thinking…</p>}
      {[...written.whole, written.shown].map((piece, index) => (
        <Text key={index} text={piece} />
      ))}
      {written.rest && <pre className={written.fence ? "rest" : "rest plain"}>{written.rest}</pre>}
    </div>
  );
}

function Adaptations({ run: { execution } }: { readonly run: ExecutionProgress }) {
  return execution.adaptations.map((adaptation, index) => <AdaptationCard key={index} adaptation={adaptation} />);
}
