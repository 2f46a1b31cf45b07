// The mode, the model and what it cost so far; and the sessions there are.
import { useState } from "react";

import type { Mode, Session } from "../src/protocol";
import { costOf, type Chat } from "./chat";
import type { Store } from "./store";

const MODES: readonly { readonly mode: Mode; readonly title: string; readonly rights: string }[] = [
  { mode: "plan", title: "Plan", rights: "Explores and writes plans; nothing else can change" },
  { mode: "act", title: "Act", rights: "Carries out what you approved, and asks when it must" },
];

export function Header({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const [sessions, setSessions] = useState<readonly Session[] | null>(null);
  const show = async () => {
    setSessions(sessions ? null : ((await store.call("planact.listSessions", {}))?.sessions ?? []));
  };
  return (
    <header className="top">
      <div role="radiogroup" aria-label="Mode" className="modes">
        {MODES.map(({ mode, title, rights }) => (
          <button
            key={mode}
            type="button"
            role="radio"
            aria-checked={chat.mode === mode}
            className={mode}
            title={rights}
            disabled={chat.condition !== "running"}
            onClick={() => { if (chat.mode !== mode) void store.call("editor/setMode", mode); }}
          >
            {title}
          </button>
        ))}
      </div>
      <button type="button" className="link model" title="Choose the model" onClick={() => void store.call("editor/chooseModel", null)}>
        {shortName(chat.model) || "no model"}
      </button>
      <span className="detail">{chat.session ? costOf(chat.session.usage) : ""}</span>
      {chat.fullness !== undefined && (
        <span className="detail" title="How much of what the model can read at once is in use; /compact shortens it">
          {Math.round(chat.fullness * 100)} % full
        </span>
      )}
      <span className="gap" />
      <button type="button" className="link" aria-expanded={sessions !== null} onClick={() => void show()}>
        Sessions
      </button>
      <button type="button" className="link" onClick={() => void store.call("planact.newSession", {})}>
        New
      </button>
      {sessions && <Sessions store={store} sessions={sessions} current={chat.session?.id ?? ""} close={() => { setSessions(null); }} />}
    </header>
  );
}

interface SessionsProps {
  readonly store: Store;
  readonly sessions: readonly Session[];
  readonly current: string;
  readonly close: () => void;
}

function Sessions({ store, sessions, current, close }: SessionsProps) {
  return (
    <ul className="sessions" aria-label="Sessions">
      {sessions.length === 0 && <li className="note">No sessions yet.</li>}
      {sessions.map((session) => (
        <SessionRow key={session.id} store={store} session={session} isCurrent={session.id === current} close={close} />
      ))}
    </ul>
  );
}

function SessionRow({ store, session, isCurrent, close }: { readonly store: Store; readonly session: Session; readonly isCurrent: boolean; readonly close: () => void }) {
  const [title, setTitle] = useState<string | null>(null);
  const id = { session_id: session.id };
  const rename = (text: string) => {
    close();
    if (text.trim()) void store.call("planact.renameSession", { ...id, title: text });
  };
  if (title !== null) {
    return (
      <li>
        <form className="other" onSubmit={(event) => { event.preventDefault(); rename(title); }}>
          <input type="text" aria-label="Title" autoFocus maxLength={200} value={title} onChange={(event) => { setTitle(event.target.value); }} />
          <vscode-button onClick={() => { rename(title); }}>Rename</vscode-button>
        </form>
      </li>
    );
  }
  return (
    <li aria-current={isCurrent}>
      <button type="button" className="link" onClick={() => { close(); void store.call("planact.openSession", id); }}>
        {session.title || "Untitled"}
      </button>
      <span className="detail">{new Date(session.updated_at || session.created_at).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}</span>
      <button type="button" className="link" onClick={() => { setTitle(session.title); }}>
        Rename
      </button>
      <button type="button" className="link" onClick={() => { close(); void store.call("planact.deleteSession", id); }}>
        Delete
      </button>
    </li>
  );
}

/** The last part of a model's name, which tells it apart. */
function shortName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}
