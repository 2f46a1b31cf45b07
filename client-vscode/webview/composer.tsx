// Where the user writes: Enter sends, Shift+Enter begins a line; `/` completes words of the chat, `@` paths of the workspace; ↑ brings back what was sent.
import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";

import type { Draft } from "../src/bridge";
import type { Image } from "../src/protocol";
import { IconButton } from "./button";
import { isWorking, type Chat } from "./chat";
import { asItem, mentionsFor, typedPath, wordsFor, type Item } from "./completion";
import { placeholderOf, type DockCard } from "./dock_cards";
import { Foot } from "./foot";
import { addressOf, imagesOf } from "./images";
import { sendText } from "./send";
import type { Store } from "./store";

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  /** The card that the dock shows at first, to which what is written may be the answer. */
  readonly first: DockCard | undefined;
  readonly wish: { readonly text: string } | null;
}

/** What is being completed: what stands from `start` to the cursor. */
interface Completion {
  readonly start: number;
  readonly items: readonly Item[];
  readonly chosen: number;
}

type Written = Pick<Draft, "text" | "images">;

const EMPTY: Written = { text: "", images: [] };

export function Composer({ store, chat, first, wish }: Props) {
  const [{ text, images }, write] = useDraft(store);
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [past, setPast] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEnabled = chat.server.condition === "running";

  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  useEffect(() => {
    if (wish) write({ text: wish.text });
    // what is written since stays as it is
  }, [wish]);

  const send = async () => {
    if (!text.trim() || !isEnabled) return;
    write(EMPTY);
    setCompletion(null);
    setPast(0);
    field.current?.focus();
    if (await sendText(store, chat, first, text, images)) return;
    // it was not taken: nobody should have to write it again
    write(({ text: newer, images: others }) => ({ text: newer || text, images: others.length > 0 ? others : images }));
  };
  const complete = async (written: string, cursor: number) => {
    const before = written.slice(0, cursor);
    const path = typedPath(before);
    const items = path === undefined ? wordsFor(before) : [...mentionsFor(path), ...((await store.host.call("editor/findFiles", path).catch(() => [])) ?? []).map(asItem)];
    if (field.current?.value !== written) return;
    setCompletion(items.length > 0 ? { start: path === undefined ? 0 : cursor - path.length, items, chosen: 0 } : null);
  };
  const accept = ({ start, items, chosen }: Completion) => {
    const cursor = field.current?.selectionStart ?? text.length;
    const inserted = items[chosen]?.text ?? "";
    write({ text: `${text.slice(0, start)}${inserted} ${text.slice(cursor)}` });
    setCompletion(null);
    field.current?.focus();
  };
  /** What was sent before, the newest first; 0 = nothing of it. */
  const recall = (back: number) => {
    const sent = chat.messages.filter(({ role, metadata }) => role === "user" && !metadata["question_answer"]).map(({ content, metadata }) => (typeof metadata["typed"] === "string" ? metadata["typed"] : content));
    const found = back === 0 ? "" : sent.at(-back);
    if (found === undefined) return;
    setPast(back);
    write({ text: found });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isRecall = (event.key === "ArrowUp" && (text === "" || past > 0)) || (event.key === "ArrowDown" && past > 0);
    if (completion && takesKey(event.key)) {
      event.preventDefault();
      if (event.key === "Escape") setCompletion(null);
      else if (event.key === "Enter" || event.key === "Tab") accept(completion);
      else setCompletion({ ...completion, chosen: next(completion, event.key === "ArrowDown" ? 1 : -1) });
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (isRecall) {
      event.preventDefault();
      recall(past + (event.key === "ArrowUp" ? 1 : -1));
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void imagesOf(files).then((found) => {
      if (typeof found === "string") store.fail(found);
      else write((before) => ({ images: [...before.images, ...found] }));
    });
  };

  return (
    <div className="composer">
      {completion && <Completions completion={completion} accept={accept} />}
      {images.length > 0 && <Images images={images} remove={(index) => { write({ images: images.filter((_, at) => at !== index) }); }} />}
      <textarea
        ref={field}
        rows={1}
        value={text}
        disabled={!isEnabled}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={completion ? "completion" : undefined}
        aria-activedescendant={completion ? `completion-${completion.chosen}` : undefined}
        placeholder={placeholderOf(chat, first)}
        onChange={({ target }) => { setPast(0); write({ text: target.value }); void complete(target.value, target.selectionStart); }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => { setCompletion(null); }}
      />
      <div className="foot">
        <Foot store={store} chat={chat} />
        {isWorking(chat) && <IconButton icon="debug-stop" label="Stop" onClick={() => void store.call("planact.stop", { session_id: chat.session?.id ?? "" })} />}
        {(!isWorking(chat) || text.trim() !== "") && <IconButton icon="send" label="Send" isDisabled={!isEnabled || !text.trim()} onClick={() => void send()} />}
      </div>
    </div>
  );
}

/** What was written and not sent. The editor keeps each change, so that it is there again however the view goes away. */
function useDraft(store: Store): readonly [Written, (changes: Partial<Written> | ((before: Written) => Partial<Written>)) => void] {
  const [draft, setDraft] = useState(EMPTY);
  const latest = useRef(EMPTY);
  useEffect(() => {
    void store.draft.then((kept) => {
      if (kept && latest.current === EMPTY) setDraft((latest.current = { text: kept.text, images: kept.images }));
    });
  }, [store]);
  const write = (changes: Partial<Written> | ((before: Written) => Partial<Written>)) => {
    const changed = typeof changes === "function" ? changes(latest.current) : changes;
    setDraft((latest.current = { ...latest.current, ...changed }));
    void store.host.call("editor/keepDraft", changed);
  };
  return [draft, write];
}

function Completions({ completion, accept }: { readonly completion: Completion; readonly accept: (completion: Completion) => void }) {
  const chosen = useRef<HTMLLIElement>(null);
  useEffect(() => { chosen.current?.scrollIntoView({ block: "nearest" }); }, [completion]);
  return (
    <ul role="listbox" id="completion" aria-label="Completions">
      {completion.items.map((item, index) => (
        <li
          key={item.text}
          ref={index === completion.chosen ? chosen : null}
          id={`completion-${index}`}
          role="option"
          aria-selected={index === completion.chosen}
          onMouseDown={(event) => { event.preventDefault(); accept({ ...completion, chosen: index }); }}
        >
          {item.text} <span className="detail">{item.detail}</span>
        </li>
      ))}
    </ul>
  );
}

function Images({ images, remove }: { readonly images: readonly Image[]; readonly remove: (index: number) => void }) {
  return (
    <ul className="images" aria-label="Images to send">
      {images.map((image, index) => (
        <li key={index}>
          <img src={addressOf(image)} alt={`Image ${index + 1}`} />
          <button type="button" className="link" aria-label={`Remove image ${index + 1}`} onClick={() => { remove(index); }}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}

function takesKey(key: string): boolean {
  return ["Escape", "Enter", "Tab", "ArrowDown", "ArrowUp"].includes(key);
}

function next({ items, chosen }: Completion, by: number): number {
  return (chosen + by + items.length) % items.length;
}
