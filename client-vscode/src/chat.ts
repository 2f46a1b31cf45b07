// The chat view in the side bar: its page, and the bridge over which it asks for what it needs.
import { randomBytes } from "node:crypto";
import { join } from "node:path";

import {
  commands,
  Disposable,
  EventEmitter,
  env,
  Uri,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type Webview,
  type WebviewView,
  type WebviewViewProvider,
} from "vscode";

import { EDITOR_COMMANDS, type Call, type Calls, type Draft, type FromView, type Notification, type ServerState, type ToView } from "./bridge";
import { Failure } from "./failure";
import { Kept } from "./kept";
import { findPaths, withMentions } from "./mentions";
import { setMode } from "./mode";
import { isPlan, openDocument, openFile } from "./plans";
import type { Commands, Notifications, OpenSession } from "./protocol";
import type { Server } from "./server";
import { Surroundings } from "./surroundings";

const TYPED_MS = 200;

type EditorCalls = { [C in keyof Calls & `editor/${string}`]: (args: Calls[C]["arguments"]) => Promise<Calls[C]["result"]> };

export class ChatView implements WebviewViewProvider {
  private view: WebviewView | undefined;
  private readonly visibilityChanged = new EventEmitter<void>();
  /** The user sees it now, or doesn't any more. */
  readonly onDidChangeVisibility = this.visibilityChanged.event;
  private state: ServerState = { condition: "starting" };
  private timer: NodeJS.Timeout | undefined;
  private resuming: Promise<void> | undefined;
  /** The session that was in hand last, by folder. */
  private readonly sessions: Kept<Readonly<Record<string, string>>>;
  private readonly text: Kept<string>;
  private readonly images: Kept<Draft["images"]>;
  private readonly answers: Kept<Draft["answers"]>;
  private readonly surroundings: Surroundings;
  private readonly dist: Uri;
  private readonly editor: EditorCalls = {
    "editor/folder": () => Promise.resolve(this.server.folders.uri),
    "editor/resumeSession": async () => { await this.resumeSession(); return null; },
    "editor/draft": async () => ({ text: await this.text.get(), images: await this.images.get(), answers: await this.answers.get() }),
    "editor/keepDraft": async ({ text, images, answers }) => {
      await Promise.all([text !== undefined && this.text.set(text), images && this.images.set(images), answers && this.answers.set(answers)]);
      return null;
    },
    "editor/findFiles": (typed) => findPaths(typed, this.server.folders.inHand),
    "editor/setMode": async (mode) => { await setMode(this.server, mode); return null; },
    "editor/open": async ({ uri, line, keepsFocus }) => { await openDocument(uri, line, keepsFocus); return null; },
    "editor/openFile": async ({ path, line }) => { await openFile(this.server.folders.inHand, path, line); return null; },
    "editor/copy": async (text) => { await env.clipboard.writeText(text); return null; },
    "editor/command": async ({ name, subject }) => {
      if (!EDITOR_COMMANDS.includes(name)) return null; // what comes from a page is checked
      await commands.executeCommand(`planact.ui.${name}`, ...(subject ? [{ subject }] : []));
      return null;
    },
  };

  constructor(
    context: ExtensionContext,
    private readonly server: Server,
    log: LogOutputChannel,
  ) {
    const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    const warn = (problem: string) => { log.warn(problem); };
    this.sessions = new Kept(join(folder, "sessions.json"), {}, warn);
    this.text = new Kept(join(folder, "draft.json"), "", warn);
    this.images = new Kept<Draft["images"]>(join(folder, "images.json"), [], warn);
    this.answers = new Kept<Draft["answers"]>(join(folder, "answers.json"), {}, warn);
    this.surroundings = new Surroundings(server.folders, (changed) => { this.post({ kind: "surroundings", ...changed }); });
    this.dist = Uri.joinPath(context.extensionUri, "dist");
  }

  register(): Disposable {
    return Disposable.from(
      window.registerWebviewViewProvider("planact.chat", this, { webviewOptions: { retainContextWhenHidden: true } }),
      workspace.onDidChangeTextDocument(({ document }) => { if (isPlan(document)) this.editedSoon(); }),
      this.surroundings,
      { dispose: () => { clearTimeout(this.timer); } },
      this.visibilityChanged,
    );
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, enableCommandUris: false, localResourceRoots: [this.dist] };
    view.webview.onDidReceiveMessage((message: FromView) => this.take(message));
    view.onDidChangeVisibility(() => { this.visibilityChanged.fire(); });
    view.onDidDispose(() => { this.view = undefined; this.visibilityChanged.fire(); });
    this.visibilityChanged.fire();
    view.webview.html = page(view.webview, this.dist);
  }

  notify<M extends keyof Notifications>(method: M, params: Notifications[M]): void {
    if (method === "planact/modeChanged") void this.remember();
    this.post({ kind: "notification", method, params } as Notification);
  }

  /** Shows the view, with the keyboard at what waits or where to write. */
  async focus(what: "dock" | "input"): Promise<void> {
    await commands.executeCommand("planact.chat.focus");
    this.post({ kind: "focus", what });
  }

  stateChanged(state: ServerState): void {
    this.state = state;
    this.post({ kind: "condition", ...state });
  }

  /** Puts a text into the input, which the user sends or not. */
  wish(text: string): void {
    this.post({ kind: "wish", text });
  }

  /** Takes the session that was in hand last in this folder, or whose work waits, where the server has none in hand yet; once at a time. */
  resumeSession(): Promise<void> {
    this.resuming ??= this.resumeNow().finally(() => { this.resuming = undefined; });
    return this.resuming;
  }

  private async resumeNow(): Promise<void> {
    const folder = this.server.folders.uri;
    const status = await this.server.call("planact.showStatus", { folder });
    if (!status || status.session) return;
    // a second window keeps files of its own: there it is the session whose work the status bar shows
    const last = (await this.sessions.get())[folder] ?? (status.work?.elsewhere ? "" : status.work?.session_id);
    if (!last) return;
    // it may be deleted by now
    await this.server.call("planact.openSession", { session_id: last }).catch(() => undefined);
  }

  /** Once for all that is typed until then. */
  private editedSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.post({ kind: "edited" }); }, TYPED_MS);
  }

  /** The session in hand is the one to go on with when the window is loaded again. */
  private async remember(): Promise<void> {
    const folder = this.server.folders.uri;
    const session = (await this.server.call("planact.showStatus", { folder }).catch(() => undefined))?.session;
    if (session) await this.keep(folder, session.id);
  }

  private async keep(folder: string, session: string): Promise<void> {
    await this.sessions.set({ ...(await this.sessions.get()), [folder]: session });
  }

  /** The one that is opened is kept before it is in hand: the window may be loaded again at any time. */
  async openSession(args: OpenSession): Promise<unknown> {
    const folder = this.server.folders.uri;
    const before = (await this.sessions.get())[folder] ?? "";
    await this.keep(folder, args.session_id);
    try {
      return await this.server.call("planact.openSession", args);
    } catch (error) {
      await this.keep(folder, before);
      throw error;
    }
  }

  private async take(message: FromView): Promise<void> {
    if (message.kind === "ready") {
      this.post({ kind: "condition", ...this.state });
      this.surroundings.tell();
      return;
    }
    const { id } = message;
    try {
      this.post({ kind: "done", id, result: await this.run(message) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.post({ kind: "failed", id, message: error.message, code: error.code });
    }
  }

  private run({ name, arguments: args }: Call): Promise<unknown> {
    if (name in this.editor) return this.editor[name as keyof EditorCalls](args as never);
    if (name === "planact/transcript") return this.server.request(name, args);
    if (name === "planact.openSession") return this.openSession(args);
    if (name === "planact.sendMessage") return this.server.call(name, withMentions(args, this.server.folders.inHand));
    return this.server.call(name as keyof Commands, args as never);
  }

  private post(message: ToView): void {
    void this.view?.webview.postMessage(message);
  }
}

/** Nothing runs but our own script, and nothing is loaded from elsewhere: pictures are those that a message carries. */
function page(webview: Webview, dist: Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const [script, style] = ["chat.js", "chat.css"].map((name) => webview.asWebviewUri(Uri.joinPath(dist, name)).toString());
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; font-src ${webview.cspSource}; img-src data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Planact</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="root"></main>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
