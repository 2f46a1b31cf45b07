// What a message mentions with an `@`: paths to complete, and what only the editor knows, `@selection` and `@problems`.
//
// Paths are those in the folder that the message is said in: what lies in another folder, the agent there knows nothing of.
import { DiagnosticSeverity, languages, RelativePattern, window, workspace, type Diagnostic, type Uri, type WorkspaceFolder } from "vscode";

import type { SendMessage } from "./protocol";

const MAX_PROBLEMS = 100;
const MAX_PATHS = 20;
const MAX_FILES_IN_FOLDERS = 200;
const SEVERITIES: Readonly<Record<DiagnosticSeverity, string>> = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "information",
  [DiagnosticSeverity.Hint]: "hint",
};

/** The message with the place of the selection and the problems that are shown, where it mentions them. */
export function withMentions(message: SendMessage, folder: WorkspaceFolder | undefined): SendMessage {
  const text = message.text ?? "";
  return {
    ...message,
    ...(/@selection\b/.test(text) ? { selection: selectedPlace(folder) } : {}),
    ...(/@problems\b/.test(text) ? { problems: problems(folder) } : {}),
  };
}

/** Files and folders whose paths have what was typed, the shortest first; a folder ends with a slash. */
export async function findPaths(typed: string, folder: WorkspaceFolder | undefined): Promise<readonly string[]> {
  const written = typed.replace(/[^\p{L}\p{N}._/-]/gu, "");
  const pattern = written.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  if (!folder) return [];
  const find = (glob: string, most: number) => workspace.findFiles(new RelativePattern(folder, glob), undefined, most);
  const [files, within] = await Promise.all([
    find(pattern ? `**/*${pattern}*` : "*", MAX_PATHS),
    pattern ? find(`**/*${pattern}*/**`, MAX_FILES_IN_FOLDERS) : [],
  ]);
  const folders = within.map((uri) => folderOf(workspace.asRelativePath(uri, false), written)).filter((path) => path !== undefined);
  const paths = new Set([...folders, ...files.map((uri) => workspace.asRelativePath(uri, false))]);
  return [...paths].sort((a, b) => a.length - b.length).slice(0, MAX_PATHS);
}

/** The folder on the way to a file that has what was typed in its path. */
function folderOf(path: string, typed: string): string | undefined {
  const at = path.toLowerCase().indexOf(typed.toLowerCase());
  const end = at < 0 ? -1 : path.indexOf("/", at + typed.replace(/\/$/, "").length);
  return end < 0 ? undefined : path.slice(0, end + 1);
}

function isIn(folder: WorkspaceFolder | undefined, uri: Uri): boolean {
  return workspace.getWorkspaceFolder(uri) === folder;
}

function selectedPlace(folder: WorkspaceFolder | undefined): string {
  const editor = window.activeTextEditor;
  if (!editor || !isIn(folder, editor.document.uri)) return "";
  const { start, end } = editor.selection;
  return `${workspace.asRelativePath(editor.document.uri, false)}:${start.line + 1}-${end.line + 1}`;
}

/** Errors and warnings, one a line, those of the active editor first. */
function problems(folder: WorkspaceFolder | undefined): string[] {
  const active = window.activeTextEditor?.document.uri.toString();
  const files = languages.getDiagnostics().filter(([uri]) => isIn(folder, uri)).sort(([a], [b]) => Number(b.toString() === active) - Number(a.toString() === active));
  return files.flatMap(([uri, found]) => found.filter(({ severity }) => severity <= DiagnosticSeverity.Warning).map((problem) => line(uri, problem))).slice(0, MAX_PROBLEMS);
}

function line(uri: Uri, { range, message, severity, source }: Diagnostic): string {
  return `${workspace.asRelativePath(uri, false)}:${range.start.line + 1}: ${SEVERITIES[severity]}: ${message.replaceAll("\n", " ")}${source ? ` (${source})` : ""}`;
}
