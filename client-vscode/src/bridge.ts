// What the chat view and the extension say to each other. The view has no other way to the outside.
import type { Commands, Image, Mode, Notifications, Requests } from "./protocol";
import type { Subject } from "./subject";

/** Of the server. `missing`: none is found, but one can be installed. */
export type Condition = "missing" | "installing" | "starting" | "running" | "stopped";

/** What was written and not sent. */
export interface Draft {
  readonly text: string;
  readonly images: readonly Image[];
  /** What was chosen and written for questions that wait: values by name, by the question's id. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the view may ask for: the server's commands and requests, and what only the editor can do. */
export interface Calls extends Commands {
  "planact/transcript": { arguments: Requests["planact/transcript"]["params"]; result: Requests["planact/transcript"]["result"] };
  /** The workspace folder in hand, by its URI; empty = none is open. */
  "editor/folder": { arguments: null; result: string };
  /** Resolves once the session that was in hand last in that folder is so again, also after the window was loaded again. */
  "editor/resumeSession": { arguments: null; result: null };
  /** What was written and not sent, also before the window was loaded again. */
  "editor/draft": { arguments: null; result: Draft };
  "editor/keepDraft": { arguments: Partial<Draft>; result: null };
  /** Files and folders of the workspace that match what was typed after `@`; a folder ends with a slash. */
  "editor/findFiles": { arguments: string; result: readonly string[] };
  /** Asks before it stops work. */
  "editor/setMode": { arguments: Mode; result: null };
  /** A document, at a line from 0; without one, a plan is shown at its goal. */
  "editor/open": { arguments: { readonly uri: string; readonly line?: number; readonly keepsFocus?: boolean }; result: null };
  /** A file of the folder in hand by its path, at a line from 0. */
  "editor/openFile": { arguments: { readonly path: string; readonly line?: number }; result: null };
  /** Puts a text into the clipboard. */
  "editor/copy": { arguments: string; result: null };
  /** One of the commands of the palette and the menus, about something. */
  "editor/command": { arguments: { readonly name: EditorCommand; readonly subject?: Subject }; result: null };
}

/** What is called `planact.ui.…` in the palette and the menus, and may be run from the page: nothing else is. */
export const EDITOR_COMMANDS = [
  "cancelInstall",
  "chooseCommand",
  "chooseFolder",
  "createTemplate",
  "executeWithModel",
  "exportPlan",
  "installServer",
  "manageTrust",
  "newPlan",
  "removeComments",
  "restartServer",
  "reviewChanges",
  "setKey",
  "setModel",
  "showAllFiles",
  "showChanges",
  "showExecutions",
  "showFileChanges",
  "showLog",
  "showNextFile",
  "showSessions",
  "showStepDiff",
  "trustFolder",
  "useDemoModel",
] as const;

export type EditorCommand = (typeof EDITOR_COMMANDS)[number];

export type Call = { [C in keyof Calls]: { readonly kind: "call"; readonly id: number; readonly name: C; readonly arguments: Calls[C]["arguments"] } }[keyof Calls];

export type FromView = { readonly kind: "ready" } | Call;

export type Notification = {
  [M in keyof Notifications]: { readonly kind: "notification"; readonly method: M; readonly params: Notifications[M] };
}[keyof Notifications];

/** What the editor shows beside the view. */
export interface Surroundings {
  /** The active text file, relative to the folder in hand; empty = none of it. */
  readonly path: string;
  /** Its errors and warnings. */
  readonly problems: number;
  /** URIs of the plans that are in view. */
  readonly plans: readonly string[];
  /** The folder in hand has no file. */
  readonly isEmpty: boolean;
}

/** It plays a script that fits any folder. */
export const DEMO_MODEL = "scripted:demo";

/** How the server is: `detail` is one line on what is being done for it, `since` when that began, in ms since 1970. */
export interface ServerState {
  readonly condition: Condition;
  readonly detail?: string;
  readonly since?: number;
}

export type ToView =
  | Notification
  | ({ readonly kind: "condition" } & ServerState)
  | ({ readonly kind: "surroundings" } & Surroundings)
  /** The keyboard is to be there. */
  | { readonly kind: "focus"; readonly what: "dock" | "input" }
  /** A text for the input, which the user sends or not. */
  | { readonly kind: "wish"; readonly text: string }
  /** Somebody has typed in a plan, which the server tells only of its own changes. */
  | { readonly kind: "edited" }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string; readonly code: string };
