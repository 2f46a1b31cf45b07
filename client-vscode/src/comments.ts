// Comments on lines of a plan: VS Code's box asks for the text, and the server writes it into the document, which alone keeps it.
import { commands, Range, Selection, Uri, window, workspace, WorkspaceEdit, type CommentReply, type TextDocument } from "vscode";

import { Failure, tellFailure } from "./failure";
import { commentLines } from "./plan_text";
import { isPlan, openDocument } from "./plans";
import type { Server } from "./server";
import * as ui from "./ui";

const ID = "planact";

/** Lines from 0, both of them in it. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

export function registerComments(server: Server): ui.OpenComments {
  const comments = ui.openComments(ID, "Comment to the planner", "What should be different here?", async (document) => (await linesOf(server, document)).map(({ start, end }) => new Range(start, 0, end, 0)));
  const command = commands.registerCommand("planact.ui.addComment", (reply: CommentReply) => tellFailure(() => addComment(server, reply)));
  return { refresh: () => { comments.refresh(); }, dispose: () => { comments.dispose(); command.dispose(); } };
}

/** Where comments can be written; nowhere while the plan may not be revised. */
async function linesOf(server: Server, document: TextDocument): Promise<readonly Lines[]> {
  if (!isPlan(document) || !server.isRunning) return [];
  const found = await server.call("planact.listCommentRanges", { uri: document.uri.toString() }).catch(() => undefined);
  return found?.ranges ?? [];
}

/** Writes what was typed in the box below its line, and takes the box away. What can't be written is asked for again, so that it isn't lost. */
async function addComment(server: Server, { thread, text }: CommentReply): Promise<void> {
  const { uri, range } = thread;
  thread.dispose();
  const line = range.end.line;
  for (let written = text; written.trim(); ) {
    try {
      await server.call("planact.commentPlan", { uri: uri.toString(), line, text: written });
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      written = (await ui.askText({ title: "Planact: Comment on Plan", prompt: error.message, value: written })) ?? "";
    }
  }
}

/** Opens the box at a line, from 0, of a plan; without one, at the cursor or the next thing above it. */
export async function openCommentBox(server: Server, uri?: string, line?: number): Promise<void> {
  if (uri !== undefined) await openDocument(uri, line);
  const editor = window.activeTextEditor;
  if (!editor || !isPlan(editor.document)) {
    void ui.notify("info", "Comments are written in a plan. Open one first.");
    return;
  }
  const wanted = line ?? editor.selection.active.line;
  const ranges = await linesOf(server, editor.document);
  const there = ranges.find(({ start, end }) => start <= wanted && wanted <= end) ?? ranges.filter(({ start }) => start <= wanted).at(-1) ?? ranges[0];
  if (!there) {
    void ui.notify("info", "This plan can't be revised now, so nobody would read a comment.");
    return;
  }
  const at = Math.min(Math.max(wanted, there.start), there.end);
  editor.selection = new Selection(at, 0, at, 0);
  editor.revealRange(new Range(at, 0, at, 0));
  await commands.executeCommand("workbench.action.addComment");
}

/** Takes all comments out of a plan; the document stays unsaved, as after typing. */
export async function removeComments(uri: string): Promise<void> {
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const edit = new WorkspaceEdit();
  for (const line of commentLines(document.getText())) edit.delete(document.uri, document.lineAt(line).rangeIncludingLineBreak);
  await workspace.applyEdit(edit);
}
