// Makes text from outside (a model, a repository, the server, a system error) fit for VS Code's own surfaces, which read links and icons in texts, and draw no Markdown.

/** Characters kept of a text; as many as VS Code keeps in a notification. */
const LONGEST = 1_000;
/** Characters of a text that are read: finding the marks of a hostile one takes time that grows with its square. */
const READ = 20_000;
/** Emphasis in emphasis that is looked for. */
const DEPTH = 5;
/** Shown as nothing and no place to break a line: the text looks as it is, and VS Code finds no link and no icon in it. */
const JOINER = "\u2060";
/** Control characters and those that hide or turn round what follows. Joiners of letters and emoji (200C, 200D) only shape them. */
const HIDDEN = /(?![\n\u200c\u200d\u2060])[\p{Cc}\p{Cf}]/gu;
/** Letters, marks and symbols that show nothing, as the server knows them. The mark of an emoji (FE0F) stays behind what it shapes. */
const BLANK = /(?<![\u00a9\u00ae\u2000-\u27ff\u2900-\u2bff\u3000-\u32ff\u{1f000}-\u{1faff}])(?<![#*0-9](?=\ufe0f\u20e3))\ufe0f|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0e\uffa0\ufff0-\ufff8\u{e0000}-\u{e0fff}]/gu;
/** `[label](address)` in notifications, prompts and progress; `$(name)` in lists, the status bar, prompts and lenses. */
const MARKUP = /(\]|\$)(?=\()/g;
/** A joiner that `plain` didn't set: its own stand behind the stars of code, so that a second pass leaves them. */
const OTHER_JOINER = /(?<!\*)\u2060/g;
const CODE = /^(`{3,})(?!`).*\n([^]*?)\n?^\1`*[ \t]*$|(?<!`)(`+)(?!`)([^]*?[^`])\3(?!`)/gm;
/** `*word*` to `***words***`, but no star of a pattern such as `*.py` or `a/**`. */
const EMPHASIS = /(?<![\w*/\\.\u2060])(\*{1,3})(?=[^\s*./\u2060])([^*\n]*?[^\s*/\\])\1(?![\w*/\u2060])/gu;
/** Looks like a backtick, and VS Code takes it for none. */
const TICK = "\u02cb";

/** Return `text` as one line of at most 1,000 characters, cut with an ellipsis, without Markdown, links, icons and hidden characters. */
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
  const lines = text.slice(0, READ).replace(OTHER_JOINER, "").replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replaceAll("\t", " ");
  return unmarked(lines).replace(HIDDEN, spelledOut).replace(BLANK, spelledOut);
}

function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The text that Markdown marks as code or emphasizes, without the marks. Code keeps all of its characters: a command must not look like another. */
function unmarked(text: string): string {
  let words = text.replace(CODE, (_all, _fence: string, block: string | undefined, _ticks: string, span: string | undefined) =>
    (block ?? span ?? "").replace(/\*\u2060?/g, `*${JOINER}`));
  for (let depth = 0; depth < DEPTH; depth += 1) words = words.replace(EMPHASIS, "$2");
  return words.replaceAll("`", TICK);
}
