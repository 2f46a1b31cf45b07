// Plans and runs that are shown, asked of the server anew as they change.
import { useEffect, useState } from "react";

import type { Execution, ExecutionShown, PlanShown } from "../src/protocol";
import type { Chat } from "./chat";
import { Failed } from "./host";
import type { Store } from "./store";

type Which = { readonly uri: string } | { readonly plan_id: string };

/** A plan as it is; null until it is known, undefined when it is no longer there. While somebody types in it, it stays as it was. */
export function usePlan(store: Store, which: Which, { folder, plans, edits, work }: Pick<Chat, "folder" | "plans" | "edits" | "work">): PlanShown | null | undefined {
  const [shown, setShown] = useState<PlanShown | null | undefined>(null);
  const by = "uri" in which ? which.uri : which.plan_id;
  const version = `${"uri" in which ? Object.values(plans).reduce((sum, count) => sum + count, 0) : (plans[by] ?? 0)} ${edits} ${"uri" in which ? `${work.state} ${work.comments}` : ""}`;
  useEffect(() => {
    if (!by) return;
    let isCurrent = true;
    store.host.call("planact.showPlan", { folder, ...("uri" in which ? { uri: by } : { plan_id: by }) }).then(
      (found) => { if (isCurrent && found) setShown(found); },
      (error: unknown) => { if (isCurrent && !(error instanceof Failed && error.code === "PLAN_INVALID")) setShown(undefined); },
    );
    return () => { isCurrent = false; };
    // `which` is made anew each time: what counts of it is in `by`
  }, [store, folder, by, version]);
  return shown;
}

/** A run as it is by now; null until it is known, undefined when its record is no longer there. */
export function useRun(store: Store, id: string, moved: Execution | undefined): Execution | ExecutionShown | null | undefined {
  const [found, setFound] = useState<ExecutionShown | null | undefined>(null);
  useEffect(() => {
    if (!id) return;
    let isCurrent = true;
    store.run(id).then(
      (execution) => { if (isCurrent && execution) setFound(execution); },
      () => { if (isCurrent) setFound(undefined); },
    );
    return () => { isCurrent = false; };
  }, [store, id]);
  return moved ?? found;
}
