// Markdown of models and users, drawn without HTML of theirs and without anything from elsewhere.
import { isValidElement, memo, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

import { CodeBlock } from "./code";
import { placeIn, useOutside } from "./outside";

const PLUGINS = [remarkGfm];

const LINE: Components = {
  // A picture's address could tell somebody what was read.
  img: ({ alt }) => <span>{alt}</span>,
  a: ({ href, children }) => (
    <a href={href} title={href}>
      {children}
    </a>
  ),
};

const COMPONENTS: Components = {
  ...LINE,
  pre: ({ children }) => <Block>{children}</Block>,
  code: ({ children }) => <Inline>{children}</Inline>,
  table: ({ children }) => (
    <div className="table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
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
    <Markdown allowedElements={["code", "em", "strong"]} unwrapDisallowed components={LINE}>
      {text}
    </Markdown>
  );
}

interface InPre {
  readonly className?: string;
  readonly children?: ReactNode;
  readonly node?: { readonly data?: { readonly meta?: string | null } };
}

function Block({ children }: { readonly children: ReactNode }) {
  if (!isValidElement<InPre>(children)) return <pre tabIndex={0}>{children}</pre>;
  const { className = "", children: text, node } = children.props;
  const [language = "", path] = (/language-(\S+)/.exec(className)?.[1] ?? "").split(":");
  return <CodeBlock language={language} meta={path ?? node?.data?.meta ?? ""} text={typeof text === "string" ? text : ""} />;
}

/** A path is a link to the file. */
function Inline({ children }: { readonly children: ReactNode }) {
  const { openFile } = useOutside();
  const place = typeof children === "string" ? placeIn(children) : undefined;
  if (!place) return <code>{children}</code>;
  return (
    <button type="button" className="link path" onClick={() => { openFile(place.path, place.line); }}>
      <code>{children}</code>
    </button>
  );
}
