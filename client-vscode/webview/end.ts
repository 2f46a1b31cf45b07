// Keeps the end of the conversation in view.
import { useLayoutEffect, useRef, type RefObject } from "react";

const NEAR_END_PX = 60;

interface End {
  /** The user may be about to scroll: not all scrolling is theirs. */
  readonly moved: () => void;
  readonly scrolled: (list: HTMLDivElement) => void;
  /** The user looks at something, wherever it is. */
  readonly left: () => void;
}

/** Keeps the end in view, also while what is there grows, until the user goes away from it; with another `cause` it is shown again. */
export function useEnd(list: RefObject<HTMLDivElement | null>, content: RefObject<HTMLDivElement | null>, cause: string): End {
  const at = useRef({ isEnd: true, isUsers: false, size: "" });
  useLayoutEffect(() => {
    at.current.isEnd = true;
    const stay = () => {
      if (!list.current || !at.current.isEnd) return;
      list.current.scrollTop = list.current.scrollHeight;
      at.current.size = sizeOf(list.current);
    };
    const observer = new ResizeObserver(stay);
    for (const each of [list.current, content.current]) if (each) observer.observe(each);
    return () => { observer.disconnect(); };
  }, [list, content, cause]);
  return {
    moved: () => { at.current.isUsers = true; },
    scrolled: (element) => {
      const { scrollHeight, scrollTop, clientHeight } = element;
      const isEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      // the browser scrolls too, but only where something has another size than it had at the end
      if (isEnd || at.current.isUsers || at.current.size === sizeOf(element)) at.current = { isEnd, isUsers: !isEnd, size: sizeOf(element) };
    },
    left: () => { at.current.isEnd = false; },
  };
}

function sizeOf({ scrollHeight, clientHeight }: HTMLDivElement): string {
  return `${scrollHeight} ${clientHeight}`;
}
