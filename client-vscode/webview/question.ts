// What a question is about, and how it is told in a card. Pure.
import type { Question } from "../src/protocol";

/** Its title: a line of Markdown. */
export function titleOf({ title, question }: Question): string {
  return title === "" ? question : title;
}

/** How many lines of the differences in a text come and go; undefined where it has none. */
export function countsOf(context: string): { readonly added: number; readonly removed: number } | undefined {
  const blocks = [...context.matchAll(/^(`{3,})diff\n([\s\S]*?)^\1/gm)].map(([, , lines = ""]) => lines);
  if (blocks.length === 0) return undefined;
  const lines = blocks.join("").split("\n").filter((line) => !/^(\+\+\+|---) /.test(line));
  return { added: lines.filter((line) => line.startsWith("+")).length, removed: lines.filter((line) => line.startsWith("-")).length };
}
