// Makes text from outside (a model, a repository, the server, a system error) fit for VS Code's own surfaces, which read links and icons in texts.

/** Characters kept of a text; as many as VS Code keeps in a notification. */
const LONGEST = 1_000;
/** Shown as nothing and no place to break a line: the text looks as it is, and VS Code finds no link and no icon in it. */
const JOINER = "\u2060";
/** Control characters and those that hide or turn round what follows. Joiners of letters and emoji (200C, 200D) only shape them. */
const HIDDEN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}]/gu;
/** `[label](address)` in notifications, prompts and progress; `$(name)` in lists, the status bar, prompts and lenses. */
const MARKUP = /(\]|\$)(?=\()/g;

/** Return `text` as one line of at most 1,000 characters, cut with an ellipsis, without links, icons and hidden characters. */
export function plain(text: string): string {
  const line = visible(text).replace(/\n+/g, " ");
  return joined(line.length > LONGEST ? `${line.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…` : line);
}

/** Return `text` with its lines as they are, for a surface that has room for them. */
export function plainLines(text: string): string {
  return joined(visible(text));
}

function joined(text: string): string {
  return text.replace(MARKUP, `$1${JOINER}`);
}

/** Hidden characters become their numbers, so that two names that differ in one look different. */
function visible(text: string): string {
  const lines = text.replaceAll(JOINER, "").replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replaceAll("\t", " ");
  return lines.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
