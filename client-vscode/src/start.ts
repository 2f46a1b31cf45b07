// Finds the server and starts it, with one message when that fails.
import { commands, ProgressLocation, window, type LogOutputChannel } from "vscode";

import { BadSetting, commandFromSetting, executableExtensions, findOnPath, type CommandLine } from "./executable";
import type { Installation } from "./installation";
import type { Server } from "./server";
import { serverCommandSetting } from "./settings";

const INSTALL = "Install";
const CHOOSE = "Choose Command";
const LOG = "Show Log";
const RESTART = "Restart";

export class Starter {
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly installation: Installation,
    private readonly log: LogOutputChannel,
  ) {}

  /** Starts the server, or starts it again; one start at a time. */
  start(): Promise<void> {
    this.last = this.last.then(() => this.startNow());
    return this.last;
  }

  /** Tells that the server ended by itself too often. */
  async ended(): Promise<void> {
    const clicked = await window.showErrorMessage("The planact server ended unexpectedly, again.", RESTART, LOG);
    if (clicked === RESTART) await this.start();
    if (clicked === LOG) this.log.show();
  }

  private async startNow(): Promise<void> {
    let commandLine: CommandLine | undefined;
    try {
      commandLine = this.find();
      if (commandLine === undefined) {
        const cause = "The planact server was not found on the PATH.";
        if (this.installation.isPossible) void this.offer(`${cause} Install it into an environment of its own?`, INSTALL);
        else void this.offer(cause);
        return;
      }
      this.log.info(`Starting ${[commandLine.command, ...commandLine.args].join(" ")}`);
      await this.server.start(commandLine);
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      await this.server.stop();
      void this.offer(error instanceof BadSetting ? `${error.message}.` : didNotStart(commandLine, error));
    }
  }

  private find(): CommandLine | undefined {
    const set = commandFromSetting(serverCommandSetting());
    if (set) return set;
    const found = findOnPath("planact", process.env["PATH"] ?? "", executableExtensions()) ?? this.installation.executable();
    return found === undefined ? undefined : { command: found, args: ["serve"] };
  }

  private async offer(message: string, ...first: string[]): Promise<void> {
    const clicked = await window.showErrorMessage(message, ...first, CHOOSE, LOG);
    if (clicked === INSTALL) await this.install();
    if (clicked === CHOOSE) await commands.executeCommand("workbench.action.openSettings", "planact.server.command");
    if (clicked === LOG) this.log.show();
  }

  private async install(): Promise<void> {
    const options = { location: ProgressLocation.Notification, title: "Installing planact", cancellable: true };
    const problem = await window.withProgress(options, async (progress, token) => {
      try {
        await this.installation.install((message) => { progress.report({ message }); }, token);
        return "";
      } catch (error) {
        this.log.error(error instanceof Error ? error : String(error));
        return token.isCancellationRequested ? undefined : String(error instanceof Error ? error.message : error);
      }
    });
    if (problem === "") await this.start();
    else if (problem !== undefined) await this.offer(`Planact could not be installed: ${problem}`, INSTALL);
  }
}

function didNotStart(commandLine: CommandLine | undefined, error: unknown): string {
  const cause = String(error).includes("ENOENT") ? "there is no such program" : "the log says why";
  return `The planact server did not start, ${cause}: ${commandLine?.command ?? ""}`;
}
