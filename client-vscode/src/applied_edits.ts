// "Apply and show": with the setting `planact.showEdits`, what a step did to files is shown as soon as it is done.
import { workspace } from "vscode";

import type { Differences } from "./differences";
import { tellFailure } from "./failure";
import { Finished } from "./finished";
import type { DiffStep, Execution } from "./protocol";
import type { Server } from "./server";

export class AppliedEdits {
  private readonly finished = new Finished();
  /** One after the other: each takes the place of the one before. */
  private shown = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly differences: Differences,
  ) {}

  heard({ execution }: { readonly execution: Execution }): void {
    const step = this.finished.changedBy(execution);
    if (step === undefined || workspace.getConfiguration("planact").get("showEdits") !== true) return;
    this.shown = this.shown.then(() => tellFailure(() => this.show({ execution_id: execution.id, step })));
  }

  private async show(what: DiffStep): Promise<void> {
    const found = await this.server.call("planact.diffStep", what);
    if (found) await this.differences.showApplied(found);
  }
}
