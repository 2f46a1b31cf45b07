// What a message mentions that only the editor knows: `@selection` and `@problems`.
import { DiagnosticSeverity, languages, window, workspace, type Diagnostic, type Uri } from "vscode";

import type { SendMessage } from "./protocol";

const MAX_PROBLEMS = 100;
const SEVERITIES: Readonly<Record<DiagnosticSeverity, string>> = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "information",
  [DiagnosticSeverity.Hint]: "hint",
};

/** The message with the place of the selection and the problems that are shown, where it mentions them. */
export function withMentions(message: SendMessage): SendMessage {
  const text = message.text ?? "";
  return {
    ...message,
    ...(/@selection\b/.test(text) ? { selection: selectedPlace() } : {}),
    ...(/@problems\b/.test(text) ? { problems: problems() } : {}),
  };
}

function selectedPlace(): string {
  const editor = window.activeTextEditor;
  if (!editor) return "";
  const { start, end } = editor.selection;
  return `${workspace.asRelativePath(editor.document.uri, false)}:${start.line + 1}-${end.line + 1}`;
}

/** Errors and warnings, one a line, those of the active editor first. */
function problems(): string[] {
  const active = window.activeTextEditor?.document.uri.toString();
  const files = languages.getDiagnostics().sort(([a], [b]) => Number(b.toString() === active) - Number(a.toString() === active));
  return files.flatMap(([uri, found]) => found.filter(({ severity }) => severity <= DiagnosticSeverity.Warning).map((problem) => line(uri, problem))).slice(0, MAX_PROBLEMS);
}

function line(uri: Uri, { range, message, severity, source }: Diagnostic): string {
  return `${workspace.asRelativePath(uri, false)}:${range.start.line + 1}: ${SEVERITIES[severity]}: ${message.replaceAll("\n", " ")}${source ? ` (${source})` : ""}`;
}
