// Where the parts meet. The extension finds and starts the server, forwards commands, and shows what LSP cannot.
import { join } from "node:path";

import { commands, Uri, window, workspace, type ExtensionContext } from "vscode";

import { AppliedEdits } from "./applied_edits";
import { ChatView } from "./chat";
import { registerCommands, runFromDocument } from "./commands";
import { DiagnosticsTeller, HiddenDocuments } from "./diagnostics";
import { Differences } from "./differences";
import { tellFailure } from "./failure";
import { Folders } from "./folders";
import { registerFirstSteps, stepReady, stepTaken, tellTrust } from "./first_steps";
import { Installation } from "./installation";
import { Keys } from "./keys";
import { Offers } from "./offers";
import { Questions } from "./questions";
import { Recovery } from "./recovery";
import { saveDocuments } from "./save";
import { Server } from "./server";
import { Starter } from "./start";
import { ModeStatus } from "./status";
import { StepMarks } from "./step_marks";
import { symbolHandlers } from "./symbols";
import { Trees } from "./trees";

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
      "planact/executionProgress": (progress) => { chat.notify("planact/executionProgress", progress); trees.executionMoved(); applied.heard(progress); stepTaken("planact/executionProgress", progress); },
      "planact/workChanged": (change) => { chat.notify("planact/workChanged", change); },
      "planact/usage": (usage) => { chat.notify("planact/usage", usage); },
    },
    save: saveDocuments,
    diagnostics: (asked) => diagnostics.tell(asked),
    symbols: symbolHandlers(hidden),
    command: (name, args) => runFromDocument(server, questions, differences, name, args),
    offersChanged: () => { offers.lookSoon(); },
    started: () => tellFailure(async () => { await tellTrust(server); await keys.handOver(); }),
    ended: () => void starter.ended(),
  });
  const differences = new Differences();
  const applied = new AppliedEdits(server, differences);
  const keys = new Keys(context, server);
  const chat = new ChatView(context, server, keys, log);
  const questions = new Questions(server, differences, context.workspaceState, () => chat.isVisible && window.state.focused);
  const marks = new StepMarks(Uri.joinPath(context.extensionUri, "icons"));
  const offers = new Offers();
  const recovery = new Recovery();
  const trees = new Trees(server, questions);
  const storage = join(context.globalStorageUri.fsPath, "server");
  const installation = new Installation(context.asAbsolutePath("bundled"), storage, (line) => { log.info(line); });
  const starter = new Starter(server, installation, log, context.globalState, version);

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
    ...registerCommands(server, questions, differences, status, keys),
    ...registerFirstSteps(server, context.extensionUri),
    keys.watch(),
    commands.registerCommand("planact.ui.restartServer", () => starter.start()),
    commands.registerCommand("planact.ui.installServer", () => starter.install()),
    commands.registerCommand("planact.ui.chooseCommand", () => starter.chooseCommand()),
    commands.registerCommand("planact.ui.showLog", () => { log.show(); }),
    folders.onDidPick(() => { server.tellAgain(); }),
    questions.onDidChange(() => { status.update({ waiting: questions.count }); }),
    server.onDidChangeCondition((condition) => {
      status.update({ condition });
      chat.conditionChanged(condition);
      void commands.executeCommand("setContext", "planact.isRunning", condition === "running");
      if (condition !== "running") return;
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

/** What happened before this connection or in another folder: the mode, the plan in hand, the open questions. */
async function catchUp(server: Server, chat: ChatView, questions: Questions, status: ModeStatus, recovery: Recovery): Promise<void> {
  const { folders } = server;
  status.showFolder(folders.nameOf(folders.uri));
  await chat.resumeSession();
  const current = await server.call("planact.showStatus", { folder: folders.uri });
  if (current) {
    status.update({ mode: current.mode, plan: current.session?.plan_file ?? "", sandbox: current.sandbox });
    stepReady(current);
    recovery.tell(current);
  }
  await questions.load();
}
