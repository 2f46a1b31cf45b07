// Whether what came into sight was there long enough to be seen.

/** Milliseconds. */
export const LONG_ENOUGH = 5_000;

export class Glances {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** `isSeen`: the user has before them where things come into sight. */
  constructor(private readonly isSeen: () => boolean) {}

  /** What the key stands for came into sight: once it could be seen, `seen` is called, or `missed` if the user is elsewhere by then. */
  begin(key: string, seen: () => void, missed: () => void): void {
    this.over(key);
    const decide = () => {
      this.timers.delete(key);
      if (this.isSeen()) seen();
      else missed();
    };
    this.timers.set(key, setTimeout(decide, LONG_ENOUGH));
  }

  has(key: string): boolean {
    return this.timers.has(key);
  }

  /** What the key stands for is no longer so. */
  over(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }
}
