// The sessions there are: to go on with one, to name it, to delete it.
import { useEffect, useRef, useState } from "react";

import type { Session } from "../src/protocol";
import type { Store } from "./store";

interface Props {
  readonly store: Store;
  readonly sessions: readonly Session[];
  readonly current: string;
  readonly close: () => void;
}

export function Sessions({ store, sessions, current, close }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector("button")?.focus();
  }, []);
  return (
    <ul className="sessions" ref={list} aria-label="Sessions">
      {sessions.length === 0 && <li className="note">No sessions yet. One begins with your first message.</li>}
      {sessions.map((session) => (
        <SessionRow key={session.id} store={store} session={session} isCurrent={session.id === current} close={close} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly store: Store;
  readonly session: Session;
  readonly isCurrent: boolean;
  readonly close: () => void;
}

function SessionRow({ store, session, isCurrent, close }: RowProps) {
  const [title, setTitle] = useState<string | null>(null);
  const id = { session_id: session.id };
  const name = session.title || "Untitled";
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
      <button type="button" className="link name" title={name} onClick={() => { close(); void store.call("planact.openSession", id); }}>
        {name}
      </button>
      <span className="detail">
        {session.mode === "act" ? "Act · " : ""}
        {new Date(session.updated_at || session.created_at).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}
      </span>
      <span className="gap" />
      <button type="button" className="link" aria-label={`Rename ${name}`} onClick={() => { setTitle(session.title); }}>
        Rename
      </button>
      <button type="button" className="link" aria-label={`Delete ${name}`} onClick={() => { close(); void store.call("planact.deleteSession", id); }}>
        Delete
      </button>
    </li>
  );
}
