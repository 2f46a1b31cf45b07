// Where language servers find a name used, told to the server for what a plan would touch.
import { commands, type Location, Position, Uri, workspace } from "vscode";

import type { Referenced, References } from "./protocol";

/** The uses of the name that stands in the line; none where no language server knows it. */
export async function tellReferences({ uri, line, name }: Referenced): Promise<References> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const at = line < document.lineCount ? document.lineAt(line).text.search(new RegExp(`(?<![\\p{L}\\p{N}_])${name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "u")) : -1;
  if (at < 0) return { references: [] };
  const found = (await commands.executeCommand<Location[] | undefined>("vscode.executeReferenceProvider", document.uri, new Position(line, at))) ?? [];
  const others = found.filter(({ uri: where, range }) => where.toString() !== document.uri.toString() || range.start.line !== line);
  return { references: others.map(({ uri: where, range }) => ({ uri: where.toString(), line: range.start.line })) };
}
