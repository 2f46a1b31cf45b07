// The connection to the language server: starts it, starts it again, and speaks with it in the types of protocol.ts.
import { spawn, type ChildProcess } from "node:child_process";
import { homedir } from "node:os";

import { EventEmitter, LogLevel, workspace, type CancellationToken, type Disposable, type LogOutputChannel, type TextDocument } from "vscode";
import {
  CloseAction,
  CodeLensRefreshRequest,
  DidOpenTextDocumentNotification,
  ErrorAction,
  LanguageClient,
  State,
  type LanguageClientOptions,
  type Message,
  type StaticFeature,
} from "vscode-languageclient/node";

import type { Condition, ServerState } from "./bridge";
import type { HiddenDocuments } from "./diagnostics";
import type { CommandLine } from "./executable";
import { Failure } from "./failure";
import type { Folders } from "./folders";
import { Lenses } from "./lenses";
import { withGoal } from "./plans";
import type { Capability, ClientNotifications, Commands, Notifications, Requests } from "./protocol";
import { withPlainText } from "./server_texts";
import { userSettings } from "./settings";
import { fits } from "./version";

const START_LIMIT_MS = 60_000;
const RESTARTS = 3;
const RESTART_WINDOW_MS = 180_000;

/** What the server asks about names in source code. */
export type SymbolRequest = "planact/references" | "planact/definitions" | "planact/renameEdits" | "planact/codeActions";

/** Where the server's messages go. */
export interface Handlers {
  readonly notifications: { [M in keyof Notifications]?: (message: Notifications[M]) => void };
  save(params: Requests["planact/save"]["params"]): Promise<Requests["planact/save"]["result"]>;
  diagnostics(params: Requests["planact/diagnostics"]["params"]): Promise<Requests["planact/diagnostics"]["result"]>;
  complete(params: Requests["planact/complete"]["params"], token: CancellationToken): Promise<Requests["planact/complete"]["result"]>;
  readonly symbols: { [M in SymbolRequest]: (params: Requests[M]["params"]) => Promise<Requests[M]["result"]> };
  /** A command that the user chose in a document: a lens or a code action. */
  command(name: keyof Commands, args: unknown): Promise<void>;
  /** What can be done with plans may have changed. */
  offersChanged(): void;
  /** The server can be spoken to, and nobody has yet. */
  started(): Promise<void>;
  /** The server ended and is not started again. */
  ended(): void;
}

/** The server is of another version than the extension works with. */
export class Unfit extends Error {
  constructor(readonly version: string) {
    super(`the server is version ${version || "unknown"}`);
  }
}

export class Server implements Disposable {
  private client: Client | undefined;
  private process: ChildProcess | undefined;
  private readonly lenses = new Lenses();
  private readonly conditionChanged = new EventEmitter<ServerState>();
  readonly onDidChangeCondition = this.conditionChanged.event;

  constructor(
    private readonly version: string,
    private readonly log: LogOutputChannel,
    readonly folders: Folders,
    private readonly hidden: HiddenDocuments,
    private readonly handlers: Handlers,
  ) {}

  get isRunning(): boolean {
    return this.client?.isRunning() ?? false;
  }

  /** Starts it in place of the one that runs. Rejects when it doesn't start, with `Unfit` when it is of another version. */
  async start(commandLine: CommandLine): Promise<void> {
    await this.stop();
    this.tellState("starting", "", Date.now());
    const client = new Client(async () => (this.process = await startProcess(commandLine)), this.options());
    this.client = client;
    client.registerFeature(declares({ questions: true, save: true, diagnostics: true, references: true, symbols: true, messages: true, models: true }));
    for (const [method, handler] of Object.entries(this.handlers.notifications)) {
      client.onNotification(method, handler as (message: unknown) => void);
    }
    client.onRequest("planact/save", (params: Requests["planact/save"]["params"]) => this.handlers.save(params));
    client.onRequest("planact/diagnostics", (params: Requests["planact/diagnostics"]["params"]) => this.handlers.diagnostics(params));
    client.onRequest("planact/complete", (params: Requests["planact/complete"]["params"], token: CancellationToken) => this.handlers.complete(params, token));
    for (const [method, handler] of Object.entries(this.handlers.symbols)) {
      client.onRequest(method, handler as (params: unknown) => Promise<unknown>);
    }
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      if (newState !== State.Running) this.tellState(CONDITIONS[newState]);
      else if (this.fits(client)) void this.handlers.started().finally(() => { this.tellAgain(); });
    });
    await client.start();
    if (!this.fits(client)) throw new Unfit(versionOf(client));
  }

  /** Where things stand may have changed without a message that says so. */
  tellAgain(): void {
    if (this.isRunning) this.tellState("running");
  }

  /** Tells how it is, or why it isn't started; `detail` is a sentence for people, `since` in ms since 1970. */
  tellState(condition: Condition, detail = "", since = 0): void {
    this.conditionChanged.fire({ condition, ...(detail ? { detail } : {}), ...(since ? { since } : {}) });
  }

  private fits(client: Client): boolean {
    return fits(versionOf(client), this.version);
  }

  async stop(): Promise<void> {
    const { client, process } = this;
    this.client = undefined;
    this.process = undefined;
    this.tellState("stopped");
    // A server that hasn't started can't be asked to end.
    if (client?.isRunning()) await client.dispose().catch((error: unknown) => { this.log.warn(String(error)); });
    else process?.kill("SIGKILL");
  }

  /** Runs one of the server's commands. Rejects with a `Failure`; resolves to undefined when it was cancelled. */
  async call<C extends keyof Commands>(
    command: C,
    args: Commands[C]["arguments"],
  ): Promise<Commands[C]["result"] | undefined> {
    return this.send("workspace/executeCommand", { command, arguments: [args] });
  }

  /** Sends one of planact's own requests. Rejects and resolves like `call`. */
  request<R extends Exclude<keyof Requests, "planact/save" | "planact/diagnostics" | "planact/complete" | SymbolRequest>>(method: R, params: Requests[R]["params"]): Promise<Requests[R]["result"] | undefined> {
    return this.send(method, params);
  }

  private async send<T>(method: string, params: unknown): Promise<T | undefined> {
    if (!this.client?.isRunning()) throw new Failure("The planact server is not running. Run Planact: Restart Server.", "");
    try {
      return await this.client.sendRequest<T>(method, params);
    } catch (error) {
      const failure = Failure.from(error);
      if (failure) throw failure;
      return undefined;
    }
  }

  /** Sends one of planact's own notifications, if the server runs. */
  async notify<N extends keyof ClientNotifications>(method: N, params: ClientNotifications[N]): Promise<void> {
    if (this.client?.isRunning()) await this.client.sendNotification(method, params);
  }

  /** Tells it what the user's settings are now. */
  async sendSettings(): Promise<void> {
    if (!this.client?.isRunning()) return;
    await this.client.sendNotification("workspace/didChangeConfiguration", { settings: { planact: userSettings() } });
  }

  /** Tells it of a document that was hidden until now. */
  show(document: TextDocument): void {
    if (this.client?.isRunning()) void this.client.getFeature(DidOpenTextDocumentNotification.method).getProvider(document)?.send(document);
  }

  dispose(): void {
    void this.stop();
    this.lenses.dispose();
    this.conditionChanged.dispose();
  }

  private received(message: Message): void {
    if (!this.client || (message as { method?: string }).method !== CodeLensRefreshRequest.method) return;
    this.lenses.changed(this.client);
    this.handlers.offersChanged();
  }

  private options(): LanguageClientOptions {
    const ends: number[] = [];
    return {
      // Every language: the agent reads what is in the buffers, not on disk.
      documentSelector: [{ scheme: "file" }],
      outputChannel: this.log,
      traceOutputChannel: withoutTrace(this.log),
      initializationOptions: () => ({ settings: userSettings(), workspace_trusted: workspace.isTrusted }),
      connectionOptions: { messageStrategy: { handleMessage: (message, next) => { this.received(message); return next(withPlainText(message)); } } },
      initializationFailedHandler: () => false,
      middleware: {
        ...this.lenses.middleware,
        didOpen: async (document, next) => { if (!this.hidden.has(document)) await next(document); },
        didChange: async (event, next) => { if (!this.hidden.has(event.document)) await next(event); },
        didClose: async (document, next) => { if (!this.hidden.has(document)) await next(document); },
        executeCommand: (command, args) => this.handlers.command(command as keyof Commands, args[0]),
        "window": { showDocument: (params, token, next) => withGoal(params, async (shown) => next(shown, token)) },
        workspace: {
          didChangeWorkspaceFolders: async (event, next) => { await next(event); this.tellAgain(); },
          configuration: ({ items }) => items.map(({ section }) => (section === "planact" ? userSettings() : null)),
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          const now = Date.now();
          ends.push(now);
          if (!this.client?.wasRunning) this.client?.endedEarly();
          else if (ends.filter((time) => now - time < RESTART_WINDOW_MS).length > RESTARTS) this.handlers.ended();
          else return { action: CloseAction.Restart, handled: true };
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }
}

/** A channel that never asks for a trace: one of what is sent would write down the user's keys. */
function withoutTrace(log: LogOutputChannel): LogOutputChannel {
  const nothing = { dispose: () => undefined };
  return Object.create(log, { logLevel: { value: LogLevel.Off }, onDidChangeLogLevel: { value: () => nothing } }) as LogOutputChannel;
}

const CONDITIONS: Record<State, Condition> = {
  [State.Starting]: "starting",
  [State.Running]: "running",
  [State.Stopped]: "stopped",
  [State.StartFailed]: "stopped",
};

/** Starts the server, but not in the workspace, where a program could be made to load the repository's code as its own. */
function startProcess({ command, args }: CommandLine): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const process = spawn(command, args, { cwd: homedir(), stdio: "pipe", windowsHide: true });
    process.once("error", reject).once("spawn", () => { resolve(process); });
  });
}

/** Logs its troubles and never shows them by itself: the extension tells the user once, in its own words. */
class Client extends LanguageClient {
  wasRunning = false;
  endedEarly: () => void = () => undefined;

  constructor(start: () => Promise<ChildProcess>, options: LanguageClientOptions) {
    super("planact", "Planact", start, options);
    this.onDidChangeState(({ newState }) => { this.wasRunning ||= newState === State.Running; });
  }

  // The library waits for ever on a server that ends, or says nothing, before it has answered `initialize`.
  override async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failure = new Promise<never>((_, reject) => {
      this.endedEarly = () => { reject(new Error("the server ended before it answered")); };
      timer = setTimeout(() => { reject(new Error("the server did not answer in time")); }, START_LIMIT_MS);
    });
    await Promise.race([super.start(), failure]).finally(() => { clearTimeout(timer); });
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

function versionOf(client: Client): string {
  return client.initializeResult?.serverInfo?.version ?? "";
}

function declares(capability: Capability): StaticFeature {
  return {
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), planact: capability };
      // the status item shows what the server works at
      capabilities.window = { ...capabilities.window, workDoneProgress: false };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  };
}
