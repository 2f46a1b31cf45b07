// The palette: one function per command, each a question to the user at most and a command of the server.
import { commands, Uri, window, workspace, type Disposable } from "vscode";

import { tellFailure } from "./failure";
import { setRole, switchMode } from "./mode";
import { chosenPlan, openDocument, pickPlan } from "./plans";
import type { AnswerQuestion, Commands, ExecuteStep, Execution } from "./protocol";
import type { Questions } from "./questions";
import type { Server } from "./server";
import type { ModeStatus } from "./status";
import { summary } from "./text";

export function registerCommands(server: Server, questions: Questions, status: ModeStatus): Disposable[] {
  const palette: Record<string, () => Promise<void>> = {
    executePlan: () => executePlan(server),
    newPlan: () => newPlan(server),
    switchMode: () => switchMode(server, status.mode),
    setRole: () => setRole(server, status.mode),
    showPlans: () => showPlans(server),
    showChanges: () => showChanges(server),
    answerQuestion: () => questions.choose(),
    stop: () => stop(server),
  };
  return Object.entries(palette).map(([name, run]) =>
    commands.registerCommand(`planact.ui.${name}`, () => tellFailure(run)),
  );
}

/** Runs a command that the user chose in a document. */
export async function runFromDocument(
  server: Server,
  questions: Questions,
  name: keyof Commands,
  args: unknown,
): Promise<void> {
  await tellFailure(async () => {
    if (name === "planact.answerQuestion" && (await questions.answerById((args as AnswerQuestion).question_id))) return;
    const result = await server.call(name, args ?? {});
    if (name === "planact.executePlan" && result) tellEnd(result as Execution);
    if (name === "planact.executeStep" && result) tellEnd(result as Execution, (args as ExecuteStep).step);
  });
}

async function executePlan(server: Server): Promise<void> {
  const uri = await chosenPlan(server, "Execute Plan");
  const execution = uri && (await server.call("planact.executePlan", { uri }));
  if (execution) tellEnd(execution);
}

async function newPlan(server: Server): Promise<void> {
  const editor = window.activeTextEditor;
  const folder = editor && workspace.getWorkspaceFolder(editor.document.uri)?.uri.toString();
  const request = await window.showInputBox({
    title: "Planact: New Plan",
    prompt: "What do you want done?",
    placeHolder: "Rename `load` to `read_config` everywhere",
    ignoreFocusOut: true,
  });
  if (!request?.trim()) return;
  const made = await server.call("planact.generatePlan", folder ? { request, folder } : { request });
  if (made?.uri) await openDocument(made.uri);
}

async function showPlans(server: Server): Promise<void> {
  const uri = await pickPlan(server, "Show Plans");
  if (uri) await openDocument(uri);
}

async function showChanges(server: Server): Promise<void> {
  const uri = await chosenPlan(server, "Show Changes of Plan");
  const found = uri && (await server.call("planact.diffPlan", { uri }));
  if (!found) return;
  if (!found.diff) {
    void window.showInformationMessage("Nothing in this plan has changed.");
    return;
  }
  const [before, after] = [Uri.parse(found.before_uri), Uri.parse(found.after_uri)];
  await commands.executeCommand("vscode.diff", before, after, `${found.path} (before ↔ now)`);
}

async function stop(server: Server): Promise<void> {
  const result = await server.call("planact.stop", {});
  if (result && !result.stopped) void window.showInformationMessage("Nothing is running.");
}

function tellEnd(execution: Execution, step?: number): void {
  const show = execution.status === "failed" ? window.showWarningMessage : window.showInformationMessage;
  void show(summary(execution, step));
}
