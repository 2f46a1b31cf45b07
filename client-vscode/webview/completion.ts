// What could stand where the user writes. Pure.
import { SLASH_COMMANDS } from "../src/protocol";

/** `detail` is only shown. */
export interface Item {
  readonly text: string;
  readonly detail: string;
}

/** The words that a message may be, by what is written of it. */
export function wordsFor(written: string): readonly Item[] {
  if (!written.startsWith("/") || written.includes("\n")) return [];
  const matching = SLASH_COMMANDS.filter(({ name }) => name.startsWith(written) && name !== written);
  return matching.map(({ name, argument, meaning }) => ({ text: name, detail: [argument, meaning].filter(Boolean).join(" · ") }));
}

/** What is written of a path after the last `@`; undefined where there is none. */
export function typedPath(written: string): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(written)?.[1];
}

/** What only the editor knows, by what is written of it. */
export function mentionsFor(written: string): readonly Item[] {
  return MENTIONS.filter(({ text }) => text.startsWith(written));
}

const MENTIONS: readonly Item[] = [
  { text: "selection", detail: "what is selected in the editor" },
  { text: "problems", detail: "errors and warnings that are shown" },
];

/** A path as it is written after `@`: in quotes where it has characters that would end it. */
export function asItem(path: string): Item {
  return { text: /^[^\s`"'<>|*?(){}[\],;]+$/.test(path) ? path : `"${path}"`, detail: path.endsWith("/") ? "folder" : "" };
}
