// What language servers and linters say of files, told to the server for the agent.
import { DiagnosticSeverity, languages, Uri } from "vscode";

import type { Diagnosed, Diagnostics } from "./protocol";

const SEVERITIES = { [DiagnosticSeverity.Error]: "error", [DiagnosticSeverity.Warning]: "warning", [DiagnosticSeverity.Information]: "information", [DiagnosticSeverity.Hint]: "hint" } as const;

/** Those of a file, or of all files in a folder; planact's own are left out. */
export function tellDiagnostics({ uri }: Diagnosed): Diagnostics {
  const wanted = Uri.parse(uri).toString().replace(/\/$/, "");
  const files = languages.getDiagnostics().filter(([file]) => file.toString() === wanted || file.toString().startsWith(`${wanted}/`));
  const diagnostics = files.flatMap(([file, found]) =>
    found
      .filter(({ source }) => source !== "planact")
      .map(({ range, severity, message, source }) => ({ uri: file.toString(), line: range.start.line, severity: SEVERITIES[severity], message, source: source ?? "" })),
  );
  return { diagnostics };
}
