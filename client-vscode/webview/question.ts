// What a question is about, and how it is told in a card. Pure.
import type { Question, QuestionPending } from "../src/protocol";

/** Its title: a line of Markdown. */
export function titleOf({ title, question }: Question): string {
  return title === "" ? question : title;
}

/** Whether leave for a call is asked for, and not what is to become of what was done. */
export function isLeave({ purpose, about }: Pick<QuestionPending, "purpose" | "about">): boolean {
  return purpose === "approval" && about !== "outcome";
}
