// The lists behind the title buttons: Sessions…, and Plans and Runs….
import { commands } from "vscode";

import { DELETE, EXECUTE, MORE, planRows, RENAME, REVIEW, ROLL_BACK, sessionRows, type PlanRow, type SessionRow } from "./listed";
import { openDocument } from "./plans";
import type { OpenSession, Session } from "./protocol";
import type { Server } from "./server";
import type { Subject } from "./subject";
import * as ui from "./ui";

const NO_SESSION = "No session yet.";
const NO_PLAN = "No plan yet. Say what should change.";
const TEMPLATE = { label: "New from Template…" };

/** Commands of a plan that have no button of their own. */
const FURTHER = [
  { label: "Approve", name: "approvePlan" },
  { label: "Revise", name: "revisePlan" },
  { label: "Show Changes", name: "showChanges" },
  { label: "Restore Revision…", name: "restoreRevision" },
  { label: "Show Runs…", name: "showExecutions" },
  { label: "Pin or Unpin", name: "pinPlan" },
  { label: "Save as Template…", name: "createTemplate" },
  { label: "Export…", name: "exportPlan" },
  { label: "Delete", name: "deletePlan" },
];

/** Lets the user open, rename or delete a session of the folder in hand; `open` takes it in hand. */
export async function showSessions(server: Server, open: (session: OpenSession) => Promise<unknown>): Promise<void> {
  const folder = server.folders.uri;
  const [sessions, plans] = await Promise.all([server.call("planact.listSessions", { folder }), server.call("planact.listPlans", { folder })]);
  if (!sessions) return;
  const rows = sessionRows(sessions.sessions, plans?.plans ?? []);
  const picked = await ui.pickOrPress<SessionRow>(rows, { title: server.folders.titled("Sessions", folder), placeHolder: rows.length > 0 ? "" : NO_SESSION });
  if (!picked) return;
  const { row, button } = picked;
  if (button === RENAME) await rename(server, row.session);
  else if (button === DELETE) await server.call("planact.deleteSession", { session_id: row.session.id });
  else {
    await open({ session_id: row.session.id });
    await commands.executeCommand("planact.chat.focus");
    return;
  }
  await showSessions(server, open);
}

async function rename(server: Server, { id, title: value }: Session): Promise<void> {
  const title = await ui.askText({ title: "Planact: Rename Session", value });
  if (title?.trim()) await server.call("planact.renameSession", { session_id: id, title: title.trim() });
}

/** Lets the user open a plan or a run, of all folders, or run a command on it. */
export async function showPlans(server: Server): Promise<void> {
  const rows = await listPlans(server);
  if (!rows) return;
  const all = [...rows, { heading: "" }, TEMPLATE];
  const picked = await ui.pickOrPress<PlanRow | typeof TEMPLATE>(all, { title: "Planact: Plans and Runs", placeHolder: rows.length > 0 ? "" : NO_PLAN, matchOnDetail: true });
  if (!picked) return;
  if (!("plan" in picked.row)) await run("useTemplate", {});
  else if (picked.button) await press(picked.row, picked.button);
  else if (picked.row.plan) await openDocument(picked.row.plan);
  else await run("showExecutions", { execution: picked.row.execution });
}

async function listPlans(server: Server): Promise<(PlanRow | ui.Heading)[] | undefined> {
  const lists = await server.folders.each(async (folder) => {
    const [plans, runs] = await Promise.all([server.call("planact.listPlans", { folder }), server.call("planact.listExecutions", { folder })]);
    return plans && { plans: plans.plans, runs: runs?.executions ?? [] };
  });
  if (lists.length === 0) return undefined;
  return [...planRows(lists.map(({ folder, found }) => ({ ...found, place: (detail: string) => server.folders.placed(detail, folder) })))];
}

async function press({ plan, execution }: PlanRow, button: ui.IconButton): Promise<void> {
  const subject: Subject = plan ? { plan } : { execution };
  if (button === EXECUTE) await run("executePlan", subject);
  if (button === ROLL_BACK) await run("rollBack", subject);
  if (button === REVIEW) await run("reviewChanges", subject);
  if (button !== MORE) return;
  const picked = await ui.pick(FURTHER, { title: "Planact: Plan" });
  if (picked) await run(picked.name, subject);
}

async function run(name: string, subject: Subject): Promise<void> {
  await commands.executeCommand(`planact.ui.${name}`, { subject });
}
