// Markdown that is still being written, cut where what stands before can't change any more. Pure.

/** Pieces in order, each a text of its own; only the last one grows. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let [begin, at, fence, isBlank] = [0, 0, "", false];
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (!fence && isBlank && BEGINS.test(line) && at > begin) {
      pieces.push(text.slice(begin, at));
      begin = at;
    }
    if (mark && !fence) fence = mark;
    else if (fence && mark.startsWith(fence) && line.trim() === mark) fence = "";
    isBlank = !fence && line.trim() === "";
    at += line.length + 1;
  }
  return [...pieces, text.slice(begin)];
}

/** What goes on with no list or quote before it: a line at the margin, and no item. */
const BEGINS = /^(?![-+*] |\d+[.)] |[-+*]$|\d+[.)]?$)[^\s>]/;
