// What a failed check printed: its last lines, or all of it.
import { Text } from "./text";

const LAST_LINES = 6;

export function CheckOutput({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }) {
  const { lines, rest } = outputIn(text);
  return (
    <>
      {lines.length > 0 && (
        <pre tabIndex={0} className="output">
          <code>{(isWhole ? lines : lines.slice(-LAST_LINES)).join("\n")}</code>
        </pre>
      )}
      {rest && (
        <div className="muted">
          <Text text={rest} />
        </div>
      )}
    </>
  );
}

/** Whether it has more lines than are shown at first. */
export function isLongOutput(text: string): boolean {
  return outputIn(text).lines.length > LAST_LINES;
}

/** The first code block of a text, line by line, and what follows it. */
function outputIn(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const output = /^(`{3,})[^\n]*\n([\s\S]*?)\n?\1[ \t]*(?:\n|$)/.exec(text);
  return output ? { lines: (output[2] ?? "").split("\n"), rest: text.slice(output[0].length).trim() } : { lines: [], rest: text };
}
