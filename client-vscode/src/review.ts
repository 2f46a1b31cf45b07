// What a question is about, as a document beside the plan with its answers above: there, differences keep their columns.
import {
  commands,
  Disposable,
  EventEmitter,
  TabInputText,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Command,
} from "vscode";

import type { QuestionPending } from "./protocol";
import { unfenced } from "./text";
import * as ui from "./ui";

const SCHEME = "planact-review";
const ANSWER = "planact.ui.answerReviewed";

/** A choice and what it does. */
export interface Choosable {
  readonly title: string;
  readonly act: () => Promise<void>;
}

interface Shown {
  readonly text: string;
  readonly choices: readonly Choosable[];
}

export class Review implements Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly registered = Disposable.from(
    this.changed,
    workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.changed.event,
      provideTextDocumentContent: (uri) => this.shown.get(uri.toString())?.text ?? "",
    }),
    ui.registerLenses(SCHEME, (uri) => this.answers(uri.toString())),
    commands.registerCommand(ANSWER, (uri: string, index: number) => this.shown.get(uri)?.choices[index]?.act()),
  );

  /** Shows it, and leaves the keyboard where it is. */
  async open(set: QuestionPending, choices: readonly Choosable[]): Promise<void> {
    const uri = uriOf(set);
    const text = set.questions.map(({ question, context }) => `${question}\n\n${unfenced(context)}\n`).join("\n");
    this.shown.set(uri.toString(), { text, choices });
    this.changed.fire(uri);
    await window.showTextDocument(uri, { viewColumn: columnBeside(), preserveFocus: true, preview: true });
  }

  /** Whether the user has it before them. */
  isOpen(set: QuestionPending): boolean {
    const uri = uriOf(set).toString();
    return window.visibleTextEditors.some((editor) => editor.document.uri.toString() === uri);
  }

  /** Takes it away. */
  async close(set: QuestionPending): Promise<void> {
    const uri = uriOf(set).toString();
    this.shown.delete(uri);
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    await window.tabGroups.close(tabs.filter(({ input }) => input instanceof TabInputText && input.uri.toString() === uri));
  }

  dispose(): void {
    this.registered.dispose();
  }

  private answers(uri: string): Command[] {
    const choices = this.shown.get(uri)?.choices ?? [];
    return choices.map(({ title }, index) => ({ title, command: ANSWER, arguments: [uri, index] }));
  }
}

function uriOf({ question_id: id, questions }: QuestionPending): Uri {
  const isDifference = questions.some(({ context }) => /^`{3,}diff$/m.test(context));
  return Uri.from({ scheme: SCHEME, path: `/${id}/${isDifference ? "Review.diff" : "Review.txt"}` });
}

/** Another group than the one in use, which shows the plan; a new one only where there is no other. */
function columnBeside(): ViewColumn {
  const { all, activeTabGroup: active } = window.tabGroups;
  return all.find((group) => group !== active)?.viewColumn ?? ViewColumn.Beside;
}
