// Time that goes on while something does: drawn once a second, read out never.
import { useEffect, useState } from "react";

import { clockOf } from "./work";

/** Now, once a second while it `runs`. */
export function useNow(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return;
    setNow(Date.now());
    const timer = setInterval(() => { setNow(Date.now()); }, 1_000);
    return () => { clearInterval(timer); };
  }, [runs]);
  return now;
}

/** `0:41` since a time in ms. */
export function Since({ since }: { readonly since: number }) {
  const now = useNow(true);
  return <span className="muted clock">{clockOf(now - since)}</span>;
}
