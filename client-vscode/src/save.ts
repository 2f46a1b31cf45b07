// Saves documents for the server, so that commands see on disk what is in the editor.
import { Uri, workspace } from "vscode";

import type { Save, Saved } from "./protocol";

/** Saves those that are open and changed; gives back those whose text is on disk now. */
export async function saveDocuments({ uris }: Save): Promise<Saved> {
  const saved = await Promise.all(uris.map(isOnDisk));
  return { saved: uris.filter((_, index) => saved[index]) };
}

async function isOnDisk(uri: string): Promise<boolean> {
  const wanted = Uri.parse(uri).toString();
  const document = workspace.textDocuments.find((open) => open.uri.toString() === wanted);
  return !document?.isDirty || document.save();
}
