// What a command is about, when it is chosen on a row of a tree; the palette's have none and ask.

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
