// What leads to the first plan: the walkthrough, how far the user has come in it, and trust in the workspace.
import { commands, Uri, workspace, type Disposable } from "vscode";

import { Failure, tellFailure } from "./failure";
import type { Notifications, Status } from "./protocol";
import type { Server } from "./server";
import * as ui from "./ui";

const TRUST = "Trust Them";
const SHOW = "Show Them";
const WALKTHROUGH = "planact.planact#start";

export function registerFirstSteps(server: Server, extension: Uri): Disposable[] {
  return [
    commands.registerCommand("planact.ui.getStarted", () => commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false)),
    commands.registerCommand("planact.ui.openGuide", () => commands.executeCommand("markdown.showPreview", Uri.joinPath(extension, "docs", "guide.md"))),
    commands.registerCommand("planact.ui.manageTrust", () => commands.executeCommand("workbench.trust.manage")),
    commands.registerCommand("planact.ui.trustFolder", () => tellFailure(() => trustFolder(server))),
    ...watchOwnSettings(() => { server.tellAgain(); }),
    workspace.onDidGrantWorkspaceTrust(() => tellFailure(async () => {
      if (!server.isRunning) return; // it is told when it has started
      await tellTrust(server);
      server.tellAgain();
    })),
  ];
}

/** Tells the server that the workspace is trusted, if it is; it starts in the belief of the moment at which it is started. */
export async function tellTrust(server: Server): Promise<void> {
  if (workspace.isTrusted) await server.request("planact/workspaceTrust", { is_trusted: true });
}

/** Asks whether what a folder says of planact counts fully: as it was when it was asked, since any change of it is asked about again. */
async function trustFolder(server: Server, lead = ""): Promise<void> {
  const folder = server.folders.uri;
  const status = await server.call("planact.showStatus", { folder });
  if (status?.is_trusted) {
    void ui.notify("info", status.fingerprint ? "This folder's settings and roles are trusted as they are." : "This folder brings no settings or roles of its own.");
  }
  if (!status || status.is_trusted) return;
  const detail = "They may then say which model is used, which MCP servers are started, what needs no question, and what roles may do. Hooks count from your own settings alone. When they change, you are asked again.";
  const choice = await ui.confirm(`${lead}Trust the settings and roles in this folder's .planact, as they are now?`, detail, TRUST, SHOW);
  if (choice === SHOW) await commands.executeCommand("revealInExplorer", Uri.joinPath(Uri.parse(folder), ".planact"));
  if (choice !== TRUST) return;
  try {
    await server.call("planact.trustFolder", { folder, seen: status.fingerprint });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "TRUST_OUTDATED") throw error;
    return trustFolder(server, "They have changed since you were asked. ");
  }
  server.tellAgain();
}

/** A folder's own settings and roles came, changed or went. */
function watchOwnSettings(changed: () => void): Disposable[] {
  return ["**/.planact/config.toml", "**/.planact/roles/*"].flatMap((pattern) => {
    const watcher = workspace.createFileSystemWatcher(pattern);
    return [watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed)];
  });
}

/** What is ready, from the server. */
export function stepReady(status: Status): void {
  done("server");
  if (!status.missing) done("model");
}

/** What the user has seen happen. */
export function stepTaken<M extends "planact/planChanged" | "planact/executionProgress">(method: M, params: Notifications[M]): void {
  if (method === "planact/planChanged") done("plan");
  else if ((params as Notifications["planact/executionProgress"]).execution.status === "success") done("executed");
}

/** The walkthrough's steps wait for these contexts. */
function done(step: "server" | "model" | "plan" | "executed"): void {
  void commands.executeCommand("setContext", `planact.first.${step}`, true);
}
