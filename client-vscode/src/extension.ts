// Where the parts meet. The extension finds and starts the server, forwards commands, and shows what LSP cannot.
import { join } from "node:path";

import { commands, Uri, window, workspace, type ExtensionContext } from "vscode";

import { AppliedEdits } from "./applied_edits";
import { ChatView } from "./chat";
import { registerCommands, runFromDocument } from "./commands";
import { registerComments } from "./comments";
import { DiagnosticsTeller, HiddenDocuments } from "./diagnostics";
import { Differences } from "./differences";
import { EditorModels } from "./editor_models";
import { tellFailure } from "./failure";
import { Folders } from "./folders";
import { registerFirstSteps, stepReady, stepTaken, tellTrust } from "./first_steps";
import { Installation } from "./installation";
import { Keys } from "./keys";
import { Notices } from "./notices";
import { Offers } from "./offers";
import { Questions } from "./questions";
import { Recovery } from "./recovery";
import { saveDocuments } from "./save";
import { Server } from "./server";
import { Starter } from "./start";
import { ModeStatus } from "./status";
import { StepMarks } from "./step_marks";
import { symbolHandlers } from "./symbols";
import { notSaved } from "./text";
import { Trees } from "./trees";
import type { Work } from "./protocol";
import { endOf, type WorkNotice } from "./work_notices";

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("Planact", { log: true });
  const status = new ModeStatus();
  const folders = new Folders(context.workspaceState);
  const hidden = new HiddenDocuments();
  const diagnostics = new DiagnosticsTeller(hidden);
  const version = (context.extension.packageJSON as { readonly version: string }).version;
  const server: Server = new Server(version, log, folders, hidden, {
    notifications: {
      "planact/modeChanged": (change) => {
        if (!folders.isInHand(change.folder)) return;
        status.update({ mode: change.mode, plan: change.plan_file });
        chat.notify("planact/modeChanged", change);
      },
      "planact/questionPending": (set) => {
        questions.pending(set);
        chat.notify("planact/questionPending", set);
      },
      "planact/questionResolved": (end) => {
        questions.resolved(end);
        chat.notify("planact/questionResolved", end);
      },
      "planact/message": (message) => { chat.notify("planact/message", message); },
      "planact/messageDelta": (delta) => { chat.notify("planact/messageDelta", delta); },
      "planact/modelRetry": (retry) => { chat.notify("planact/modelRetry", retry); },
      "planact/planChanged": (change) => { chat.notify("planact/planChanged", change); trees.planChanged(change); stepTaken("planact/planChanged", change); },
      "planact/executionProgress": (progress) => { chat.notify("planact/executionProgress", progress); trees.executionMoved(); applied.heard(progress); stepTaken("planact/executionProgress", progress); void differences.rolledBack(progress.execution); },
      "planact/workChanged": (change) => {
        chat.notify("planact/workChanged", change);
        if (folders.isInHand(change.folder)) workMoved(change.work);
      },
      "planact/usage": (usage) => { chat.notify("planact/usage", usage); },
    },
    save: saveDocuments,
    diagnostics: (asked) => diagnostics.tell(asked),
    complete: (wanted, token) => models.complete(wanted, token),
    symbols: symbolHandlers(hidden),
    command: (name, args) => runFromDocument({ server, questions, notices, differences }, name, args),
    offersChanged: () => { offers.lookSoon(); planComments.refresh(); },
    started: () => tellFailure(async () => { await tellTrust(server); await keys.handOver(); await models.begin(); }),
    ended: () => void starter.ended(),
  });
  const differences = new Differences();
  const applied = new AppliedEdits(server, differences);
  const keys = new Keys(context, server);
  const models = new EditorModels(server, log);
  const chat = new ChatView(context, server, log);
  const notices = new Notices(context.workspaceState, () => chat.isVisible && window.state.focused);
  const questions = new Questions(server, differences, notices, () => chat.focus("dock"));
  const marks = new StepMarks(Uri.joinPath(context.extensionUri, "icons"));
  const offers = new Offers();
  const recovery = new Recovery();
  const planComments = registerComments(server);
  const trees = new Trees(server, questions);
  const storage = join(context.globalStorageUri.fsPath, "server");
  const installation = new Installation(context.asAbsolutePath("bundled"), storage, (line) => { log.info(line); });
  const starter = new Starter(server, installation, log, context.globalState, version, notices.isSeen);

  const workMoved = (work: Work): void => {
    const end = endOf(work, status.work);
    status.update({ work });
    if (end) void tellEnd(server, notices, end);
  };

  context.subscriptions.push(
    log,
    status,
    folders,
    diagnostics,
    hidden.watch((document) => { server.show(document); }),
    server,
    questions,
    differences,
    marks,
    offers,
    trees,
    chat.register(),
    ...registerCommands({ server, questions, notices, differences, status, keys, chat }),
    planComments,
    ...registerFirstSteps(server, context.extensionUri),
    keys.watch(),
    models.watch(),
    commands.registerCommand("planact.ui.restartServer", () => starter.start()),
    commands.registerCommand("planact.ui.installServer", () => starter.install()),
    commands.registerCommand("planact.ui.cancelInstall", () => { starter.cancelInstall(); }),
    commands.registerCommand("planact.ui.chooseCommand", () => starter.chooseCommand()),
    commands.registerCommand("planact.ui.showLog", () => { log.show(); }),
    folders.onDidPick(() => { server.tellAgain(); }),
    chat.onDidChangeVisibility(() => { status.update({ isChatVisible: chat.isVisible }); questions.showBeside(); }),
    window.onDidChangeWindowState(() => { questions.showBeside(); }),
    server.onDidChangeCondition((state) => {
      const { condition } = state;
      status.update({ condition });
      chat.stateChanged(state);
      void commands.executeCommand("setContext", "planact.isRunning", condition === "running");
      if (condition !== "running") return;
      planComments.refresh();
      marks.drawSoon();
      offers.lookSoon();
      void tellFailure(() => catchUp(server, chat, questions, status, recovery));
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("planact.server.command")) void starter.start();
      else if (change.affectsConfiguration("planact")) void server.sendSettings().then(() => { server.tellAgain(); });
    }),
  );
  void starter.start();
}

/** Tells how a run ended, with what it left to do. */
async function tellEnd(server: Server, notices: Notices, { key, level, message, execution }: WorkNotice): Promise<void> {
  const shown = execution ? await server.call("planact.showExecution", { execution_id: execution }).catch(() => undefined) : undefined;
  const run = (name: string) => commands.executeCommand(`planact.ui.${name}`, { subject: { execution } });
  const buttons = [
    execution ? { title: "Review Changes", act: () => run("reviewChanges") } : { title: "Show", act: () => run("showWaiting") },
    ...(shown && shown.unsaved.length > 0 ? [{ title: "Save All", act: () => run("saveFiles") }] : []),
  ];
  notices.tell({ key, level, message: [message, notSaved(shown?.unsaved ?? [])].filter(Boolean).join(" "), buttons });
}

/** What happened before this connection or in another folder: the mode, the plan in hand, the open questions. */
async function catchUp(server: Server, chat: ChatView, questions: Questions, status: ModeStatus, recovery: Recovery): Promise<void> {
  const { folders } = server;
  status.showFolder(folders.nameOf(folders.uri));
  await chat.resumeSession();
  const current = await server.call("planact.showStatus", { folder: folders.uri });
  if (current) {
    const { mode, sandbox, missing, work } = current;
    status.update({ mode, sandbox, missing, work: work ?? undefined, plan: current.session?.plan_file ?? "" });
    stepReady(current);
    recovery.tell(current);
  }
  await questions.load();
}
