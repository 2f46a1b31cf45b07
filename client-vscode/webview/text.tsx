// Markdown of models and users, drawn without HTML of theirs and without anything from elsewhere.
import { memo } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  // A picture's address could tell somebody what was read.
  img: ({ alt }) => <span>{alt}</span>,
  a: ({ href, children }) => (
    <a href={href} title={href}>
      {children}
    </a>
  ),
  // What is longer than its box is scrolled, also with keys.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  code: ({ className, children }) =>
    className === "language-diff" && typeof children === "string" ? <Difference text={children} /> : <code>{children}</code>,
};

export const Text = memo(function Text({ text }: { readonly text: string }) {
  return (
    <div className="text">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </Markdown>
    </div>
  );
});

/** One line of Markdown, such as a goal or a step. */
export function Line({ text }: { readonly text: string }) {
  return (
    <Markdown allowedElements={["code", "em", "strong"]} unwrapDisallowed components={COMPONENTS}>
      {text}
    </Markdown>
  );
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
