// Finds the server and starts it, with one message when that fails.
import { CancellationTokenSource, commands, type LogOutputChannel, type Memento } from "vscode";

import { BadSetting, commandFromSetting, executableExtensions, findOnPath, type CommandLine } from "./executable";
import type { Installation } from "./installation";
import { Unfit, type Server } from "./server";
import { serverCommandSetting } from "./settings";
import * as ui from "./ui";
import { isOlder } from "./version";

const INSTALL = "Install";
const USE_OWN = "Use the Extension's";
const CHOOSE = "Choose Command";
const LOG = "Show Log";
const RESTART = "Restart";
/** Whether the user chose the server that the extension brings along over the one on the PATH. */
const OWN = "usesOwnServer";

export class Starter {
  private last: Promise<void> = Promise.resolve();
  private installing: Promise<void> | undefined;
  private stopInstalling: (() => void) | undefined;

  constructor(
    private readonly server: Server,
    private readonly installation: Installation,
    private readonly log: LogOutputChannel,
    private readonly memory: Memento,
    private readonly version: string,
    private readonly isSeen: () => boolean,
  ) {}

  /** Starts the server, or starts it again; one start at a time. */
  start(): Promise<void> {
    this.last = this.last.then(() => this.startNow());
    return this.last;
  }

  /** Tells that the server ended by itself too often. */
  async ended(): Promise<void> {
    const told = "The planact server ended unexpectedly, again.";
    this.server.tellState("stopped", told);
    if (this.isSeen()) return;
    const clicked = await ui.notify("error", told, RESTART, LOG);
    if (clicked === RESTART) await this.start();
    if (clicked === LOG) this.log.show();
  }

  private async startNow(): Promise<void> {
    let commandLine: CommandLine | undefined;
    try {
      commandLine = this.find();
      if (commandLine === undefined) {
        await this.server.stop();
        if (this.installation.isOutdated) void this.install();
        else if (this.installation.isPossible) this.offerInstall("info", "Planact needs its server, which runs beside the editor. Install it into an environment of its own?");
        else this.offer("The planact server was not found on the PATH.");
        return;
      }
      this.log.info(`Starting ${[commandLine.command, ...commandLine.args].join(" ")}`);
      await this.server.start(commandLine);
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      await this.server.stop();
      if (error instanceof Unfit && commandLine) this.offerFitting(commandLine.command, error.version);
      else this.offer(error instanceof BadSetting ? `${error.message}.` : didNotStart(commandLine, error));
    }
  }

  private find(): CommandLine | undefined {
    const set = commandFromSetting(serverCommandSetting());
    if (set) return set;
    const onPath = this.memory.get<boolean>(OWN, false) ? undefined : findOnPath("planact", process.env["PATH"] ?? "", executableExtensions());
    const found = onPath ?? this.installation.executable();
    return found === undefined ? undefined : { command: found, args: ["serve"] };
  }

  /** Tells how a server of another version can be mended. */
  private offerFitting(command: string, version: string): void {
    const told = `The planact server ${command} is version ${version || "unknown"}, and this extension is ${this.version}.`;
    const update = isOlder(version, this.version) ? "Update the server" : "Update the extension";
    const isChosen = commandFromSetting(serverCommandSetting()) !== undefined;
    if (isChosen) this.offer(`${told} ${update}, or choose another command.`);
    else if (this.installation.isPossible) this.offer(`${told} ${update}, or use the server that the extension brings along.`, USE_OWN);
    else this.offer(`${told} ${update}.`);
  }

  private async useOwn(): Promise<void> {
    await this.memory.update(OWN, true);
    if (this.installation.executable() === undefined) await this.install();
    else await this.start();
  }

  /** Tells why no server runs: the view, which keeps it, and a notification where the view isn't seen. */
  private offer(message: string, ...first: string[]): void {
    this.server.tellState("stopped", message);
    void this.notify("error", message, ...first);
  }

  private offerInstall(level: ui.Level, message: string, detail = ""): void {
    this.server.tellState("missing", detail);
    void this.notify(level, message, INSTALL);
  }

  private async notify(level: ui.Level, message: string, ...first: string[]): Promise<void> {
    if (this.isSeen()) return;
    const clicked = await ui.notify(level, message, ...first, CHOOSE, LOG);
    if (clicked === INSTALL) await this.install();
    if (clicked === USE_OWN) await this.useOwn();
    if (clicked === CHOOSE) await this.chooseCommand();
    if (clicked === LOG) this.log.show();
  }

  /** Leads to the setting that says how the server is started. */
  async chooseCommand(): Promise<void> {
    await commands.executeCommand("workbench.action.openSettings", "planact.server.command");
  }

  /** Installs the server that the extension brings along, and starts it; once at a time. */
  install(): Promise<void> {
    this.installing ??= this.installNow().finally(() => { this.installing = this.stopInstalling = undefined; });
    return this.installing;
  }

  cancelInstall(): void {
    this.stopInstalling?.();
  }

  private async installNow(): Promise<void> {
    const since = Date.now();
    const source = new CancellationTokenSource();
    this.stopInstalling = () => { source.cancel(); };
    try {
      await this.installation.install((text) => { this.server.tellState("installing", text, since); }, source.token);
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      const problem = error instanceof Error ? error.message : String(error);
      if (source.token.isCancellationRequested) this.server.tellState("missing");
      else this.offerInstall("error", `Planact could not be installed: ${problem}`, problem);
      return;
    } finally {
      source.dispose();
    }
    await this.start();
  }
}

function didNotStart(commandLine: CommandLine | undefined, error: unknown): string {
  const cause = String(error).includes("ENOENT") ? "there is no such program" : "the log says why";
  return `The planact server did not start, ${cause}: ${commandLine?.command ?? ""}`;
}
