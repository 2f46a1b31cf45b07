// What language servers know of names and how they would change them, told to the server. Nothing is changed here.
import { CodeActionKind, commands, type CodeAction, type Location, type LocationLink, Position, Range, type TextDocument, Uri, workspace, type WorkspaceEdit } from "vscode";

import { isAsOnDisk, type HiddenDocuments } from "./diagnostics";
import type { ActionsWanted, DocumentEdits, ProposedActions, ProposedEdits, Referenced, References, RenameWanted } from "./protocol";
import type { Handlers } from "./server";

const MOST_ACTIONS = 50;

/** The uses of the name that stands in the line, with its definition; none where no language server knows it. */
async function tellReferences(wanted: Referenced): Promise<References> {
  return tellPlaces("vscode.executeReferenceProvider", wanted);
}

/** The places that define the name that stands in the line. */
async function tellDefinitions(wanted: Referenced): Promise<References> {
  return tellPlaces("vscode.executeDefinitionProvider", wanted);
}

/** The edits that would rename the name that stands in the line; none where no language server can. */
async function tellRenameEdits(wanted: RenameWanted, hidden: HiddenDocuments): Promise<ProposedEdits> {
  const { document, position } = await placeOf(wanted);
  if (!position) return {};
  try {
    const edit = await commands.executeCommand<WorkspaceEdit | undefined>("vscode.executeDocumentRenameProvider", document.uri, position, wanted.new_name);
    return edit ? await tellEdits(edit, hidden) : {};
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The quick fixes of a line and those that organise imports, as far as they are edits; their commands are never run. */
async function tellCodeActions({ uri, line }: ActionsWanted, hidden: HiddenDocuments): Promise<ProposedActions> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  if (line >= document.lineCount) return { actions: [] };
  const whole = new Range(new Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  const offered = [
    ...(await actionsIn(document, document.lineAt(line).range, CodeActionKind.QuickFix)),
    ...(await actionsIn(document, whole, CodeActionKind.SourceOrganizeImports)),
  ];
  const actions = await Promise.all(offered.filter(({ disabled }) => !disabled).map(async ({ title, edit }) => ({ title, edits: edit ? await tellEdits(edit, hidden) : {} })));
  return { actions: actions.filter(({ edits }) => edits.documents?.length) };
}

async function actionsIn(document: TextDocument, range: Range, kind: CodeActionKind): Promise<CodeAction[]> {
  return (await commands.executeCommand<CodeAction[] | undefined>("vscode.executeCodeActionProvider", document.uri, range, kind.value, MOST_ACTIONS)) ?? [];
}

async function tellPlaces(provider: string, wanted: Referenced): Promise<References> {
  const { document, position } = await placeOf(wanted);
  if (!position) return { references: [] };
  const found = (await commands.executeCommand<(Location | LocationLink)[] | undefined>(provider, document.uri, position)) ?? [];
  return {
    references: found.map((place) =>
      "targetUri" in place
        ? { uri: place.targetUri.toString(), line: (place.targetSelectionRange ?? place.targetRange).start.line }
        : { uri: place.uri.toString(), line: place.range.start.line },
    ),
  };
}

async function placeOf({ uri, line, name, occurrence }: Referenced): Promise<{ document: TextDocument; position: Position | undefined }> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const text = line < document.lineCount ? document.lineAt(line).text : "";
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "gu");
  const at = [...text.matchAll(word)][occurrence]?.index;
  return { document, position: at === undefined ? undefined : new Position(line, at) };
}

async function tellEdits(edit: WorkspaceEdit, hidden: HiddenDocuments): Promise<ProposedEdits> {
  const documents: DocumentEdits[] = [];
  for (const [uri, edits] of edit.entries()) {
    const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    const isHidden = document !== undefined && hidden.has(document);
    if (isHidden && !(await isAsOnDisk(document))) return { problem: `${workspace.asRelativePath(uri)} has changed meanwhile` };
    // The server isn't told of a hidden one, and has what is on disk.
    const version = document && !isHidden ? document.version : -1;
    documents.push({ uri: uri.toString(), version, edits: edits.map(({ range: { start, end }, newText }) => ({ start_line: start.line, start_character: start.character, end_line: end.line, end_character: end.character, new_text: newText })) });
  }
  return { documents };
}

export function symbolHandlers(hidden: HiddenDocuments): Handlers["symbols"] {
  return {
    "planact/references": tellReferences,
    "planact/definitions": tellDefinitions,
    "planact/renameEdits": (wanted) => tellRenameEdits(wanted, hidden),
    "planact/codeActions": (wanted) => tellCodeActions(wanted, hidden),
  };
}
