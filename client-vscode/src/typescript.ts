// Errors of TypeScript and JavaScript, asked of the extension that VS Code brings: by itself it says nothing of a file in no tab, nor that one has none.
import { commands, extensions, workspace, type TextDocument } from "vscode";

import type { Diagnostic } from "./protocol";

/** The name by which VS Code shows who found them. */
export const TYPESCRIPT = "ts";

const EXTENSION = "vscode.typescript-language-features";
const SETTINGS: Readonly<Record<string, string>> = { typescript: "typescript", typescriptreact: "typescript", javascript: "javascript", javascriptreact: "javascript" };
const REQUESTS = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"];
const SEVERITIES: Readonly<Record<string, Diagnostic["severity"]>> = { error: "error", warning: "warning", suggestion: "hint" };

/** An answer of the TypeScript server. */
interface Answer {
  readonly type: string;
  readonly body?: readonly { readonly start: { readonly line: number }; readonly text: string; readonly category: string; readonly code?: number; readonly source?: string }[];
}

/** Whether it is asked for the errors of a document; the user may have turned that off. */
export function isTypeScript({ languageId, uri }: TextDocument): boolean {
  const section = SETTINGS[languageId];
  return section !== undefined && extensions.getExtension(EXTENSION) !== undefined && workspace.getConfiguration(section, uri).get("validate.enable", true);
}

/** The errors of a document's present text; undefined = it has not told them within `limit` milliseconds, or can't. */
export async function typeScriptErrors(document: TextDocument, limit: number): Promise<Diagnostic[] | undefined> {
  const { version } = document;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => { timer = setTimeout(() => { resolve(undefined); }, limit); });
  const found = await Promise.race([ask(document).catch(() => undefined), late]).finally(() => { clearTimeout(timer); });
  return document.version === version ? found : undefined;
}

async function ask({ uri }: TextDocument): Promise<Diagnostic[] | undefined> {
  const found: Diagnostic[] = [];
  for (const request of REQUESTS) {
    const answer = await commands.executeCommand<Answer | undefined>("typescript.tsserverRequest", request, { file: uri });
    if (answer?.type !== "response" || !answer.body) return undefined;
    found.push(...answer.body.map(({ start, text, category, code, source }): Diagnostic => ({ line: start.line - 1, severity: SEVERITIES[category] ?? "information", message: text, source: source ?? TYPESCRIPT, code: String(code ?? "") })));
  }
  return found;
}
