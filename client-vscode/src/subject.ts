// What a command is about: the row of a tree or the editor that it was chosen on. The palette's commands have none, and ask.

/** `folder` and `plan` are URIs, of a folder and a document; the others are ids and names as the server has them. */
export interface Subject {
  readonly folder?: string;
  readonly plan?: string;
  readonly step?: number;
  readonly execution?: string;
  readonly template?: string;
  readonly question?: string;
  /** A path among the edits that the question is about. */
  readonly file?: string;
}

/** Commands in the title of a view: VS Code gives them what it gives those of a row that is gone. */
const IN_TITLES = new Set(["newPlan", "newTemplate", "newSession", "showSessions", "showPlans"]);

/**
 * What the command `name` is about, by the arguments that VS Code calls it with: none from the palette and from keys, a row from its menu,
 * undefined where that row has gone meanwhile, and a URI from the top of an editor. `active` is what the active editor compares, if it does.
 * Undefined when it was a row's, and the row is gone: the command must not do its work on something else then.
 */
export function subjectOf(name: string, args: readonly unknown[], active: Subject | undefined): Subject | undefined {
  const [first] = args;
  if (isRow(first)) return first.subject;
  if (first === undefined || first === null) return args.length === 0 ? (active ?? {}) : IN_TITLES.has(name) ? {} : undefined;
  return active ?? { plan: (first as { toString(): string }).toString() };
}

function isRow(value: unknown): value is { readonly subject: Subject } {
  return typeof value === "object" && value !== null && "subject" in value;
}
