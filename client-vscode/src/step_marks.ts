// Marks beside the steps of a plan: what waits, runs, is done, skipped or failed. A plan that nobody began has none.
import {
  commands,
  Disposable,
  OverviewRulerLane,
  Range,
  SymbolKind,
  ThemeColor,
  Uri,
  window,
  workspace,
  type DocumentSymbol,
  type TextDocument,
  type TextEditorDecorationType,
} from "vscode";

import { isPlan } from "./plans";
import type { StepStatus } from "./protocol";

const DELAY_MS = 150;

const STATUS_OF: Readonly<Record<string, StepStatus>> = { " ": "pending", "~": "running", x: "done", X: "done", "-": "skipped", "!": "failed" };
const COLOURS: Readonly<Partial<Record<StepStatus, string>>> = { running: "charts.green", done: "charts.green", failed: "charts.red" };

export class StepMarks implements Disposable {
  private readonly kinds = new Map<StepStatus, TextEditorDecorationType>();
  private readonly listening: Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(icons: Uri) {
    for (const status of new Set(Object.values(STATUS_OF))) this.kinds.set(status, decoration(icons, status));
    this.listening = Disposable.from(
      ...this.kinds.values(),
      window.onDidChangeVisibleTextEditors(() => { this.drawSoon(); }),
      workspace.onDidChangeTextDocument(({ document }) => { if (isPlan(document)) this.drawSoon(); }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
  }

  /** Soon, and once for all that happens until then; also when the server has started, which says what the steps are. */
  drawSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.draw(); }, DELAY_MS);
  }

  private async draw(): Promise<void> {
    for (const editor of window.visibleTextEditors) {
      if (!isPlan(editor.document)) continue;
      const { version } = editor.document;
      const lines = await stepLines(editor.document);
      if (editor.document.version !== version) return; // the change is drawn by its own call
      // The beginning of each line alone: a long one that is wrapped would be marked on each of its rows.
      const steps = lines.map((line) => ({ range: new Range(line, 0, line, 0), status: statusOf(editor.document.lineAt(line).text) }));
      const isBegun = steps.some(({ status }) => status !== "pending");
      for (const [kind, type] of this.kinds) {
        editor.setDecorations(type, isBegun ? steps.filter(({ status }) => status === kind).map(({ range }) => range) : []);
      }
    }
  }
}

/** The lines on which steps begin, as the server reads the plan; none while it isn't there. */
async function stepLines({ uri, lineCount }: TextDocument): Promise<readonly number[]> {
  const found = await commands.executeCommand<DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", uri);
  const below = (symbols: readonly DocumentSymbol[]): DocumentSymbol[] => symbols.flatMap((symbol) => [symbol, ...below(symbol.children)]);
  const steps = below(found ?? []).filter(({ kind }) => kind === SymbolKind.Method);
  return steps.map(({ range }) => range.start.line).filter((line) => line < lineCount);
}

/** By the mark, such as the one in `- [x] 2. Do it`. */
function statusOf(line: string): StepStatus {
  return STATUS_OF[/\[(.)\]/.exec(line)?.[1] ?? " "] ?? "pending";
}

function decoration(icons: Uri, status: StepStatus): TextEditorDecorationType {
  const icon = (theme: string) => ({ gutterIconPath: Uri.joinPath(icons, `step-${status}-${theme}.svg`) });
  const colour = COLOURS[status];
  return window.createTextEditorDecorationType({
    light: icon("light"),
    dark: icon("dark"),
    gutterIconSize: "contain",
    ...(colour ? { overviewRulerColor: new ThemeColor(colour), overviewRulerLane: OverviewRulerLane.Left } : {}),
  });
}
