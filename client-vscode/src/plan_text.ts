// Lines of a plan document, as far as an editor must know them; the server alone reads the rest.

const FENCE = /^---[ \t]*$/;

/** The line of the goal, from 0; undefined where there is none. */
export function goalLine(text: string): number | undefined {
  const lines = text.split(/\r?\n/);
  const end = FENCE.test(lines[0] ?? "") ? lines.findIndex((line, index) => index > 0 && FENCE.test(line)) : -1;
  const goal = lines.findIndex((line, index) => index > end && line.startsWith("# "));
  return goal < 0 ? undefined : goal;
}

/** Lines, from 0, that are comments of the user: below a goal, a step or an item, with `>` as their first mark. */
export function commentLines(text: string): number[] {
  return text.split(/\r?\n/).flatMap((line, index) => (/^\s*>/.test(line) ? [index] : []));
}
