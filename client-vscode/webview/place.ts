// What is shown stays in its place when earlier messages come before it: the browser keeps it so only where what it holds on to isn't drawn anew.
import { useLayoutEffect, useRef, type RefObject } from "react";

/** Entries that are looked for again: the first ones may be joined with what comes before them. */
const LOOKED_FOR = 5;

interface Place {
  readonly entry: Element;
  readonly top: number;
}

/** Returns what is to be called when the user has scrolled. */
export function usePlace(list: RefObject<HTMLDivElement | null>, entries: unknown): () => void {
  const places = useRef<readonly Place[]>([]);
  const note = () => { places.current = firstOf(list.current).map((entry) => ({ entry, top: entry.getBoundingClientRect().top })); };
  useLayoutEffect(() => {
    const place = places.current.find(({ entry }) => entry.isConnected);
    const isSame = firstOf(list.current)[0] === places.current[0]?.entry;
    if (list.current && place && !isSame) list.current.scrollTop += place.entry.getBoundingClientRect().top - place.top;
    note();
  }, [list, entries]);
  return note;
}

function firstOf(list: HTMLDivElement | null): readonly Element[] {
  const all = list?.querySelector("[role=feed]")?.children;
  return Array.from({ length: Math.min(LOOKED_FOR, all?.length ?? 0) }, (_, at) => all?.[at]).filter((entry) => entry !== undefined);
}
