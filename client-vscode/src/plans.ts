// Which plan the user means, and showing it.
import { Range, Uri, window, workspace, type TextDocument, type WorkspaceFolder } from "vscode";
import type { ShowDocumentParams } from "vscode-languageclient/node";

import { goalLine } from "./plan_text";
import type { Server } from "./server";
import type { Subject } from "./subject";
import * as ui from "./ui";

/** Whether the server reads it as a plan. */
export function isPlan({ languageId, uri }: TextDocument): boolean {
  return languageId === "planact-plan" && uri.scheme === "file";
}

/** The URI of the plan in the active editor. */
export function openPlan(): string | undefined {
  const document = window.activeTextEditor?.document;
  return document?.languageId === "planact-plan" ? document.uri.toString() : undefined;
}

/** The plan that a command is about: the row's it was chosen on, the active editor's, or one from the list; its URI. */
export async function chosenPlan(server: Server, title: string, { plan }: Subject): Promise<string | undefined> {
  return plan ?? openPlan() ?? pickPlan(server, title);
}

/** Lets the user pick a plan; its URI. */
export async function pickPlan(server: Server, title: string): Promise<string | undefined> {
  const lists = await server.folders.each((folder) => server.call("planact.listPlans", { folder }));
  if (lists.length === 0) return undefined;
  const plans = lists.flatMap(({ folder, found }) => found.plans.map((plan) => ({ ...plan, folder })));
  if (plans.length === 0) {
    void ui.notify("info", "There is no plan yet. Run Planact: New Plan.");
    return undefined;
  }
  const items = plans.map((plan) => ({
    label: plan.goal,
    description: `${plan.status} · ${plan.steps_done}/${plan.steps_total}`,
    detail: server.folders.placed(plan.path, plan.folder),
    uri: plan.uri,
  }));
  const picked = await ui.pick(items, { title: `Planact: ${title}`, matchOnDetail: true });
  return picked?.uri;
}

/** Opens a document, at a line from 0; a plan without one with the selection on its goal, below the front matter, which stays folded. */
export async function openDocument(uri: string, line?: number, preserveFocus = false): Promise<void> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const at = line ?? (isPlan(document) ? goalLine(document.getText()) : undefined);
  await window.showTextDocument(document, { preview: false, preserveFocus, ...(at === undefined ? {} : { selection: new Range(at, 0, at, 0) }) });
}

/** Adds to a document that the server wants to be shown where in it, if it is a plan. */
export async function withGoal<T>(params: ShowDocumentParams, show: (params: ShowDocumentParams) => Promise<T>): Promise<T> {
  if (params.selection || params.external === true || !params.uri.endsWith(".plan")) return show(params);
  const document = await Promise.resolve(workspace.openTextDocument(Uri.parse(params.uri))).catch(() => undefined);
  const line = document && isPlan(document) ? goalLine(document.getText()) : undefined;
  const start = { line: line ?? 0, character: 0 };
  return show(line === undefined ? params : { ...params, selection: { start, end: start } });
}

/** Opens a file of a folder by its path, at a line from 0 if one is given; nothing outside of the folder. */
export async function openFile(folder: WorkspaceFolder | undefined, path: string, line?: number): Promise<void> {
  if (!folder) return;
  const uri = Uri.joinPath(folder.uri, path);
  if (!uri.path.startsWith(`${folder.uri.path}/`)) return;
  await openDocument(uri.toString(), line);
}
