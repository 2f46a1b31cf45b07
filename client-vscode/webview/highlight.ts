// The colours of code, as a tree that React draws. Loaded when the first code is shown.
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** A piece of code: text, or pieces of one kind. */
export type Token = string | { readonly kind: string; readonly parts: readonly Token[] };

const lowlight = createLowlight({ bash, c, cpp, csharp, css, go, java, javascript, json, markdown, python, ruby, rust, sql, typescript, xml, yaml });
lowlight.registerAlias({ bash: ["sh", "shell", "zsh", "console"], javascript: ["js", "jsx", "mjs"], json: ["jsonc"], markdown: ["md", "plan"], python: ["py"], ruby: ["rb"], rust: ["rs"], typescript: ["ts", "tsx"], xml: ["html", "svg", "vue"], yaml: ["yml", "toml", "ini"], csharp: ["cs"] });

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** The tokens of a text in a language; the text alone where the language isn't known. */
export function tokensOf(language: string, text: string): readonly Token[] {
  return lowlight.registered(language) ? lowlight.highlight(language, text).children.map(tokenOf) : [text];
}

function tokenOf(node: Node): Token {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  const names = node.properties.className;
  const kind = Array.isArray(names) ? String(names[0]).replace(/^hljs-/, "") : "";
  return { kind: KINDS[kind] ?? "", parts: node.children.map(tokenOf) };
}

/** The few colours that every theme of VS Code has for code, by what highlight.js calls things. */
const KINDS: Readonly<Record<string, string>> = {
  keyword: "keyword",
  built_in: "name",
  type: "name",
  literal: "keyword",
  number: "number",
  operator: "",
  string: "string",
  regexp: "string",
  subst: "",
  symbol: "string",
  title: "name",
  function: "name",
  "selector-tag": "keyword",
  "selector-class": "name",
  "selector-id": "name",
  name: "keyword",
  tag: "",
  attr: "name",
  attribute: "name",
  section: "keyword",
  bullet: "keyword",
  link: "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  variable: "",
};
