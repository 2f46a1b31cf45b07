// The workspace folders, and the one in hand: what the chat, the status bar and commands without a document are about.
//
// It is the one that the user picked, and the first until then. It doesn't follow the active editor: who looks something up
// in another folder would lose the conversation from view, and say the next thing to another agent than the one meant.
import { EventEmitter, Uri, workspace, type Disposable, type Memento, type WorkspaceFolder } from "vscode";

import * as ui from "./ui";

const IN_HAND = "folderInHand";

/** What was found in a folder. */
export interface Found<T> {
  readonly folder: WorkspaceFolder | undefined;
  readonly found: T;
}

export class Folders implements Disposable {
  private readonly picked = new EventEmitter<void>();
  /** The user picked another. */
  readonly onDidPick = this.picked.event;

  constructor(private readonly memory: Memento) {}

  dispose(): void {
    this.picked.dispose();
  }

  get all(): readonly WorkspaceFolder[] {
    return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  }

  get inHand(): WorkspaceFolder | undefined {
    const picked = this.memory.get<string>(IN_HAND);
    return this.all.find(({ uri }) => uri.toString() === picked) ?? this.all[0];
  }

  /** The one in hand as commands of the server take it; empty where none is open. */
  get uri(): string {
    return this.inHand?.uri.toString() ?? "";
  }

  /** Whether a folder, as the server writes it, is the one in hand. */
  isInHand(uri: string): boolean {
    return !this.inHand || same(uri, this.uri);
  }

  /** What people call a folder where there are several; else empty. */
  nameOf(uri: string): string {
    return this.all.length > 1 ? (this.all.find((folder) => same(folder.uri.toString(), uri))?.name ?? "") : "";
  }

  /** The folder of a document, or the one in hand. */
  of(uri: string | undefined): string {
    return (uri ? workspace.getWorkspaceFolder(Uri.parse(uri))?.uri.toString() : undefined) ?? this.uri;
  }

  /** The title of what is asked about a folder, by which it is told from others. */
  titled(title: string, folder = this.uri): string {
    const name = this.nameOf(folder);
    return `Planact: ${title}${name && ` in ${name}`}`;
  }

  /** A detail of what is in a folder, after the folder's name where there are several. */
  placed(detail: string, folder: WorkspaceFolder | undefined): string {
    return [folder && this.nameOf(folder.uri.toString()), detail].filter(Boolean).join(" · ");
  }

  /** What there is in each folder; an undefined answer is left out. */
  async each<T>(list: (folder: string) => Promise<T | undefined>): Promise<Found<T>[]> {
    const folders = this.all.length > 0 ? this.all : [undefined];
    const lists = await Promise.all(folders.map((folder) => list(folder?.uri.toString() ?? "")));
    return folders.flatMap((folder, index) => {
      const found = lists[index];
      return found === undefined ? [] : [{ folder, found }];
    });
  }

  /** Takes a folder in hand: that one, or one that the user chooses. */
  async pick(uri?: string): Promise<void> {
    const items = this.all.map((folder) => ({
      label: folder.name,
      description: folder === this.inHand ? "current" : "",
      detail: folder.uri.fsPath,
      uri: folder.uri.toString(),
    }));
    const chosen = uri ?? (await ui.pick(items, { title: "Planact: Choose Folder", placeHolder: "Where the chat and commands without a document work" }))?.uri;
    if (chosen === undefined || chosen === this.uri) return;
    await this.memory.update(IN_HAND, chosen);
    this.picked.fire();
  }
}

/** The server and VS Code write the same URI in different ways. */
function same(one: string, other: string): boolean {
  return Uri.parse(one).toString() === Uri.parse(other).toString();
}
