// The palette: one function per command, each a question to the user at most and a command of the server.
import { commands, window, workspace, type Disposable } from "vscode";

import type { ChatView } from "./chat";
import type { Differences } from "./differences";
import { ALLOW, ALWAYS, REJECT, STOP } from "./edit_review";
import { Failure, tellFailure } from "./failure";
import {
  createTemplate,
  deletePlan,
  deleteTemplate,
  exportPlan,
  pinPlan,
  restoreRevision,
  showChanges,
  useTemplate,
} from "./library";
import { setRole, switchMode, toggleMode } from "./mode";
import type { Keys } from "./keys";
import { openCommentBox, removeComments } from "./comments";
import { chooseModel, useDemoModel } from "./model";
import type { Notices } from "./notices";
import { showPlans, showSessions } from "./pickers";
import { chosenPlan, openDocument, openPlan } from "./plans";
import type { AnswerQuestion, CommentPlan, Commands, DiffStep, Execution, QuestionPending, RollbackResult } from "./protocol";
import type { Questions } from "./questions";
import type { Server } from "./server";
import { showMenu, type ModeStatus } from "./status";
import { subjectOf, type Subject } from "./subject";
import { changedFiles, changedSteps, merged, rolledBack, savedFiles } from "./text";
import * as ui from "./ui";

/** Parts of the extension that commands work with. */
interface Parts {
  readonly server: Server;
  readonly questions: Questions;
  readonly notices: Notices;
  readonly differences: Differences;
  readonly status: ModeStatus;
  readonly keys: Keys;
  readonly chat: ChatView;
}

export function registerCommands({ server, questions, notices, differences, status, keys, chat }: Parts): Disposable[] {
  const palette: Record<string, (subject: Subject) => Promise<void>> = {
    executePlan: (subject) => executePlan(server, subject),
    commentPlan: ({ plan }) => openCommentBox(server, plan),
    removeComments: async ({ plan }) => { if (plan) await removeComments(plan); },
    showFileChanges: async ({ plan }) => { if (plan) await server.call("planact.showChanges", { uri: plan }); },
    executeWithModel: async ({ plan }) => { if (plan && (await chooseModel(server, keys))) await server.call("planact.executePlan", { uri: plan }); },
    approvePlan: (subject) => approvePlan(server, subject),
    revisePlan: (subject) => revisePlan(server, subject),
    openPlan: async ({ plan }) => { if (plan) await openDocument(plan); },
    runStep: (subject) => runStep(server, subject),
    skipStep: async ({ plan, step }) => { if (plan && step) await server.call("planact.skipStep", { uri: plan, step }); },
    resume: () => resume(server),
    retryStep: (subject) => retryStep(server, subject),
    showStepDiff: (subject) => showStepDiff(server, differences, subject),
    saveFiles: (subject) => saveFiles(server, subject),
    rollBack: (subject) => rollBack(server, notices, subject),
    newPlan: (subject) => newPlan(server, subject),
    newPlanHere: (subject) => newPlan(server, subject),
    chooseFolder: ({ folder }) => server.folders.pick(folder),
    switchMode: () => switchMode(server, status.mode),
    toggleMode: () => toggleMode(server, status.mode),
    setRole: () => setRole(server, status.mode),
    setModel: async () => { await chooseModel(server, keys); },
    useDemoModel: () => useDemoModel(server),
    setKey: () => keys.choose(),
    newSession: async () => { await server.call("planact.newSession", { folder: server.folders.uri }); await chat.focus("input"); },
    showSessions: () => showSessions(server, (session) => chat.openSession(session)),
    showPlans: () => showPlans(server),
    showMenu: () => showMenu(status),
    showWaiting: () => chat.focus("dock"),
    reviewChanges: (subject) => reviewChanges(server, differences, subject.execution ?? status.work?.execution_id ?? ""),
    showExecutions: (subject) => showExecutions(server, subject),
    showChanges: (subject) => showChanges(server, subject),
    restoreRevision: (subject) => restoreRevision(server, subject),
    pinPlan: (subject) => pinPlan(server, subject),
    exportPlan: (subject) => exportPlan(server, subject),
    deletePlan: (subject) => deletePlan(server, subject),
    useTemplate: (subject) => useTemplate(server, subject),
    createTemplate: (subject) => createTemplate(server, subject),
    newTemplate: () => createTemplate(server, {}),
    deleteTemplate: (subject) => deleteTemplate(server, subject),
    answerQuestion: async ({ question }) => { if (!question || !(await questions.answerById(question))) await questions.choose(); },
    allowFile: (subject) => reviewing(questions, subject, (set) => questions.edits.decide(set, subject, true)),
    rejectFile: (subject) => reviewing(questions, subject, (set) => questions.edits.decide(set, subject, false)),
    allowAllFiles: (subject) => reviewing(questions, subject, (set) => questions.edits.decideAll(set, ALLOW)),
    alwaysAllow: (subject) => reviewing(questions, subject, (set) => questions.edits.decideAll(set, ALWAYS)),
    rejectAllFiles: (subject) => reviewing(questions, subject, (set) => questions.edits.decideAll(set, REJECT)),
    rejectAndStop: (subject) => reviewing(questions, subject, (set) => questions.edits.decideAll(set, STOP)),
    showAllFiles: (subject) => reviewing(questions, subject, (set) => questions.edits.openAll(set)),
    showNextFile: (subject) => reviewing(questions, subject, (set) => questions.edits.open(set)),
    stop: () => stop(server),
  };
  return Object.entries(palette).map(([name, run]) =>
    commands.registerCommand(`planact.ui.${name}`, async (...args: unknown[]) => {
      const subject = subjectOf(name, args, differences.active?.subject);
      if (subject) await tellFailure(() => run(subject));
      else void ui.notify("info", "What you chose this for is gone, so nothing was done. Choose it again where it is now.");
    }),
  );
}

async function reviewing(questions: Questions, subject: Subject, act: (set: QuestionPending) => Promise<void>): Promise<void> {
  const set = questions.reviewed(subject);
  if (set) await act(set);
  else void ui.notify("info", "No edit waits for your answer here.");
}

/** Runs a command that the user chose in a document. */
export async function runFromDocument(
  { server, questions, notices, differences }: Pick<Parts, "server" | "questions" | "notices" | "differences">,
  name: keyof Commands,
  args: unknown,
): Promise<void> {
  await tellFailure(async () => {
    if (name === "planact.answerQuestion" && (await questions.answerById((args as AnswerQuestion).question_id))) return;
    if (name === "planact.commentPlan") {
      const { uri, line } = args as CommentPlan;
      await openCommentBox(server, uri, line);
      return;
    }
    if (name === "planact.diffStep") {
      await showDifference(server, differences, args as DiffStep);
      return;
    }
    const result = await server.call(name, args ?? {}).catch(async (error: unknown) => {
      // VS Code shows a lens for a while after its question was answered, when the next one may be there.
      const isLate = name === "planact.answerQuestion" && error instanceof Failure && error.code === "QUESTION_NOT_OPEN";
      if (!isLate || questions.count === 0) throw error;
      await questions.choose();
    });
    if (name === "planact.rollBack" && result) tellRolledBack(notices, result as RollbackResult);
  });
}

async function executePlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Execute Plan", subject);
  if (uri) await server.call("planact.executePlan", { uri });
}

async function resume(server: Server): Promise<void> {
  const uri = openPlan();
  await server.call("planact.resumeExecution", uri ? { uri } : { folder: server.folders.uri });
}

/** Approves what the user sees then. */
async function approvePlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Approve Plan", subject);
  if (!uri) return;
  await openDocument(uri);
  const shown = await server.call("planact.showPlan", { uri });
  const approved = shown && (await server.call("planact.approvePlan", { uri, approve_hash: shown.plan_hash }));
  if (approved) ui.flash(`${approved.path} is approved as it is now.`);
}

/** Works in the comments of the plan; the server asks what should be different when there are none. */
async function revisePlan(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Revise Plan", subject);
  if (uri) await server.call("planact.revisePlan", { uri });
}

async function runStep(server: Server, { plan, step }: Subject): Promise<void> {
  if (plan && step) await server.call("planact.executeStep", { uri: plan, step });
}

async function retryStep(server: Server, subject: Subject): Promise<void> {
  const uri = await chosenPlan(server, "Retry Step", subject);
  const shown = uri && (await server.call("planact.showPlan", { uri }));
  if (!shown) return;
  const failed = shown.plan.steps.filter((step) => step.status === "failed" && step.step_number === (subject.step ?? step.step_number));
  if (failed.length === 0) {
    void ui.notify("info", "No step of this plan has failed.");
    return;
  }
  const items = failed.map((step) => ({ label: `${step.step_number}. ${step.action}`, step: step.step_number }));
  const title = "Planact: Retry Step";
  const picked = items.length === 1 ? items[0] : await ui.pick(items, { title });
  if (picked) await server.call("planact.retryStep", { uri, step: picked.step });
}

async function showStepDiff(server: Server, differences: Differences, { plan, execution, step }: Subject): Promise<void> {
  if (execution) return showDifference(server, differences, { execution_id: execution, step: step ?? 0 });
  const uri = plan ?? openPlan();
  const run = uri ? undefined : await pickRun(server, "Show Diff of Step");
  const shown = uri ? (await server.call("planact.showPlan", { uri }))?.plan.steps : run?.steps.filter(({ files }) => files.length > 0);
  const items = (shown ?? []).map(({ step_number: number, action }) => ({ label: number ? `${number}. ${action}` : action, step: number }));
  const picked = step ?? (items.length === 1 ? items[0] : await ui.pick(items, { title: "Planact: Show Diff of Step" }))?.step;
  if (picked === undefined) return;
  if (uri) await showDifference(server, differences, { uri, step: picked });
  else if (run) await showDifference(server, differences, { execution_id: run.id, step: picked });
}

/** Shows all that a run did to files, without what was rolled back. */
async function reviewChanges(server: Server, differences: Differences, id: string): Promise<void> {
  const execution = id || (await pickRun(server, "Review Changes"))?.id;
  const run = execution && (await server.call("planact.showExecution", { execution_id: execution }));
  if (!run) return;
  const steps = await Promise.all(changedSteps(run).map((step) => server.call("planact.diffStep", { execution_id: run.id, step })));
  const files = merged(steps.flatMap((step) => step?.files ?? []));
  if (files.length === 0) void ui.notify("info", "This run left no change of a file that can be shown.");
  else await differences.showRun(run.id, run.goal || "Work without a plan", files);
}

async function showDifference(server: Server, differences: Differences, what: DiffStep): Promise<void> {
  const found = await server.call("planact.diffStep", what);
  if (found) await differences.showStep(found);
}

async function rollBack(server: Server, notices: Notices, subject: Subject): Promise<void> {
  const uri = subject.execution ? undefined : (subject.plan ?? openPlan());
  const id = subject.execution ?? (uri ? undefined : (await pickRun(server, "Roll Back"))?.id);
  const step = subject.step ?? null;
  const what = uri ? { uri, step } : id && { execution_id: id, step };
  const done = what && (await server.call("planact.rollBack", what));
  if (done) tellRolledBack(notices, done);
}

/** Saves the files of a run, or of the newest in the folder in hand, that are open and changed. */
async function saveFiles(server: Server, { execution = "" }: Subject): Promise<void> {
  const done = await server.call("planact.saveFiles", { execution_id: execution, folder: execution ? "" : server.folders.uri });
  if (!done) return;
  if (done.unsaved.length > 0) void ui.notify("warning", savedFiles(done));
  else ui.flash(savedFiles(done));
}

/** Lets the user pick a run that changed files which are not rolled back. */
async function pickRun(server: Server, title: string): Promise<Execution | undefined> {
  const lists = await server.folders.each((folder) => server.call("planact.listExecutions", { folder }));
  if (lists.length === 0) return undefined;
  const items = lists.flatMap(({ folder, found }) => found.executions.filter((run) => changedFiles(run).length > 0).map((run) => ({
    label: run.goal || "Work without a plan",
    description: run.status.replace("_", " "),
    detail: server.folders.placed(changedFiles(run).join(", "), folder),
    run,
  })));
  if (items.length === 0) {
    void ui.notify("info", "No run has changed files that can be rolled back.");
    return undefined;
  }
  return (await ui.pick(items, { title: `Planact: ${title}`, matchOnDetail: true }))?.run;
}

async function newPlan(server: Server, { folder = server.folders.uri }: Subject): Promise<void> {
  const request = await ui.askText({
    title: server.folders.titled("New Plan", folder),
    prompt: "What do you want done?",
    placeHolder: "Rename `load` to `read_config` everywhere",
  });
  if (!request?.trim()) return;
  const made = await server.call("planact.generatePlan", { request, folder });
  if (made?.uri) await openDocument(made.uri);
}

async function showExecutions(server: Server, subject: Subject): Promise<void> {
  const id = subject.execution ?? (await pickExecution(server));
  const shown = id && (await server.call("planact.showExecution", { execution_id: id }));
  if (!shown) return;
  await window.showTextDocument(await workspace.openTextDocument({ language: "markdown", content: shown.report }));
}

async function pickExecution(server: Server): Promise<string | undefined> {
  const lists = await server.folders.each((folder) => server.call("planact.listExecutions", { folder }));
  const items = lists.flatMap(({ folder, found }) => found.executions.map((run) => ({
    label: run.goal || "Work without a plan",
    description: run.status.replace("_", " "),
    detail: server.folders.placed(new Date(run.started_at).toLocaleString(), folder),
    id: run.id,
  })));
  if (lists.length > 0 && items.length === 0) void ui.notify("info", "Nothing was executed yet.");
  if (items.length === 0) return undefined;
  return (await ui.pick(items, { title: "Planact: Show Executions" }))?.id;
}

/** Whatever works: in the folder in hand first. */
async function stop(server: Server): Promise<void> {
  const result = await server.call("planact.stop", { folder: server.folders.uri });
  if (result && !result.stopped) void ui.notify("info", "Nothing is running.");
}

/** Tells what a rollback could not put back, where the view doesn't say so. */
function tellRolledBack(notices: Notices, done: RollbackResult): void {
  if (done.stayed.length > 0 && !notices.isSeen()) void ui.notify("warning", rolledBack(done));
}
