// Edits that wait for leave: each file as a difference beside the plan, allowed or rejected there by itself.
import type { Differences } from "./differences";
import type { AnswerQuestion, FileCompared, QuestionPending } from "./protocol";
import type { Subject } from "./subject";
import * as ui from "./ui";

/** An answer to a question about edits, and what goes with it. */
export type Verdict = Required<Pick<AnswerQuestion, "answers" | "rejected" | "comment">>;

export const [ALLOW, ALWAYS, REJECT, STOP] = ["allow_once", "always_allow", "reject_once", "reject_and_stop"] as const;

/** What was said about one file. */
interface Said {
  readonly isAllowed: boolean;
  readonly words: string;
}

export class EditReview {
  private readonly said = new Map<string, Map<string, Said>>();

  /** `give` sends the answer. */
  constructor(
    private readonly differences: Differences,
    private readonly give: (set: QuestionPending, verdict: Verdict) => Promise<void>,
  ) {}

  /** Shows the first file that nothing was said about; `isQuiet` leaves the keyboard where it is. */
  async open(set: QuestionPending, isQuiet = false): Promise<void> {
    const next = this.undecided(set)[0];
    if (!next) return;
    const { length } = set.edits;
    const place = length > 1 ? `${set.edits.indexOf(next) + 1} of ${length}, ` : "";
    const title = `${nameOf(next.path)} (${place}${WAITS[next.what]})`;
    await this.differences.show([next], title, { kind: "review", subject: { question: set.question_id, file: next.path } }, isQuiet);
  }

  /** Shows all files, one below the other. */
  async openAll(set: QuestionPending): Promise<void> {
    await this.differences.show(set.edits, "All files that would change", { kind: "reviewAll", subject: { question: set.question_id } });
  }

  /** Whether the user has some of it before them. */
  isOpen(set: QuestionPending): boolean {
    return this.differences.isShown((subject) => subject.question === set.question_id);
  }

  async close(set: QuestionPending): Promise<void> {
    this.said.delete(set.question_id);
    await this.differences.close((subject) => subject.question === set.question_id);
  }

  /** Says yes or no to the file; answers when that was the last one. */
  async decide(set: QuestionPending, { file }: Subject, isAllowed: boolean): Promise<void> {
    if (file === undefined) return;
    const words = isAllowed ? "" : await askForWords(nameOf(file));
    if (words === undefined) return;
    const said = this.said.get(set.question_id) ?? new Map<string, Said>();
    this.said.set(set.question_id, said.set(file, { isAllowed, words }));
    if (this.undecided(set).length > 0) await this.open(set);
    else await this.give(set, verdictOf(said));
  }

  /** Says the same to all files, whatever was said to some before. */
  async decideAll(set: QuestionPending, value: typeof ALLOW | typeof ALWAYS | typeof REJECT | typeof STOP): Promise<void> {
    const isNo = value === REJECT || value === STOP;
    const comment = isNo ? await askForWords(set.edits.length === 1 ? nameOf(set.edits[0]?.path ?? "") : "all files") : "";
    if (comment !== undefined) await this.give(set, { answers: { [nameOfQuestion(set)]: value }, rejected: [], comment });
  }

  private undecided(set: QuestionPending): readonly FileCompared[] {
    const said = this.said.get(set.question_id);
    return set.edits.filter(({ path }) => !said?.has(path));
  }
}

const WAITS: Readonly<Record<FileCompared["what"], string>> = { changed: "would change", created: "would be created", deleted: "would be deleted" };

/** The approval's one question is called so by the server. */
function nameOfQuestion(set: QuestionPending): string {
  return set.questions[0]?.name ?? "approval";
}

/** One answer of what was said to each file. */
export function verdictOf(said: ReadonlyMap<string, Said>): Verdict {
  const rejected = [...said].filter(([, { isAllowed }]) => !isAllowed);
  const isNone = rejected.length === said.size;
  const worded = rejected.filter(([, { words }]) => words);
  const comment = worded.map(([path, { words }]) => (said.size > 1 ? `${path}: ${words}` : words)).join("\n");
  return { answers: { approval: isNone ? REJECT : ALLOW }, rejected: isNone ? [] : rejected.map(([path]) => path), comment };
}

/** Empty when they say nothing; undefined when they went back. */
async function askForWords(what: string): Promise<string | undefined> {
  return ui.askText({
    title: `Planact: Reject the change of ${what}`,
    prompt: "The agent reads this. Enter rejects, Escape goes back.",
    placeHolder: "What should be different? May be left empty.",
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
