// The palette's commands for the plans that are kept, their revisions, and templates.
import { Uri, window, workspace } from "vscode";

import { chosenPlan, openDocument } from "./plans";
import type { PlanDifference, TemplateListed } from "./protocol";
import type { Server } from "./server";
import type { Subject } from "./subject";
import * as ui from "./ui";

/** What changed in a plan since its last other text. */
export async function showChanges(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Show Changes of Plan", subject);
  const found = uri && (await server.call("planact.diffPlan", { uri }));
  if (!found) return;
  if (found.diff) await openDifference(found, "before ↔ now");
  else void ui.notify("info", "Nothing in this plan has changed.");
}

/** Shows an earlier text beside the plan's, and puts it back when the user says so. */
export async function restoreRevision(server: Server, subject: Subject): Promise<void> {
  const title = "Restore Revision of Plan";
  const uri = await chosenPlan(server, title, subject);
  const kept = uri && (await server.call("planact.diffPlan", { uri }));
  if (!kept) return;
  if (kept.revisions.length === 0) {
    void ui.notify("info", "This plan has no earlier text.");
    return;
  }
  const items = [...kept.revisions].reverse().map(({ number, author, time }) => ({
    label: `Revision ${number}`,
    description: author === "user" ? "yours" : "the planner's",
    detail: new Date(time).toLocaleString(),
    number,
  }));
  const picked = await ui.pick(items, { title: `Planact: ${title}` });
  const found = picked && (await server.call("planact.diffPlan", { uri, number: picked.number }));
  if (!found) return;
  await openDifference(found, `revision ${picked.number} ↔ now`);
  const question = `Put revision ${picked.number} in place of what ${found.path} says now? That is kept too.`;
  const clicked = await ui.notify("info", question, "Restore");
  const restored = clicked && (await server.call("planact.restoreRevision", { uri, number: picked.number }));
  if (restored) await openDocument(restored.uri);
}

/** Keeps a plan whatever its age, or no longer. */
export async function pinPlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Pin or Unpin Plan", subject);
  const plans = uri && (await server.call("planact.listPlans", { folder: server.folders.of(uri) }))?.plans;
  if (!plans) return;
  const isPinned = plans.some((plan) => plan.uri === uri && plan.is_pinned);
  const pinned = await server.call("planact.pinPlan", { uri, is_pinned: !isPinned });
  if (!pinned) return;
  const state = pinned.is_pinned ? "is pinned: it stays whatever its age" : "is not pinned any more";
  ui.flash(`${pinned.path} ${state}.`);
}

/** Opens a plan as Markdown, JSON or a diagram, to be saved anywhere. */
export async function exportPlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Export Plan", subject);
  if (!uri) return;
  const items = [
    { label: "Markdown", detail: "a check list", format: "markdown" as const },
    { label: "JSON", detail: "for programs", format: "json" as const },
    { label: "Diagram", detail: "steps, files and commands as Mermaid", format: "diagram" as const },
  ];
  const picked = await ui.pick(items, { title: "Planact: Export Plan" });
  const exported = picked && (await server.call("planact.exportPlan", { uri, format: picked.format }));
  if (!exported) return;
  const document = await workspace.openTextDocument({ language: picked.format === "json" ? "json" : "markdown", content: exported.text });
  await window.showTextDocument(document, { preview: false });
}

/** Deletes a plan; the server asks first. */
export async function deletePlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Delete Plan", subject);
  if (uri) await server.call("planact.deletePlan", { uri });
}

/** A plan from a template; the server asks for what the template leaves open. */
export async function useTemplate(server: Server, subject: Subject): Promise<void> {
  const folder = subject.folder ?? server.folders.uri;
  const name = subject.template ?? (await pickTemplate(server, folder, "New Plan from Template", () => true));
  const made = name && (await server.call("planact.useTemplate", { folder, name }));
  if (made && made.uri) await openDocument(made.uri);
}

/** A template from a plan, to be edited: what is to vary becomes a parameter there. */
export async function createTemplate(server: Server, subject: Subject): Promise<void> {
  const title = "Save Plan as Template";
  const uri = await chosenPlan(server, title, subject);
  if (!uri) return;
  const name = await ui.askText({ title: `Planact: ${title}`, prompt: "The template's name", placeHolder: "add-endpoint" });
  const made = name && (await server.call("planact.createTemplate", { uri, name }));
  if (made) await openDocument(made.uri);
}

/** Deletes a template of the workspace; the server asks first. */
export async function deleteTemplate(server: Server, subject: Subject): Promise<void> {
  const folder = subject.folder ?? server.folders.uri;
  const name = subject.template ?? (await pickTemplate(server, folder, "Delete Template", ({ source }) => source === "workspace"));
  if (name) await server.call("planact.deleteTemplate", { folder, name });
}

async function pickTemplate(server: Server, folder: string, title: string, fits: (template: TemplateListed) => boolean): Promise<string | undefined> {
  const listed = await server.call("planact.listTemplates", { folder });
  if (!listed) return undefined;
  for (const problem of listed.problems) void ui.notify("warning", problem);
  const items = listed.templates.filter(fits).map(({ name, category, description, goal }) => ({
    label: name,
    description: category,
    detail: description || goal,
  }));
  if (items.length === 0) {
    void ui.notify("info", "This folder has no template of its own.");
    return undefined;
  }
  return (await ui.pick(items, { title: server.folders.titled(title, folder), matchOnDescription: true, matchOnDetail: true }))?.label;
}

async function openDifference({ before_uri: before, after_uri: after, path }: PlanDifference, what: string): Promise<void> {
  const title = `${path.slice(path.lastIndexOf("/") + 1)} (${what})`;
  await ui.compare(Uri.parse(before), Uri.parse(after), title);
}
