// What texts need of the editor, wherever they are drawn: to open a file they name, to copy.
import { createContext, useContext } from "react";

export interface Outside {
  /** `line` counts from 0. */
  readonly openFile: (path: string, line?: number) => void;
  readonly copy: (text: string) => void;
}

export const OutsideContext = createContext<Outside>({ openFile: () => undefined, copy: () => undefined });

export function useOutside(): Outside {
  return useContext(OutsideContext);
}

/** A file that a text names, with its line from 0; undefined where the text is no path. */
export function placeIn(text: string): { readonly path: string; readonly line?: number } | undefined {
  const [, path = "", line] = /^((?:[\w.@+-]+\/)*[\w.@+-]+\.[A-Za-z]\w{0,9})(?::(\d+)(?:[-:]\d+)?)?$/.exec(text) ?? [];
  const isPath = path.includes("/") || line !== undefined || FILES.has(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
  if (!path || !isPath || path.split("/").includes("..")) return undefined;
  return line === undefined ? { path } : { path, line: Math.max(0, Number(line) - 1) };
}

/** Ends of names that hardly anything but a file has. */
const FILES: ReadonlySet<string> = new Set("c cc cfg cjs conf cpp cs css csv env go h hpp html ini java js json jsx kt lock lua md mjs php plan py rb rs rst scss sh sql svelte swift toml ts tsx txt vue xml yaml yml".split(" "));
