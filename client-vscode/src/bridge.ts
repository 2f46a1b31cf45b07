// What the chat view and the extension say to each other. The view has no other way to the outside.
import type { Commands, Image, Mode, Notifications, Requests } from "./protocol";

/** Of the server. `missing`: none is found, but one can be installed. */
export type Condition = "missing" | "installing" | "starting" | "running" | "stopped";

/** What was written and not sent. */
export interface Draft {
  readonly text: string;
  readonly images: readonly Image[];
}

/** What the view may ask for: the server's commands and requests, and what only the editor can do. */
export interface Calls extends Commands {
  "planact/transcript": { arguments: Requests["planact/transcript"]["params"]; result: Requests["planact/transcript"]["result"] };
  /** The workspace folder in hand, by its URI; empty = none is open. */
  "editor/folder": { arguments: null; result: string };
  /** Lets the user take another in hand, which the view hears as if the server had started anew. */
  "editor/chooseFolder": { arguments: null; result: null };
  /** Resolves once the session that was in hand last in that folder is so again, also after the window was loaded again. */
  "editor/resumeSession": { arguments: null; result: null };
  /** What was written and not sent, also before the window was loaded again. */
  "editor/draft": { arguments: null; result: Draft };
  "editor/keepDraft": { arguments: Partial<Draft>; result: null };
  /** Files and folders of the workspace that match what was typed after `@`; a folder ends with a slash. */
  "editor/findFiles": { arguments: string; result: readonly string[] };
  /** Asks before it stops work. */
  "editor/setMode": { arguments: Mode; result: null };
  "editor/open": { arguments: { readonly uri: string }; result: null };
  /** What a run did, as a document. */
  "editor/showRun": { arguments: { readonly execution_id: string }; result: null };
  /** What a question's call would do to files: the next one that nothing was said about, or all. */
  "editor/review": { arguments: { readonly question_id: string; readonly is_all: boolean }; result: null };
  /** What a step of a run did to files, beside the plan. */
  "editor/showStepDiff": { arguments: { readonly execution_id: string; readonly step: number }; result: null };
  "editor/chooseModel": { arguments: null; result: null };
  /** One of the commands that get planact ready, by what it is called in the palette. */
  "editor/prepare": { arguments: Preparation; result: null };
}

export type Preparation = "useDemoModel" | "setKey" | "installServer" | "chooseCommand" | "restartServer" | "showLog" | "manageTrust" | "trustFolder" | "getStarted";

export type Call = { [C in keyof Calls]: { readonly kind: "call"; readonly id: number; readonly name: C; readonly arguments: Calls[C]["arguments"] } }[keyof Calls];

export type FromView = { readonly kind: "ready" } | Call;

export type Notification = {
  [M in keyof Notifications]: { readonly kind: "notification"; readonly method: M; readonly params: Notifications[M] };
}[keyof Notifications];

export type ToView =
  | Notification
  | { readonly kind: "condition"; readonly condition: Condition }
  /** Somebody has typed in a plan, which the server tells only of its own changes. */
  | { readonly kind: "edited" }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string; readonly code: string };
