// The side bar's trees: what fills them, and when they are filled anew.
import { EventEmitter, workspace, type Disposable, type TreeDataProvider, type TreeItem, type TreeView, type Uri } from "vscode";

import type { Folders } from "./folders";
import type { PlanChanged } from "./protocol";
import type { Questions } from "./questions";
import { executionRow, folderRow, planRow, questionRow, templateRow, type Row } from "./rows";
import type { Server } from "./server";
import * as ui from "./ui";

const REFRESH_MS = 200;

/** Plans and templates: they come and go also by what a terminal, git or the chat is told. */
const DOCUMENTS = "**/*.plan";
const TEMPLATES = "/.planact/templates/";

/** The rows of all folders, below their names where there are several; a folder without any is left out. */
async function grouped(folders: Folders, rowsOf: (folder: string) => Promise<Row[]>): Promise<Row[]> {
  const lists = await folders.each((folder) => rowsOf(folder).catch(() => []));
  if (lists.length === 1) return lists.flatMap(({ found }) => found);
  return lists.flatMap(({ folder, found }) => (folder && found.length > 0 ? [folderRow(folder, folder === folders.inHand, found)] : []));
}

class Tree implements TreeDataProvider<Row> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private timer: NodeJS.Timeout | undefined;
  private fresh: Promise<Row[]> | undefined;
  private asked = 0;
  private told = 0;
  private view: TreeView<Row> | undefined;

  constructor(private readonly rows: () => Promise<Row[]>) {}

  open(name: string): TreeView<Row> {
    return (this.view = ui.openTree(`planact.${name}`, this));
  }

  getTreeItem(row: Row): Row {
    return row;
  }

  /** A tree that can't be filled is empty: what is wrong is said by the status bar and by whatever the user does. */
  getChildren(row?: Row): Promise<Row[]> {
    const rows = row ? row.below?.(row.id ?? "") : (this.fresh ?? this.rows());
    if (!row) this.fresh = undefined;
    return (rows ?? Promise.resolve([])).catch(() => []);
  }

  async resolveTreeItem(_item: TreeItem, row: Row): Promise<Row> {
    await row.lookUpHover();
    return row;
  }

  /**
   * Soon, and once for all that happens until then. The new rows are there first: VS Code knows no row between being told and having them.
   * Rows that come later than those asked for after them are old.
   */
  refresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const fresh = this.view?.visible ? this.rows() : undefined;
      const turn = (this.asked += 1);
      const show = () => {
        if (turn < this.told) return;
        this.told = turn;
        this.fresh = fresh;
        this.changed.fire(undefined);
      };
      void (fresh ?? Promise.resolve()).then(show, show);
    }, REFRESH_MS);
  }
}

export class Trees implements Disposable {
  private readonly plans: Tree;
  private readonly executions: Tree;
  private readonly templates: Tree;
  private readonly waiting: Tree;
  private readonly disposables: Disposable[];

  constructor(server: Server, questions: Questions) {
    const { folders } = server;
    this.plans = new Tree(() => grouped(folders, async (folder) => ((await server.call("planact.listPlans", { folder }))?.plans ?? []).map((plan) => planRow(plan, (how) => server.call("planact.showPlan", { uri: plan.uri, ...how })))));
    this.executions = new Tree(() => grouped(folders, async (folder) => ((await server.call("planact.listExecutions", { folder }))?.executions ?? []).map(executionRow)));
    this.templates = new Tree(() => grouped(folders, async (folder) => ((await server.call("planact.listTemplates", { folder }))?.templates ?? []).map((each) => templateRow(each, folder))));
    this.waiting = new Tree(() => grouped(folders, (folder) => Promise.resolve(questions.of(folder).map(questionRow))));
    const asked = this.waiting.open("questions");
    const documents = workspace.createFileSystemWatcher(DOCUMENTS);
    const documentChanged = ({ path }: Uri) => { this.treeOf(path).refresh(); };
    this.disposables = [
      this.plans.open("plans"),
      this.executions.open("executions"),
      this.templates.open("templates"),
      asked,
      documents,
      documents.onDidCreate(documentChanged),
      documents.onDidChange(documentChanged),
      documents.onDidDelete(documentChanged),
      server.onDidChangeCondition(() => { this.refresh(); }),
      questions.onDidChange(() => {
        this.waiting.refresh();
        const { count } = questions;
        ui.count(asked, count, `${count} ${count === 1 ? "question waits" : "questions wait"}`);
      }),
    ];
  }

  /** The server wrote a document: of the first in a folder that is as new, the system may tell nothing. */
  planChanged({ path }: PlanChanged): void {
    this.treeOf(`/${path}`).refresh();
  }

  executionMoved(): void {
    this.plans.refresh();
    this.executions.refresh();
  }

  refresh(): void {
    for (const tree of [this.plans, this.executions, this.templates, this.waiting]) tree.refresh();
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  private treeOf(path: string): Tree {
    return path.includes(TEMPLATES) ? this.templates : this.plans;
  }
}
