// A card of the dock: its title, answers and buttons stay in view, what stands between them scrolls.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { IconButton } from "./button";

/** The colour of its edge. */
export type Edge = "plain" | "plan" | "act" | "major" | "critical" | "failed";

interface Props {
  readonly name: string;
  readonly edge?: Edge;
  readonly title: ReactNode;
  /** What stands at the end of the title: a number, a link. */
  readonly aside?: ReactNode;
  readonly close?: (() => void) | undefined;
  readonly children?: ReactNode;
  /** What answers it, where that is more than buttons; it scrolls only where all else has given way. */
  readonly answers?: ReactNode;
  readonly buttons?: ReactNode;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly card?: RefObject<HTMLElement | null>;
  readonly id?: string;
}

export function Card({ name, edge = "plain", title, aside, close, children, answers, buttons, onKeyDown, card, id }: Props) {
  const [isLarge, setLarge] = useState(false);
  const [isLonger, setLonger] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const look = () => { setLonger(element.scrollHeight > element.clientHeight + 1); };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => { observer.disconnect(); };
  });
  return (
    <section ref={card} className={`card ${edge}${isLarge ? " large" : ""}`} aria-label={name} tabIndex={-1} data-id={id} onKeyDown={onKeyDown}>
      <header>
        <h2>{title}</h2>
        {aside && <span className="aside">{aside}</span>}
        {(isLonger || isLarge) && <IconButton icon="screen-full" label={isLarge ? "Smaller" : "Larger"} className="small" onClick={() => { setLarge(!isLarge); }} />}
        {close && <IconButton icon="close" label="Close" className="small" onClick={close} />}
      </header>
      {children && (
        <div ref={body} className={isLonger ? "body longer" : "body"} tabIndex={isLonger ? 0 : undefined}>
          {children}
        </div>
      )}
      {answers && <div className="answers">{answers}</div>}
      {buttons && <div className="buttons">{buttons}</div>}
    </section>
  );
}
