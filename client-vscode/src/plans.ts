// Which plan the user means, and showing it.
import { Uri, window, type TextDocument } from "vscode";

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

/** Opens a document. */
export async function openDocument(uri: string): Promise<void> {
  await window.showTextDocument(Uri.parse(uri), { preview: false });
}
