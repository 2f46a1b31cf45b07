// How long is waited for something before it counts as never coming, in milliseconds. They end what hangs and are no measure of
// speed: a machine that has much else to do, or that stands still for a while, may take many times what it needs alone.

export const SCENARIO_LIMIT_MS = 1_200_000;

/** Until a program runs, a window is drawn. */
export const START_LIMIT_MS = 180_000;

/** Until the agent has done what it was asked for. */
export const RUN_LIMIT_MS = 180_000;

/** Until what was clicked is there. */
export const STEP_LIMIT_MS = 180_000;

/** Until a menu or a hover is there, which may be lost where what it belongs to is drawn anew: then it is asked for again. */
export const TRY_LIMIT_MS = 6_000;
