// Code in a text: its language and file, Copy, and its colours.
import { useEffect, useState, type ReactNode } from "react";

import type { Token } from "./highlight";
import { placeIn, useOutside } from "./outside";

const MOST_LINES = 20;
const COPIED_MS = 2_000;

interface Props {
  readonly language: string;
  /** What stands behind the language: the file, if it is one. */
  readonly meta?: string;
  readonly text: string;
}

export function CodeBlock({ language, meta = "", text }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { openFile } = useOutside();
  const code = text.replace(/\n$/, "");
  const lines = code.split("\n");
  const isCut = lines.length > MOST_LINES && !isWhole;
  const place = placeIn(meta.trim().split(/\s/)[0] ?? "");
  return (
    <div className="code-block">
      <div className="caption">
        <span className="text">
          {language}
          {place && (
            <>
              {language && " · "}
              <button type="button" className="link" onClick={() => { openFile(place.path, place.line); }}>
                {place.path}
              </button>
            </>
          )}
        </span>
        <Copy text={code} />
      </div>
      <pre tabIndex={0}>
        {language === "diff" ? <Difference text={isCut ? lines.slice(0, MOST_LINES).join("\n") : code} /> : <Highlighted language={language} text={isCut ? lines.slice(0, MOST_LINES).join("\n") : code} />}
      </pre>
      {isCut && (
        <button type="button" className="link whole" onClick={() => { setWhole(true); }}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}

/** Puts a text into the clipboard, and says so for a moment. */
export function Copy({ text, className = "" }: { readonly text: string; readonly className?: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copy } = useOutside();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => { setCopied(false); }, COPIED_MS);
    return () => { clearTimeout(timer); };
  }, [isCopied]);
  return (
    <button type="button" className={`link copy ${className}`} onClick={() => { copy(text); setCopied(true); }}>
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}

type Highlight = typeof import("./highlight");
let loaded: Highlight | undefined;

/** Code in its colours, once they are loaded. */
export function Highlighted({ language, text }: { readonly language: string; readonly text: string }) {
  const [highlight, setHighlight] = useState<Highlight | undefined>(loaded);
  useEffect(() => {
    if (highlight || !language) return;
    let isWanted = true;
    void import("./highlight").then((module) => {
      loaded = module;
      if (isWanted) setHighlight(module);
    });
    return () => { isWanted = false; };
  }, [highlight, language]);
  return <code>{highlight && language ? drawn(highlight.tokensOf(language, text)) : text}</code>;
}

function drawn(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => {
    if (typeof token === "string") return token;
    return token.kind ? (
      <span key={index} className={`token ${token.kind}`}>
        {drawn(token.parts)}
      </span>
    ) : (
      drawn(token.parts)
    );
  });
}

/** Lines of a difference: what goes and what comes, by their first character and by colour. */
export function Difference({ text }: { readonly text: string }) {
  return (
    <code className="difference">
      {text.replace(/\n$/, "").split("\n").map((line, index) => (
        <span key={index} className={LINES[line.charAt(0)] ?? ""}>
          {line}
          {"\n"}
        </span>
      ))}
    </code>
  );
}

const LINES: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };
