// What can be chosen, as rows: one, or several with a tick. 1 to 9 choose, the arrows move, Enter takes the row in hand.
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import type { Option } from "../src/protocol";
import { Line } from "./text";

interface Props {
  readonly label: string;
  readonly options: readonly Option[];
  readonly isDefault: (option: Option) => boolean;
  /** The row that Enter takes at first; -1 = none. */
  readonly first: number;
  /** Whether each is chosen, where rows don't answer at once. */
  readonly chosen?: ((option: Option) => boolean) | undefined;
  readonly isSeveral?: boolean;
  readonly onChoose: (option: Option) => void;
  /** The row for what the user writes. */
  readonly own?: Own | undefined;
}

/** `text` is undefined where it isn't chosen. */
export interface Own {
  readonly text: string | undefined;
  readonly isAnswer: boolean;
  readonly write: (text: string | undefined) => void;
  readonly give: (text: string) => void;
}

export function Rows({ label, options, isDefault, first, chosen, isSeveral = false, onChoose, own }: Props) {
  const [at, setAt] = useState(Math.max(first, 0));
  const group = useId();
  const count = options.length + (own ? 1 : 0);
  const takes = (index: number) => {
    const option = options[index];
    setAt(index);
    if (option) onChoose(option);
    else if (own) own.write(own.text === undefined || !isSeveral ? (own.text ?? "") : undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = (at + by + count) % count;
    setAt(next);
    event.currentTarget.querySelectorAll<HTMLElement>(".row-button")[next]?.focus();
  };
  const role = chosen ? (isSeveral ? "checkbox" : "radio") : undefined;
  const row = (index: number, isChosen: boolean, content: ReactNode, isMarked: boolean) => (
    <button
      type="button"
      className={`row-button${index === at && (isSeveral || !chosen) ? " at" : ""}${isChosen ? " chosen" : ""}`}
      {...(role ? { role, "aria-checked": isChosen } : {})}
      tabIndex={index === at ? 0 : -1}
      data-at={index === at || undefined}
      onFocus={() => { setAt(index); }}
      onClick={() => { takes(index); }}
    >
      <span className="key" aria-hidden="true">{index + 1}</span>
      {isSeveral && <span className="tick" aria-hidden="true">{isChosen ? "☑" : "☐"}</span>}
      <span className="words">{content}</span>
      {isMarked && <span className="mark">default</span>}
    </button>
  );
  return (
    <div className="rows" role={chosen && !isSeveral ? "radiogroup" : "group"} aria-label={label} id={group} onKeyDown={onKeyDown}>
      {options.map((option, index) => (
        <div key={index}>
          {row(
            index,
            chosen?.(option) ?? false,
            <>
              <Line text={option.label} />
              {option.description && (
                <span className="description">
                  <Line text={option.description} />
                </span>
              )}
            </>,
            isDefault(option),
          )}
        </div>
      ))}
      {own && (
        <div className={own.text === undefined ? "" : "own"}>
          {row(options.length, own.text !== undefined, "Other…", false)}
          {own.text !== undefined && (
            <input
              type="text"
              aria-label={own.isAnswer ? "Your answer" : "Other"}
              autoFocus
              value={own.text}
              onChange={({ target }) => { own.write(target.value); }}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                event.preventDefault();
                own.give(own.text ?? "");
              }}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** The row that a digit stands for is clicked; false where there is none, or the digit is written into a field. */
export function chooseByDigit(event: KeyboardEvent<HTMLElement>): boolean {
  if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement) return false;
  const row = event.currentTarget.querySelectorAll<HTMLElement>(".row-button")[Number(event.key) - 1];
  if (!row) return false;
  event.preventDefault();
  row.focus();
  row.click();
  return true;
}
