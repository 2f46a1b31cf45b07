// What goes on in the folder, as the server tells it: of it come the strip, the dock's card and the last line. Pure.
import type { Work } from "../src/protocol";

export type WorkState = Work["state"];

export const NO_WORK: Work = {
  session_id: "",
  execution_id: "",
  plan_uri: "",
  plan_path: "",
  goal: "",
  mode: "plan",
  step: 0,
  action: "",
  of: 0,
  finished: 0,
  state: "idle",
  activity: "",
  since: "",
  started_at: "",
  reason: "",
  code: "",
  repair: 0,
  repairs: 0,
  question_id: "",
  calls: [],
  retry: null,
  files: 0,
  comments: 0,
  elsewhere: false,
  status_text: "",
  title: "",
  text: "",
};

/** The work of the session in hand, or what goes on elsewhere in the folder and is to be followed here. */
export function workOf(works: readonly Work[], session: string): Work {
  return works.find((each) => each.session_id === session) ?? works.find((each) => each.elsewhere && isBusy(each)) ?? { ...NO_WORK, session_id: session };
}

/** Whether something is being done, or waits in the middle of it. */
export function isBusy({ state }: Work): boolean {
  return BUSY.has(state);
}

/** Whether it is a run that isn't over: it has a strip. */
export function isOpenRun(work: Work): boolean {
  return work.execution_id !== "" && work.of > 0 && (isBusy(work) || STOPPED.has(work.state));
}

const BUSY: ReadonlySet<WorkState> = new Set(["working", "running", "repairing", "waiting_approval", "waiting_question", "retrying", "stopping"]);
const STOPPED: ReadonlySet<WorkState> = new Set(["paused", "interrupted", "no_answer", "failed"]);

/** What the strip says beside the step's number. */
export function stripText(work: Work): string {
  switch (work.state) {
    case "waiting_approval":
    case "waiting_question":
      return "waits for you";
    case "repairing":
      return `check failed, repairing (${work.repair} of ${work.repairs})`;
    case "failed":
      return "a check failed";
    case "retrying":
      return "waiting for the model";
    case "no_answer":
    case "paused":
      return "paused";
    case "stopping":
      return "stops after this call";
    case "interrupted":
      return "interrupted";
    default:
      return work.action;
  }
}

/** `0:41`, `1:02:03`: how long ago something was. */
export function clockOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `57 s`, `3 min`, `1 h 5 min`: how long something took. */
export function spanOf(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}
