// What the open plans offer now: the buttons at the top of their editors stand where the plan's own lens of that kind does.
import { commands, Disposable, window, workspace, type Uri } from "vscode";

import { lensesOf } from "./lenses";
import { isPlan } from "./plans";

const DELAY_MS = 150;
const MOST_LENSES = 10;

/** The lists that `package.json` looks a document's path up in, and the commands of the lenses that bring it there. */
const BUTTONS: Readonly<Record<string, readonly string[]>> = {
  "planact.executable": ["planact.executePlan", "planact.resumeExecution"],
  "planact.revisable": ["planact.revisePlan"],
};

export class Offers implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly listening = Disposable.from(
    window.onDidChangeVisibleTextEditors(() => { this.lookSoon(); }),
    workspace.onDidChangeTextDocument(({ document }) => { if (isPlan(document)) this.lookSoon(); }),
  );

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
  }

  /** Soon, and once for all that happens until then; also when the server says that lenses changed. */
  lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.look(); }, DELAY_MS);
  }

  private async look(): Promise<void> {
    const plans = window.visibleTextEditors.map(({ document }) => document).filter(isPlan);
    const offered = await Promise.all(plans.map(async ({ uri }) => ({ uri, commands: await offeredBy(uri) })));
    for (const [list, names] of Object.entries(BUTTONS)) {
      const paths = offered.filter(({ commands: its }) => names.some((name) => its.has(name))).flatMap(({ uri }) => pathsOf(uri));
      void commands.executeCommand("setContext", list, paths);
    }
  }
}

/** By the first lenses, which are about the plan as a whole; also where lenses are turned off. */
async function offeredBy(uri: Uri): Promise<ReadonlySet<string>> {
  return new Set((await lensesOf(uri, MOST_LENSES)).map(({ command }) => command?.command ?? ""));
}

/** As the window writes it, which may run on another system than the extension, and has other URIs for the same files then. */
function pathsOf({ fsPath }: Uri): string[] {
  return [fsPath, fsPath.replaceAll("/", "\\")];
}
