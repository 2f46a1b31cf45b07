// What stands where nothing was said yet: what planact does, what can be tried, and what was done last.
import { useEffect, useState } from "react";

import { DEMO_MODEL } from "../src/bridge";
import type { Session } from "../src/protocol";
import type { Chat } from "./chat";
import { counted } from "./call_shown";
import type { Store } from "./store";
import type { Work } from "../src/protocol";

const MOST_RECENT = 3;

export function Welcome({ store, chat, isQuiet }: { readonly store: Store; readonly chat: Chat; readonly isQuiet: boolean }) {
  const isReady = chat.server.condition === "running" && !chat.missing;
  if (chat.server.condition === "starting") return <p className="muted">The server starts…</p>;
  return (
    <div className="welcome">
      <p>Say what should change. Planact reads the code and writes a plan. You edit it, approve it, and only then it is carried out.</p>
      {(isReady || !isQuiet) && (
        <>
          <Try store={store} chat={chat} />
          <Recent store={store} chat={chat} />
        </>
      )}
    </div>
  );
}

/** It fills the input, and sends nothing. */
function Try({ store, chat: { surroundings, model } }: { readonly store: Store; readonly chat: Chat }) {
  const { path, problems, isEmpty } = surroundings;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const begin = model === DEMO_MODEL ? "Show me how Planact works" : isEmpty ? "Plan a small program to begin with" : "Explain how this project works";
  const wishes = [
    { text: begin, wish: begin },
    ...(path && problems > 0 ? [{ text: `Plan a fix for the ${counted(problems, "problem")} in ${name}`, wish: `Plan a fix for the ${counted(problems, "problem")} in @${path} @problems` }] : []),
    ...(path ? [{ text: `Plan tests for ${name}`, wish: `Plan tests for @${path}` }] : []),
  ];
  return (
    <section aria-label="Try">
      <h2>Try</h2>
      {wishes.map(({ text, wish }) => (
        <button key={text} type="button" className="line-button link-text" onClick={() => { store.wished(wish); }}>
          <span className="text">{text}</span>
        </button>
      ))}
    </section>
  );
}

function Recent({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const { folder, session } = chat;
  useEffect(() => {
    let isCurrent = true;
    store.host.call("planact.listSessions", { folder }).then(
      (found) => { if (isCurrent) setSessions(found?.sessions ?? []); },
      () => undefined,
    );
    return () => { isCurrent = false; };
  }, [store, folder, session?.id]);
  const recent = sessions.filter(({ id, title }) => id !== session?.id && title).slice(0, MOST_RECENT);
  if (recent.length === 0) return null;
  return (
    <section aria-label="Recent">
      <h2>Recent</h2>
      {recent.map(({ id, title }) => (
        <button key={id} type="button" className="line-button" title={title} onClick={() => void store.call("planact.openSession", { session_id: id })}>
          <span className="text">{title}</span>
          <span className="muted">{stateOf(chat.works.find((work) => work.session_id === id))}</span>
        </button>
      ))}
    </section>
  );
}

/** `paused 2/4`, `done`. */
function stateOf(work: Work | undefined): string {
  if (!work || work.state === "idle") return "";
  const word = WORDS[work.state] ?? "running";
  return work.of > 0 && STOPPED.has(work.state) ? `${word} ${work.step}/${work.of}` : word;
}

const STOPPED: ReadonlySet<Work["state"]> = new Set(["paused", "interrupted", "running", "repairing", "waiting_approval", "waiting_question", "failed", "no_answer"]);
const WORDS: Readonly<Partial<Record<Work["state"], string>>> = {
  waiting_approval: "waits",
  waiting_question: "waits",
  to_review: "to review",
  changed: "changed",
  outdated: "out of date",
  no_answer: "no answer",
  failed: "failed",
  paused: "paused",
  interrupted: "interrupted",
  done: "done",
  partly: "partly done",
  nothing_done: "nothing done",
  rolled_back: "rolled back",
};
