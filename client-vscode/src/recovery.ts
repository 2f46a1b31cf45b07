// Rollbacks and calls that were killed before their last file: told once in a window, with the button that puts them right.
import { commands } from "vscode";

import type { Status } from "./protocol";
import { sentence } from "./text";
import * as ui from "./ui";

const GO_ON = "Go On with the Rollback";
const ROLL_BACK = "Roll Back the Run";

export class Recovery {
  private readonly told = new Set<string>();

  tell({ half_rolled_back: runs, half_made: calls }: Status): void {
    for (const { execution_id: execution, text } of runs) this.tellOnce(execution, text, GO_ON);
    for (const { execution_id: execution, text } of calls) this.tellOnce(execution, text, ROLL_BACK);
  }

  private tellOnce(execution: string, text: string, button: string): void {
    if (!this.told.has(execution)) void this.offer(execution, text, button);
    this.told.add(execution);
  }

  private async offer(execution: string, text: string, button: string): Promise<void> {
    const clicked = await ui.notify("warning", `${sentence(text)}.`, button);
    if (clicked === button) await commands.executeCommand("planact.ui.rollBack", { subject: { execution } });
  }
}
