// What the workbench has to ask for, and is told of again, later and later, until it does.

/** Milliseconds: longer than the workbench mostly waits before it asks. */
export const FIRST_WAIT = 1_000;
/** It waits for longer where earlier answers took long, and begins anew when it is told again: so it gets more time each time. */
const GROWTH = 4;
/** The longest that it waits is a minute. */
const LAST_WAIT = 64_000;

export class Due<Document> {
  private readonly due = new Set<Document>();
  private timer: NodeJS.Timeout | undefined;

  /** `visible` are those that it may ask for, `tell` has it ask for one. */
  constructor(
    private readonly visible: () => readonly Document[],
    private readonly tell: (document: Document) => void,
  ) {}

  /** The workbench was told that all have changed. */
  changed(): void {
    for (const document of this.visible()) this.due.add(document);
    this.lookAfter(FIRST_WAIT);
  }

  asked(document: Document): void {
    this.due.delete(document);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private lookAfter(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const forgotten = this.visible().find((document) => this.due.has(document));
      if (forgotten === undefined) {
        this.due.clear();
        return;
      }
      this.tell(forgotten);
      if (wait < LAST_WAIT) this.lookAfter(wait * GROWTH);
    }, wait);
  }
}
