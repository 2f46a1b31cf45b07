// Notifications of what happened while the user sees neither the view nor the window: one at a time, and none twice.
import type { Memento } from "vscode";

import { tellFailure } from "./failure";
import { Glances } from "./glances";
import * as ui from "./ui";

const TOLD = "toldNotices";
/** Keys that are remembered over reloads. */
const MOST = 200;
/** Milliseconds after which VS Code has put a notification away that nobody closed; it doesn't tell when it does. */
const PUT_AWAY = 20_000;

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
  /** Told and neither closed nor over; VS Code keeps those that it put away behind its bell. */
  private readonly open = new Set<Notice>();
  private shown: Notice | undefined;
  private readonly glances: Glances;

  /** `isSeen`: the user has the view before them, and the window has the focus. */
  constructor(
    private readonly memory: Memento,
    readonly isSeen: () => boolean,
  ) {
    this.glances = new Glances(isSeen);
  }

  /** Tells it as soon as the one that is told now is closed, put away or over. What is seen in the view counts as told. */
  tell(notice: Notice): void {
    const { key } = notice;
    if (this.wasTold(key) || this.glances.has(key) || [...this.open, ...this.queue].some((other) => other.key === key)) return;
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
    for (const notice of [...this.open].filter((each) => each.key === key)) {
      this.open.delete(notice);
      void this.remember(key);
      this.giveWay(notice);
    }
  }

  private async showNext(): Promise<void> {
    if (this.shown) return;
    const notice = this.queue.shift();
    if (!notice) return;
    this.shown = notice;
    this.open.add(notice);
    const timer = setTimeout(() => { this.giveWay(notice); }, PUT_AWAY);
    const clicked = await ui.notify(notice.level, notice.message, ...notice.buttons);
    clearTimeout(timer);
    const isOver = !this.open.delete(notice);
    if (clicked && isOver) void ui.notify("info", "That is no longer open.");
    if (!isOver) {
      await this.remember(notice.key);
      if (clicked) await tellFailure(async () => { await clicked.act(); });
    }
    this.giveWay(notice);
  }

  /** Tells the next one where this one is told. */
  private giveWay(notice: Notice): void {
    if (this.shown !== notice) return;
    this.shown = undefined;
    void this.showNext();
  }

  private wasTold(key: string): boolean {
    return this.memory.get<readonly string[]>(TOLD, []).includes(key);
  }

  private async remember(key: string): Promise<void> {
    const told = this.memory.get<readonly string[]>(TOLD, []).filter((other) => other !== key);
    await this.memory.update(TOLD, [...told, key].slice(-MOST));
  }
}
