// Notifications of what happened while the user sees neither the view nor the window: one at a time, and none twice.
import type { Memento } from "vscode";

import { tellFailure } from "./failure";
import { Glances } from "./glances";
import * as ui from "./ui";

const TOLD = "toldNotices";
/** Keys that are remembered over reloads. */
const MOST = 200;

/** What happened, by a key that stands for it. */
export interface Notice {
  readonly key: string;
  readonly level: ui.Level;
  readonly message: string;
  readonly buttons: readonly NoticeButton[];
  /** It waits for the user: where the view shows it for a moment only, it is told all the same. */
  readonly waits?: boolean;
}

export interface NoticeButton {
  readonly title: string;
  readonly act: () => Thenable<unknown>;
}

export class Notices {
  private readonly queue: Notice[] = [];
  private shown: Notice | undefined;
  private readonly glances: Glances;

  /** `isSeen`: the user has the view before them, and the window has the focus. */
  constructor(
    private readonly memory: Memento,
    readonly isSeen: () => boolean,
  ) {
    this.glances = new Glances(isSeen);
  }

  /** Tells it as soon as the one that is told now is closed or over. What is seen in the view counts as told. */
  tell(notice: Notice): void {
    const { key } = notice;
    if (this.wasTold(key) || this.glances.has(key) || [this.shown, ...this.queue].some((other) => other?.key === key)) return;
    if (!this.isSeen()) this.queue.push(notice);
    else if (notice.waits) this.glances.begin(key, () => void this.remember(key), () => { this.tell(notice); });
    else void this.remember(key);
    void this.showNext();
  }

  /** What the key stands for is no longer so. VS Code can't take a notification back: a click on its button says that it is over. */
  over(key: string): void {
    this.glances.over(key);
    const index = this.queue.findIndex((notice) => notice.key === key);
    if (index >= 0) this.queue.splice(index, 1);
    if (this.shown?.key !== key) return;
    void this.remember(key);
    this.shown = undefined;
    void this.showNext();
  }

  private async showNext(): Promise<void> {
    if (this.shown) return;
    const notice = this.queue.shift();
    if (!notice) return;
    this.shown = notice;
    const clicked = await ui.notify(notice.level, notice.message, ...notice.buttons);
    const isOver = this.shown !== notice;
    if (clicked && isOver) void ui.notify("info", "That is no longer open.");
    if (!isOver) {
      this.shown = undefined;
      await this.remember(notice.key);
      if (clicked) await tellFailure(async () => { await clicked.act(); });
      void this.showNext();
    }
  }

  private wasTold(key: string): boolean {
    return this.memory.get<readonly string[]>(TOLD, []).includes(key);
  }

  private async remember(key: string): Promise<void> {
    const told = this.memory.get<readonly string[]>(TOLD, []).filter((other) => other !== key);
    await this.memory.update(TOLD, [...told, key].slice(-MOST));
  }
}
