// Words and icon of the status bar's item, for each state of the server and of the work in the folder in hand.
import type { Condition } from "./bridge";
import type { Mode, Status } from "./protocol";
import type { StatusIcon } from "./ui";
import type { Work } from "./protocol";

export interface StatusFacts {
  readonly condition: Condition;
  readonly mode: Mode;
  readonly missing: Status["missing"];
  /** Undefined until the server has told it. */
  readonly work: Work | undefined;
}

export interface StatusWords {
  readonly icon: StatusIcon;
  readonly text: string;
  /** A click leads to the view, where the user has to do something before it goes on. */
  readonly isWaiting: boolean;
  /** An answer is waited for. */
  readonly isAsking: boolean;
}

const SETUP: Readonly<Record<Exclude<Condition, "running">, readonly [StatusIcon, string]>> = {
  missing: ["warning", "start"],
  stopped: ["warning", "start"],
  starting: ["sync~spin", "starting"],
  installing: ["sync~spin", "installing"],
};

const ICONS: Readonly<Record<Work["state"], StatusIcon>> = {
  idle: "checklist",
  working: "sync~spin",
  running: "sync~spin",
  repairing: "sync~spin",
  stopping: "sync~spin",
  retrying: "watch",
  waiting_approval: "bell-dot",
  waiting_question: "bell-dot",
  to_review: "checklist",
  changed: "checklist",
  outdated: "warning",
  no_answer: "error",
  failed: "error",
  paused: "debug-pause",
  interrupted: "debug-pause",
  done: "pass",
  partly: "pass",
  nothing_done: "warning",
  rolled_back: "discard",
};

const ASKING: readonly Work["state"][] = ["waiting_approval", "waiting_question"];
const WAITING: readonly Work["state"][] = [...ASKING, "no_answer", "failed", "paused", "interrupted"];

export const MODE_NAMES: Readonly<Record<Mode, string>> = { plan: "Plan", act: "Act" };

export function statusWords({ condition, mode, missing, work }: StatusFacts): StatusWords {
  if (condition !== "running") {
    const [icon, text] = SETUP[condition];
    return { icon, text: `Planact: ${text}`, isWaiting: true, isAsking: false };
  }
  if (missing) return { icon: "warning", text: `${MODE_NAMES[work?.mode ?? mode]} · no ${missing}`, isWaiting: true, isAsking: false };
  if (!work) return { icon: "checklist", text: MODE_NAMES[mode], isWaiting: false, isAsking: false };
  const isOurs = !work.elsewhere;
  return {
    icon: isOurs ? ICONS[work.state] : "sync",
    text: (work.status_text || MODE_NAMES[work.mode]).replace(/\belsewhere$/, "other window"),
    isWaiting: isOurs && WAITING.includes(work.state),
    isAsking: isOurs && ASKING.includes(work.state),
  };
}
