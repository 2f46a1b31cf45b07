// What was said, the newest at the end, and what goes on there. Earlier pages come as the user scrolls up to them.
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type UIEvent } from "react";

import { blocksOf, type Block } from "./blocks";
import type { Chat } from "./chat";
import { useEnd } from "./end";
import { BlockView, FailureLine, type Around } from "./message";
import type { Store, Trace } from "./store";
import { Now } from "./now";
import { usePlace } from "./place";
import { Text } from "./text";
import { Welcome } from "./welcome";

const NEAR_BEGIN_PX = 400;

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  readonly told: string;
  readonly traces: readonly Trace[];
  /** Whether the dock says what there is to do. */
  readonly isQuiet: boolean;
}

export function Transcript({ store, chat, told, traces, isQuiet }: Props) {
  const blocks = useMemo(() => blocksOf(chat.messages, new Set(chat.questions.map((set) => set.question_id))), [chat.messages, chat.questions]);
  const around = useMemo<Around>(() => ({ folder: chat.folder, plans: chat.plans, edits: chat.edits, work: chat.work }), [chat.folder, chat.plans, chat.edits, chat.work.execution_id, chat.work.state]);
  const [current, setCurrent] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const said = blocks.filter(({ kind }) => kind === "user").at(-1)?.id;
  const end = useEnd(list, content, `${chat.session?.id ?? ""} ${said ?? ""}`);
  const labels = useMemo(() => labelsOf(blocks), [blocks]);
  const inHand = blocks.some(({ id }) => id === current) ? current : (blocks.at(-1)?.id ?? "");
  const lastStep = blocks.findLast(({ kind }) => kind === "step")?.id;
  const scrolled = usePlace(list, blocks);
  useOneStop(list, blocks, inHand);
  useEffect(() => { setCurrent(""); }, [chat.session?.id]);
  const loadEarlier = () => {
    // the browser keeps what is shown in its place, but at the very beginning
    if (list.current?.scrollTop === 0) list.current.scrollTop = 1;
    void store.loadEarlier();
  };
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    end.scrolled(currentTarget);
    scrolled();
    if (chat.hasEarlier && currentTarget.scrollTop < NEAR_BEGIN_PX) loadEarlier();
  };
  const onClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest(".fold")) end.left();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    end.moved();
    moveBetween(event, list.current);
  };
  const tracesAfter = (id: string) => traces.filter((trace) => trace.after === id).map(({ trouble }, index) => <FailureLine key={`trace-${index}`} failure={{ code: trouble.code, title: trouble.message, text: "" }} />);
  const shownTraces = new Set(blocks.map(({ id }) => id));
  return (
    <div className="transcript" ref={list} tabIndex={-1} onScroll={onScroll} onWheel={end.moved} onKeyDown={onKeyDown} onPointerDown={end.moved} onClick={onClick}>
      <div ref={content}>
        {chat.hasEarlier && (
          <button type="button" className="link earlier" onClick={loadEarlier}>
            Earlier messages
          </button>
        )}
        {blocks.length === 0 && !chat.stream && !told && <Welcome store={store} chat={chat} isQuiet={isQuiet} />}
        {blocks.length > 0 && (
          <div role="feed" aria-label="Conversation" aria-busy={chat.isRunning}>
            {blocks.map((block, index) => (
              <article key={block.id} aria-label={labels[index]} tabIndex={block.id === inHand ? 0 : -1} onFocus={() => { setCurrent(block.id); }}>
                <BlockView
                  block={block}
                  store={store}
                  around={block.kind === "plan" || block.kind === "run" ? around : undefined}
                  execution={block.kind === "run" || block.kind === "step" ? chat.executions[block.executionId] : undefined}
                  isLast={block.id === lastStep}
                />
                {tracesAfter(block.id)}
              </article>
            ))}
          </div>
        )}
        {traces.filter((trace) => !shownTraces.has(trace.after)).map(({ trouble }, index) => <FailureLine key={index} failure={{ code: trouble.code, title: trouble.message, text: "" }} />)}
        {told && (
          <div className="told">
            <Text text={told} />
          </div>
        )}
        <Now store={store} chat={chat} />
      </div>
    </div>
  );
}

/** "You, 10:02", "Planact, 10:02, 2 of 7": who, when, and which of the turn. */
function labelsOf(blocks: readonly Block[]): readonly string[] {
  const labels: string[] = [];
  for (let at = 0; at < blocks.length; ) {
    const block = blocks[at];
    if (block?.kind === "user") {
      labels.push(`You, ${clock(block.time)}`);
      at += 1;
      continue;
    }
    const next = blocks.findIndex(({ kind }, index) => index > at && kind === "user");
    const turn = blocks.slice(at, next < 0 ? undefined : next);
    labels.push(...turn.map(({ time }, index) => `Planact, ${clock(time)}, ${index + 1} of ${turn.length}`));
    at += turn.length;
  }
  return labels;
}

function clock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString([], { timeStyle: "short" });
}

const REACHED = "a[href], button, [tabindex='0']:not(article)";

/** The conversation is one stop of the Tab key: what is inside is reached from the entry in hand alone. */
function useOneStop(list: { readonly current: HTMLDivElement | null }, blocks: readonly Block[], inHand: string): void {
  useLayoutEffect(() => {
    for (const entry of list.current?.querySelectorAll("article") ?? []) {
      const isInHand = entry.tabIndex === 0;
      for (const each of entry.querySelectorAll<HTMLElement>(isInHand ? "[data-unreached]" : REACHED)) {
        each.tabIndex = isInHand ? 0 : -1;
        if (isInHand) delete each.dataset["unreached"];
        else each.dataset["unreached"] = "";
      }
    }
  }, [list, blocks, inHand]);
}

/** ↑ ↓ go from entry to entry, Home and End to the first and the last; Enter opens what is folded. */
function moveBetween(event: KeyboardEvent<HTMLDivElement>, list: HTMLDivElement | null): void {
  const entry = (event.target as HTMLElement).closest("article");
  if (!list || !entry || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const entries = [...list.querySelectorAll<HTMLElement>("article")];
  const at = entries.indexOf(entry);
  const goTo = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: entries.length - 1 }[event.key];
  if (goTo !== undefined) {
    event.preventDefault();
    entries[goTo]?.focus();
    entries[goTo]?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && event.target === entry) {
    event.preventDefault();
    entry.querySelector<HTMLElement>(".fold, button")?.click();
  }
}
