// Lenses as new as their documents: the workbench drops a request for them when the focus leaves the editor before it is sent.
import { commands, window, type CodeLens, type Disposable, type TextDocument, type Uri } from "vscode";
import { CodeLensRequest, type CodeLensMiddleware, type LanguageClient } from "vscode-languageclient/node";

/** Longer than the workbench waits before it asks. */
const DUE_MS = 1_000;

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
  private readonly due = new Set<TextDocument>();
  private timer: NodeJS.Timeout | undefined;

  readonly middleware: CodeLensMiddleware = {
    provideCodeLenses: (document, token, next) => {
      if (ownRequests === 0) this.due.delete(document); // else it may be asked for once more than it needs
      return next(document, token);
    },
  };

  /** Lenses changed; has the workbench ask once more if it doesn't in time. */
  changed(client: LanguageClient): void {
    clearTimeout(this.timer);
    for (const { document } of window.visibleTextEditors) this.due.add(document);
    this.timer = setTimeout(() => {
      const forgotten = window.visibleTextEditors.find(({ document }) => this.due.has(document));
      this.due.clear();
      if (forgotten) client.getFeature(CodeLensRequest.method).getProvider(forgotten.document)?.onDidChangeCodeLensEmitter.fire();
    }, DUE_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
