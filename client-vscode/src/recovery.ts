// Rollbacks that were killed before their last file: told once in a window, with the button that goes on with them.
import { commands, window } from "vscode";

import type { Status } from "./protocol";
import { plain, sentence } from "./text";

const GO_ON = "Go On with the Rollback";

export class Recovery {
  private readonly told = new Set<string>();

  tell({ half_rolled_back: runs }: Status): void {
    for (const { execution_id: execution, text } of runs) {
      if (!this.told.has(execution)) void this.offer(execution, text);
      this.told.add(execution);
    }
  }

  private async offer(execution: string, text: string): Promise<void> {
    const clicked = await window.showWarningMessage(plain(`${sentence(text)}.`), GO_ON);
    if (clicked === GO_ON) await commands.executeCommand("planact.ui.rollBack", { subject: { execution } });
  }
}
