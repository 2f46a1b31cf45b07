// The mode, the model, what it cost so far and how full its context is; and the way to other sessions.
import { useRef, useState } from "react";

import type { Mode, Session } from "../src/protocol";
import { costOf, detailsOf, folderName, fullnessOf, type Chat } from "./chat";
import { Sessions } from "./sessions";
import type { Store } from "./store";

const MODES: readonly { readonly mode: Mode; readonly title: string; readonly rights: string }[] = [
  { mode: "plan", title: "Plan", rights: "Plan: explores and writes plans; nothing else can change" },
  { mode: "act", title: "Act", rights: "Act: carries out what you approved, and asks when it must" },
];

export function Header({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const [sessions, setSessions] = useState<readonly Session[] | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const show = async () => {
    setSessions(sessions ? null : ((await store.call("planact.listSessions", { folder: chat.folder }))?.sessions ?? []));
  };
  const close = () => {
    setSessions(null);
    opener.current?.focus();
  };
  const fullness = fullnessOf(chat);
  const folder = folderName(chat, chat.folder);
  const isEnabled = chat.condition === "running";
  return (
    <header className="top" onKeyDown={(event) => { if (event.key === "Escape" && sessions) close(); }}>
      <div className="row">
        <div role="group" aria-label="Mode" className="modes">
          {MODES.map(({ mode, title, rights }) => (
            <button
              key={mode}
              type="button"
              aria-pressed={chat.mode === mode}
              className={mode}
              title={rights}
              disabled={!isEnabled}
              onClick={() => { if (chat.mode !== mode) void store.call("editor/setMode", mode); }}
            >
              {title}
            </button>
          ))}
        </div>
        <span className="gap" />
        <button ref={opener} type="button" className="link" aria-expanded={sessions !== null} disabled={!isEnabled} onClick={() => void show()}>
          Sessions
        </button>
        <button type="button" className="link" title="Begin a new session" disabled={!isEnabled} onClick={() => void store.call("planact.newSession", { folder: chat.folder })}>
          New
        </button>
      </div>
      <div className="row use">
        {folder && (
          <button type="button" className="link folder" title={`The folder ${folder}: work in another`} aria-label={`Folder ${folder}`} disabled={!isEnabled} onClick={() => void store.call("editor/chooseFolder", null)}>
            {folder}
          </button>
        )}
        <button type="button" className="link model" title={`${chat.model || "No model is chosen"}: choose another`} disabled={!isEnabled} onClick={() => void store.call("editor/chooseModel", null)}>
          {shortName(chat.model) || "no model"}
        </button>
        <span className="gap" />
        <span className="detail" title={chat.session ? `What this session has used so far: ${detailsOf(chat.session.usage)}` : ""}>
          {chat.session ? costOf(chat.session.usage) : ""}
        </span>
        {fullness !== undefined && <Gauge fullness={fullness} />}
      </div>
      {sessions && <Sessions store={store} sessions={sessions} current={chat.session?.id ?? ""} close={close} />}
    </header>
  );
}

function Gauge({ fullness }: { readonly fullness: number }) {
  const percent = Math.min(100, Math.round(fullness * 100));
  const label = `The context is ${percent} % full`;
  return (
    <span role="meter" className="gauge" aria-label="Context in use" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-valuetext={label} title={`${label}: so much of what the model can read at once is in use. /compact shortens it.`}>
      <span className={percent >= 80 ? "full" : ""} style={{ width: `${percent}%` }} />
    </span>
  );
}

/** The last part of a model's name, which tells it apart. */
function shortName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}
