// Markdown that is still being written, cut where what stands before can't change any more. Pure.

/**
 * An answer as it comes: the pieces of `whole` are texts of their own that stay as they are. Of the one that grows `shown`
 * is drawn as Markdown and `rest` behind it just as it is, until enough has come to be worth drawing anew: so all that is
 * drawn for a long answer grows with its length alone. Where the last line begins, `fence` is open, or a blank line before.
 */
export interface Written {
  readonly whole: readonly string[];
  readonly shown: string;
  readonly rest: string;
  readonly lineAt: number;
  readonly fence: string;
  readonly isBlank: boolean;
}

export const NOTHING: Written = { whole: [], shown: "", rest: "", lineAt: 0, fence: "", isBlank: false };

/** The same with more of it; only the last line and what has come are looked at. */
export function grown(written: Written, more: string): Written {
  const whole: string[] = [];
  let { shown, lineAt: at, fence, isBlank } = written;
  let growing = shown + written.rest + more;
  for (;;) {
    const end = growing.indexOf("\n", at);
    const line = end < 0 ? growing.slice(at) : growing.slice(at, end);
    if (!fence && isBlank && BEGINS.test(line) && at > 0) {
      whole.push(growing.slice(0, at));
      [growing, shown, at] = [growing.slice(at), "", 0];
    }
    if (end < 0) break;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark && !fence) fence = mark;
    else if (fence && mark.startsWith(fence) && line.trim() === mark) fence = "";
    isBlank = !fence && line.trim() === "";
    at += line.length + 1;
  }
  if (growing.length < DRAWN_AT_ONCE || growing.length > shown.length * WORTH_DRAWING) shown = growing;
  return { whole: whole.length > 0 ? [...written.whole, ...whole] : written.whole, shown, rest: growing.slice(shown.length), lineAt: at, fence, isBlank };
}

/** What goes on with no list or quote before it: a line at the margin, and no item. */
const BEGINS = /^(?![-+*] |\d+[.)] |[-+*]$|\d+[.)]?$)[^\s>]/;

/** So many characters are drawn anew with each piece that comes. */
const DRAWN_AT_ONCE = 2_000;

/** Longer ones when they have become longer by this. */
const WORTH_DRAWING = 1.1;
