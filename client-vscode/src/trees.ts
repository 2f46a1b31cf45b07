// The side bar's trees: plans and their steps, runs and their evidence, templates, and questions that wait.
import {
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  type Disposable,
  type TreeDataProvider,
} from "vscode";

import type { Execution, PlanListed, PlanStatus, Step, StepRecord, StepStatus, TemplateListed } from "./protocol";
import type { Questions } from "./questions";
import type { Server } from "./server";
import type { Subject } from "./subject";
import { plain } from "./text";

const REFRESH_MS = 200;

/** A row; its commands get its `subject`. */
class Row extends TreeItem {
  constructor(
    label: string,
    readonly subject: Subject,
    readonly below?: () => Promise<Row[]>,
  ) {
    super(label, below ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  }
}

class Tree implements TreeDataProvider<Row> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly rows: () => Promise<Row[]>) {}

  getTreeItem(row: Row): Row {
    return row;
  }

  getChildren(row?: Row): Promise<Row[]> {
    return row ? (row.below?.() ?? Promise.resolve([])) : this.rows();
  }

  /** Soon, and once for all that happens until then. */
  refresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire(undefined);
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
    this.plans = new Tree(() => planRows(server));
    this.executions = new Tree(() => executionRows(server));
    this.templates = new Tree(() => templateRows(server));
    this.waiting = new Tree(() => Promise.resolve(questionRows(questions)));
    const view = (name: string, treeDataProvider: Tree) => window.createTreeView(`planact.${name}`, { treeDataProvider });
    const asked = view("questions", this.waiting);
    this.disposables = [
      view("plans", this.plans),
      view("executions", this.executions),
      view("templates", this.templates),
      asked,
      server.onDidChangeCondition(() => { this.refresh(); }),
      questions.onDidChange(() => {
        this.waiting.refresh();
        const count = questions.count;
        asked.badge = count > 0 ? { value: count, tooltip: `${count} ${count === 1 ? "question waits" : "questions wait"}` } : undefined;
      }),
    ];
  }

  /** What a message of the server changes here. */
  heard(method: "planact/planChanged" | "planact/executionProgress"): void {
    this.plans.refresh();
    if (method === "planact/executionProgress") this.executions.refresh();
  }

  refresh(): void {
    for (const tree of [this.plans, this.executions, this.templates, this.waiting]) tree.refresh();
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }
}

async function planRows(server: Server): Promise<Row[]> {
  const listed = await quietly(server.call("planact.listPlans", {}));
  return (listed?.plans ?? []).map((plan) => planRow(server, plan));
}

function planRow(server: Server, plan: PlanListed): Row {
  const row = new Row(plan.goal || plan.path, { plan: plan.uri }, async () => {
    const shown = await quietly(server.call("planact.showPlan", { uri: plan.uri }));
    return (shown?.plan.steps ?? []).map((step) => stepRow(plan.uri, step));
  });
  row.id = plan.uri;
  row.description = `${plan.status}${plan.steps_done > 0 ? ` · ${plan.steps_done}/${plan.steps_total}` : ""}${plan.is_pinned ? " · pinned" : ""}`;
  row.tooltip = plan.path;
  row.iconPath = PLAN_ICONS[plan.status];
  row.contextValue = "plan";
  row.command = { command: "planact.ui.openPlan", title: "Open", arguments: [row] };
  return row;
}

function stepRow(uri: string, step: Step): Row {
  const row = new Row(`${step.step_number}. ${step.action}`, { plan: uri, step: step.step_number });
  row.description = step.files.join(", ");
  row.iconPath = STEP_ICONS[step.status];
  row.tooltip = step.reason;
  row.contextValue = `step.${step.status}`;
  return row;
}

async function executionRows(server: Server): Promise<Row[]> {
  const listed = await quietly(server.call("planact.listExecutions", {}));
  return (listed?.executions ?? []).map(executionRow);
}

function executionRow(run: Execution): Row {
  const row = new Row(run.goal || "Work without a plan", { execution: run.id }, () => Promise.resolve(run.steps.map((record) => recordRow(run.id, record))));
  row.id = run.id;
  row.description = `${run.status.replace("_", " ")} · ${new Date(run.started_at).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}`;
  row.tooltip = run.reason;
  row.iconPath = RUN_ICONS[run.status];
  row.contextValue = "execution";
  row.command = { command: "planact.ui.showExecutions", title: "Show", arguments: [row] };
  return row;
}

function recordRow(id: string, record: StepRecord): Row {
  const facts = [...record.checks.map((check) => `${check.command}: ${check.passed ? "passed" : "failed"}`), ...record.files.map((file) => file.path)];
  const row = new Row(`${record.step_number}. ${record.action}`, { execution: id, step: record.step_number });
  row.description = facts.join(" · ");
  row.tooltip = [record.error, record.output].filter(Boolean).join("\n\n");
  row.iconPath = STEP_ICONS[record.status];
  row.contextValue = record.files.length > 0 ? "record.changed" : "record";
  if (record.files.length > 0) row.command = { command: "planact.ui.showStepDiff", title: "Show Diff", arguments: [row] };
  return row;
}

async function templateRows(server: Server): Promise<Row[]> {
  const listed = await quietly(server.call("planact.listTemplates", {}));
  return (listed?.templates ?? []).map(templateRow);
}

function templateRow(template: TemplateListed): Row {
  const row = new Row(template.name, { template: template.name });
  row.description = template.description || template.goal;
  row.tooltip = `${template.category}: ${template.goal}`;
  row.iconPath = new ThemeIcon("file-code");
  row.contextValue = `template.${template.source}`;
  row.command = { command: "planact.ui.useTemplate", title: "New Plan from Template", arguments: [row] };
  return row;
}

function questionRows(questions: Questions): Row[] {
  return questions.all.map((set) => {
    const row = new Row(plain(set.questions.map(({ question }) => question).join(" · ")), { question: set.question_id });
    row.tooltip = new MarkdownString().appendText(set.questions.map(({ context }) => context).filter(Boolean).join("\n\n"));
    row.iconPath = new ThemeIcon("question");
    row.contextValue = "question";
    row.command = { command: "planact.ui.answerQuestion", title: "Answer", arguments: [row] };
    return row;
  });
}

/** A tree that can't be filled is empty: what is wrong is said by the status bar and by whatever the user does. */
function quietly<T>(call: Promise<T | undefined>): Promise<T | undefined> {
  return call.catch(() => undefined);
}

function icon(name: string, colour?: string): ThemeIcon {
  return new ThemeIcon(name, colour ? new ThemeColor(colour) : undefined);
}

const [OPEN, RUNS, DONE, HALF, FAILED] = [
  icon("circle-outline"),
  icon("sync", "charts.green"),
  icon("pass", "charts.green"),
  icon("debug-pause", "charts.yellow"),
  icon("error", "charts.red"),
] as const;

const PLAN_ICONS: Readonly<Record<PlanStatus, ThemeIcon>> = { draft: icon("edit", "charts.blue"), approved: icon("check", "charts.blue"), running: RUNS, paused: HALF, done: DONE, partial: HALF, failed: FAILED, aborted: FAILED };
const STEP_ICONS: Readonly<Record<StepStatus, ThemeIcon>> = { pending: OPEN, running: RUNS, done: DONE, skipped: icon("debug-step-over"), failed: FAILED };
const RUN_ICONS: Readonly<Record<Execution["status"], ThemeIcon>> = { running: RUNS, success: DONE, partial_success: HALF, failed: FAILED, aborted: FAILED, paused: HALF };
