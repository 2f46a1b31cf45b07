// Lenses as new as their documents: the workbench drops a request for them when the focus leaves the editor before it is sent.
import { commands, window, type CodeLens, type Disposable, type TextDocument, type Uri } from "vscode";
import { CodeLensRequest, type CodeLensMiddleware, type LanguageClient } from "vscode-languageclient/node";

import { Due } from "./due";

let ownRequests = 0;

/** The first lenses of a document. The workbench shows nothing of this request. */
export async function lensesOf(uri: Uri, most: number): Promise<readonly CodeLens[]> {
  ownRequests += 1;
  try {
    return (await commands.executeCommand<CodeLens[] | undefined>("vscode.executeCodeLensProvider", uri, most)) ?? [];
  } finally {
    ownRequests -= 1;
  }
}

export class Lenses implements Disposable {
  private client: LanguageClient | undefined;
  private readonly due = new Due<TextDocument>(
    () => window.visibleTextEditors.map(({ document }) => document),
    (document) => { this.client?.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire(); },
  );

  readonly middleware: CodeLensMiddleware = {
    provideCodeLenses: (document, token, next) => {
      if (ownRequests === 0) this.due.asked(document); // else it may be asked for once more than it needs
      return next(document, token);
    },
  };

  /** Lenses changed; has the workbench ask again if it doesn't in time. */
  changed(client: LanguageClient): void {
    this.client = client;
    this.due.changed();
  }

  dispose(): void {
    this.due.dispose();
  }
}
