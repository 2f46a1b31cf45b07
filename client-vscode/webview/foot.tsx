// Below the input: the mode, the folder where there are several, the model, and how full its context is.
import { useId, useRef, useState } from "react";

import type { Mode } from "../src/protocol";
import { Menu } from "./button";
import { costOf, folderName, fullnessOf, type Chat } from "./chat";
import type { Store } from "./store";

const MODES: readonly { readonly mode: Mode; readonly title: string; readonly rights: string }[] = [
  { mode: "plan", title: "Plan", rights: "Plan: explores and writes plans; nothing else can change" },
  { mode: "act", title: "Act", rights: "Act: carries out what you approved, and asks when it must" },
];

const FULL = 80;

export function Foot({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const isEnabled = chat.server.condition === "running";
  const folder = folderName(chat, chat.folder);
  const fullness = fullnessOf(chat);
  return (
    <>
      <div role="group" aria-label="Mode" className="modes">
        {MODES.map(({ mode, title, rights }) => (
          <button key={mode} type="button" aria-pressed={chat.mode === mode} className={mode} title={rights} disabled={!isEnabled} onClick={() => { if (chat.mode !== mode) void store.call("editor/setMode", mode); }}>
            {title}
          </button>
        ))}
      </div>
      {folder && (
        <button type="button" className="name folder" title={`The folder ${folder}: work in another`} aria-label={`Folder ${folder}`} disabled={!isEnabled} onClick={() => void store.command("chooseFolder")}>
          {folder}
        </button>
      )}
      <button type="button" className="name model" title={`${chat.model || "No model is chosen"}: choose another`} disabled={!isEnabled} onClick={() => void store.command("setModel")}>
        {shortName(chat.model) || "no model"}
      </button>
      {fullness !== undefined && <Ring store={store} chat={chat} percent={Math.min(100, Math.round(fullness * 100))} />}
    </>
  );
}

/** How full the context is; a click offers to make it shorter, and what all of it cost. */
function Ring({ store, chat, percent }: { readonly store: Store; readonly chat: Chat; readonly percent: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const session = chat.session?.id ?? "";
  const label = [`${percent} % of the context`, ...(chat.session ? [costOf(chat.session.usage)] : [])].filter(Boolean).join(" · ");
  const say = (word: string) => () => void store.send(session, word, []);
  const isFull = percent >= FULL;
  return (
    <>
      <button ref={opener} type="button" className={isFull ? "ring full" : "ring"} aria-haspopup="menu" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} aria-label={label} title={`${label} in this session`} onClick={() => { setOpen(!isOpen); }}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" className="all" />
          <circle cx="8" cy="8" r="6" className="used" pathLength="100" strokeDasharray={`${percent} 100`} transform="rotate(-90 8 8)" />
        </svg>
        {isFull && <span>{percent} %</span>}
      </button>
      {isOpen && opener.current && (
        <Menu
          id={id}
          label="Context"
          opener={opener.current}
          actions={[
            { label: "Compact Now", act: say("/compact") },
            { label: "Show Cost", act: say("/cost") },
          ]}
          close={(isBack) => { setOpen(false); if (isBack) opener.current?.focus(); }}
        />
      )}
    </>
  );
}

/** The last part of a model's name, which tells it apart. */
function shortName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).replace(/^scripted:/, "");
}
