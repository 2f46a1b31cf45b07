// The whole view: the conversation, what the run is at, what wants the user, and the place to write.
import { useMemo, type KeyboardEvent } from "react";

import { Announcer } from "./announcer";
import { Composer } from "./composer";
import { cardsOf } from "./dock_cards";
import { Dock } from "./dock";
import { OutsideContext, type Outside } from "./outside";
import { useView, type Store } from "./store";
import { Strip } from "./strip";
import { Transcript } from "./transcript";

export function App({ store }: { readonly store: Store }) {
  const { chat, told, trouble, traces, closed, wish } = useView(store);
  const outside = useMemo<Outside>(
    () => ({
      openFile: (path, line) => void store.call("editor/openFile", line === undefined ? { path } : { path, line }),
      copy: (text) => void store.host.call("editor/copy", text),
    }),
    [store],
  );
  const cards = cardsOf(chat, trouble, closed);
  /** From the dock back to the input; nothing is declined or stopped by it. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !(event.target as Element).closest(".dock, .strip-area, .transcript")) return;
    event.preventDefault();
    store.focus("input");
  };
  return (
    <OutsideContext value={outside}>
      <div className="view" onKeyDown={onKeyDown}>
        <Transcript store={store} chat={chat} told={told} traces={traces} isQuiet={cards.length > 0} />
        <Strip store={store} chat={chat} />
        <Dock store={store} chat={chat} cards={cards} />
        <Composer store={store} chat={chat} first={cards[0]} wish={wish} />
        <Announcer chat={chat} cards={cards} />
      </div>
    </OutsideContext>
  );
}
