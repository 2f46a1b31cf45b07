// What must be there again however soon the window goes away. A memento won't do: the editor writes it down seconds later.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export class Kept<T> {
  private value: T | undefined;
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  /** It is in the file at `path`, and `empty` as long as there is none; `warn` hears why it can't be written. */
  constructor(
    private readonly path: string,
    private readonly empty: T,
    private readonly warn: (problem: string) => void,
  ) {}

  async get(): Promise<T> {
    this.value ??= await readFile(this.path, "utf8").then((text) => JSON.parse(text) as T).catch(() => this.empty);
    return this.value;
  }

  /** On disk when it resolves, if it can be written. Of several that come while one is written, the last is. */
  set(value: T): Promise<void> {
    this.value = value;
    this.next ??= this.last.then(() => this.write()).catch((error: unknown) => { this.warn(`${this.path} can't be written: ${String(error)}`); });
    this.last = this.next;
    return this.next;
  }

  /** In place of the file that is there, so that it is never half of one. */
  private async write(): Promise<void> {
    this.next = undefined;
    const text = JSON.stringify(this.value);
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(`${this.path}.new`, text, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }
}
