// How long is waited for something before it counts as never coming, in milliseconds. They end what hangs and are no measure of
// speed: a machine that has much else to do, or that stands still for a while, may take many times what it needs alone.

/** Until a program runs, a window is drawn. */

/** Until the agent has done what it was asked for. */

/** Until what was clicked is there. */

/** Until a menu or a hover is there, which may be lost where what it belongs to is drawn anew: then it is asked for again. */
export const TRY_LIMIT_MS = 6_000;
