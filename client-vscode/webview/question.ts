// What a question is about, and how it is told in a card. Pure.
import type { Question } from "../src/protocol";

/** Its title: a line of Markdown. */
export function titleOf({ title, question }: Question): string {
  return title === "" ? question : title;
}
