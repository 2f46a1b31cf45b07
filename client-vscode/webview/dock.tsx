// The place above the input for what wants the user: one card, and how many more there are.
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { folderName, type Chat } from "./chat";
import { keyOf, type DockCard } from "./dock_cards";
import { PlanCard } from "./plan_card";
import { QuestionCard } from "./question_card";
import { FolderCard, KeyCard, ModelCard, ServerCard, WorkspaceCard } from "./setup_card";
import type { Store } from "./store";
import { ElsewhereCard, FailureCard, ResultCard, StoppedCard, TroubleCard } from "./work_card";

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  readonly cards: readonly DockCard[];
}

export function Dock({ store, chat, cards }: Props) {
  const [chosen, setChosen] = useState("");
  const keys = cards.map(keyOf);
  const first = keys[0] ?? "";
  useEffect(() => { setChosen(""); }, [first]);
  const at = Math.max(0, keys.indexOf(chosen));
  const card = cards[at];
  const shown = keys[at] ?? "";
  const hadKeyboard = useRef(false);
  useLayoutEffect(() => {
    // the card that had the keyboard is gone
    if (hadKeyboard.current && document.activeElement === document.body) store.focus("input");
    hadKeyboard.current = false;
  }, [store, shown]);
  if (!card) return null;
  const pager = cards.length > 1 && (
    <button type="button" className="link pager" aria-label={`${at + 1} of ${cards.length}, show the next`} onClick={() => { setChosen(keys[(at + 1) % keys.length] ?? ""); }}>
      {at + 1} of {cards.length} ›
    </button>
  );
  return (
    <div
      className="dock"
      data-card={card.kind}
      role="region"
      aria-label="What wants you"
      onFocus={() => { hadKeyboard.current = true; }}
      onBlur={({ currentTarget, relatedTarget }) => { hadKeyboard.current = currentTarget.contains(relatedTarget); }}
    >
      <Shown key={shown} store={store} chat={chat} card={card} pager={pager} />
    </div>
  );
}

function Shown({ store, chat, card, pager }: { readonly store: Store; readonly chat: Chat; readonly card: DockCard; readonly pager: ReactNode }) {
  const common = { store, chat, pager };
  const close = () => { store.close(keyOf(card)); };
  switch (card.kind) {
    case "server":
      return <ServerCard {...common} />;
    case "model":
      return <ModelCard {...common} />;
    case "key":
      return <KeyCard {...common} />;
    case "folder":
      return <FolderCard {...common} close={close} />;
    case "workspace":
      return <WorkspaceCard {...common} close={close} />;
    case "trouble":
      return <TroubleCard {...common} trouble={card.trouble} />;
    case "question":
      return <QuestionCard store={store} set={card.set} folder={card.set.folder === chat.folder ? "" : folderName(chat, card.set.folder)} pager={pager} />;
    case "failure":
      return <FailureCard {...common} card={card} />;
    case "stopped":
      return <StoppedCard {...common} work={card.work} />;
    case "result":
      return <ResultCard {...common} work={card.work} />;
    case "plan":
      return <PlanCard {...common} work={card.work} />;
    case "elsewhere":
      return <ElsewhereCard {...common} />;
  }
}
