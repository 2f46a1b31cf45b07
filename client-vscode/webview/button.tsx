// Buttons by their rank: one filled at most in the view, outlined ones, links; and a list of more that belongs to one.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Icon, type IconName } from "./icons";

/** `primary` is filled, `secondary` outlined. */
export type Rank = "primary" | "secondary" | "link";

/** One more thing that can be done. */
export interface Action {
  readonly label: string;
  readonly act: () => void;
}

interface Props {
  readonly rank: Rank;
  readonly onClick: () => void;
  readonly isDisabled?: boolean | undefined;
  /** What else can be done: a list beside it. */
  readonly more?: readonly Action[] | undefined;
  readonly children: ReactNode;
}

export function Button({ rank, onClick, isDisabled = false, more = [], children }: Props) {
  const button = (
    <button type="button" className={`button ${rank}`} disabled={isDisabled} onClick={onClick}>
      {children}
    </button>
  );
  if (more.length === 0) return button;
  return (
    <span className="split">
      {button}
      <More rank={rank} actions={more} />
    </span>
  );
}

/** What is an icon for those who see it, and a word for all. */
export function IconButton({ icon, label, title = label, isDisabled = false, className = "", onClick }: { readonly icon: IconName; readonly label: string; readonly title?: string; readonly isDisabled?: boolean; readonly className?: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={title} disabled={isDisabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function More({ rank, actions }: { readonly rank: Rank; readonly actions: readonly Action[] }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={opener} type="button" className={`button ${rank} chevron`} aria-label="More" aria-haspopup="menu" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => { setOpen(!isOpen); }}>
        <Icon name="chevron-down" />
      </button>
      {isOpen && opener.current && (
        <Menu id={id} label="More" opener={opener.current} actions={actions} close={(isBack) => { setOpen(false); if (isBack) opener.current?.focus(); }} />
      )}
    </>
  );
}

interface MenuProps {
  readonly id: string;
  readonly label: string;
  /** What it belongs to: it stands above that. */
  readonly opener: HTMLElement;
  readonly actions: readonly Action[];
  readonly close: (isBack: boolean) => void;
}

/** A list of actions above what opened it, within the view. */
export function Menu({ id, label, opener, actions, close }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const menu = list.current;
    if (!menu) return;
    const { left, top, bottom } = opener.getBoundingClientRect();
    const isAbove = top > menu.offsetHeight + 4;
    menu.style.left = `${String(Math.max(4, Math.min(left, window.innerWidth - menu.offsetWidth - 4)))}px`;
    menu.style.top = `${String(isAbove ? top - menu.offsetHeight - 2 : Math.min(bottom + 2, window.innerHeight - menu.offsetHeight - 4))}px`;
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [opener]);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") close(true);
    else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      id={id}
      ref={list}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="menu"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => { if (relatedTarget !== opener && !currentTarget.contains(relatedTarget)) close(false); }}
    >
      {actions.map(({ label: text, act }) => (
        <button key={text} type="button" role="menuitem" tabIndex={-1} onClick={() => { close(true); act(); }}>
          {text}
        </button>
      ))}
    </div>
  );
}
