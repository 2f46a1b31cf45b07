// Rows of the side bar's trees, from what the server tells: plans and steps, runs and evidence, templates, questions.
import { ThemeColor, ThemeIcon, TreeItemCollapsibleState, type WorkspaceFolder } from "vscode";

import type { Execution, PlanListed, PlanShown, PlanStatus, QuestionPending, Step, StepRecord, StepStatus, TemplateListed } from "./protocol";
import type { Subject } from "./subject";
import { statusOf } from "./text";
import { PlainRow } from "./ui";

/**
 * How a row looks; `does` is the command that a click on it runs, and `kind` what its menu goes by.
 * Each row with a menu has an `id`: by it, VS Code finds the row again when the tree was filled anew while the menu was open.
 */
interface Looks {
  readonly label: string;
  readonly subject?: Subject;
  readonly id?: string;
  readonly detail?: string;
  /** What is looked up first is looked up when somebody hovers. */
  readonly hover?: string | (() => Promise<string>);
  readonly icon: ThemeIcon;
  readonly kind?: string;
  readonly does?: { readonly command: string; readonly title: string };
  /** Gets the row's own id, to begin those below it with. */
  readonly below?: (id: string) => Promise<Row[]>;
  readonly isExpanded?: boolean;
}

/** A row; its commands get its `subject`. */
export class Row extends PlainRow {
  readonly subject: Subject;
  readonly below: ((id: string) => Promise<Row[]>) | undefined;
  private readonly lookUp: (() => Promise<string>) | undefined;

  constructor({ label, subject = {}, id, detail = "", hover = "", icon, kind, does, below, isExpanded }: Looks) {
    const state = isExpanded ? TreeItemCollapsibleState.Expanded : below ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
    super(label.replaceAll("`", ""), detail, state);
    this.subject = subject;
    this.below = below;
    this.iconPath = icon;
    if (typeof hover === "function") this.lookUp = hover;
    else this.hover(hover);
    if (id) this.id = id;
    if (kind) this.contextValue = kind;
    if (does) this.command = { ...does, arguments: [this] };
  }

  async lookUpHover(): Promise<void> {
    if (this.lookUp) this.hover(await this.lookUp());
  }
}

/** A workspace folder, where there are several. */
export function folderRow({ name, uri }: WorkspaceFolder, isInHand: boolean, rows: Row[]): Row {
  for (const row of rows) if (row.id) row.id = `${uri.toString()} ${row.id}`; // folders may lie in one another
  return new Row({
    label: name,
    subject: { folder: uri.toString() },
    id: uri.toString(),
    detail: isInHand ? "current" : "",
    hover: uri.fsPath,
    icon: icon("root-folder"),
    kind: isInHand ? "folder.current" : "folder",
    below: () => Promise.resolve(rows),
    isExpanded: true,
  });
}

/** `shown` asks for the plan as a whole; `with_usage` takes longer. */
export function planRow(plan: PlanListed, shown: (how: { with_usage: boolean }) => Promise<PlanShown | undefined>): Row {
  const facts = [plan.status, ...(plan.steps_done > 0 ? [`${plan.steps_done}/${plan.steps_total}`] : []), ...(plan.is_pinned ? ["pinned"] : [])];
  return new Row({
    label: plan.goal || plan.path,
    subject: { plan: plan.uri },
    id: plan.uri,
    detail: facts.join(" · "),
    hover: async () => {
      const found = await shown({ with_usage: true }).catch(() => undefined);
      return [plan.goal, facts.join(" · "), plan.path, found?.usage].filter(Boolean).join("\n\n");
    },
    icon: PLAN_ICONS[plan.status],
    kind: `plan.${plan.status}`,
    does: { command: "planact.ui.openPlan", title: "Open" },
    below: async (id) => ((await shown({ with_usage: false }))?.plan.steps ?? []).map((step) => stepRow(plan.uri, step, id)),
  });
}

function stepRow(uri: string, step: Step, above: string): Row {
  return new Row({
    label: `${step.step_number}. ${step.action}`,
    subject: { plan: uri, step: step.step_number },
    id: `${above} ${step.step_number}`,
    detail: step.files.join(", "),
    hover: step.reason,
    icon: STEP_ICONS[step.status],
    kind: `step.${step.status}`,
  });
}

export function executionRow(run: Execution): Row {
  return new Row({
    label: began(run),
    subject: { execution: run.id },
    id: run.id,
    detail: `${statusOf(run)} · ${run.goal || "work without a plan"}`,
    hover: [run.goal, statusOf(run), run.reason].filter(Boolean).join("\n\n"),
    icon: run.rollbacks.length > 0 ? BACK : RUN_ICONS[run.status],
    kind: "execution",
    does: { command: "planact.ui.showExecutions", title: "Show" },
    below: (id) => Promise.resolve(run.steps.map((record, index) => recordRow(run.id, record, `${id} ${index}`))),
  });
}

/** The time alone, of one of today's. */
function began({ started_at: started }: Execution): string {
  const at = new Date(started);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" });
}

function recordRow(execution: string, record: StepRecord, id: string): Row {
  const evidence = evidenceRows(record);
  return new Row({
    label: `${record.step_number ? `${record.step_number}. ` : ""}${record.action}`,
    subject: { execution, step: record.step_number },
    id,
    detail: `${record.status} · ${record.duration.toFixed(0)} s`,
    hover: [record.error, record.output].filter(Boolean).join("\n\n"),
    icon: STEP_ICONS[record.status],
    kind: record.files.length > 0 ? "record.changed" : "record",
    ...(record.files.length > 0 ? { does: { command: "planact.ui.showStepDiff", title: "Show Diff" } } : {}),
    ...(evidence.length > 0 ? { below: () => Promise.resolve(evidence) } : {}),
  });
}

/** What shows that a step did what it says, and where not: its checks, its files, and where it left the plan. */
function evidenceRows({ evidence, repairs, checks, files, unchanged, uncovered, adaptations, error }: StepRecord): Row[] {
  return [
    ...(error ? [new Row({ label: error, hover: error, icon: FAILED })] : []),
    ...evidence.filter(({ variant_of: approved }) => approved).map(({ about, variant_of: approved }) => new Row({ label: about, detail: `a variant of ${approved}`, hover: about, icon: icon("terminal") })),
    ...repairs.map(({ number, check, files: changed }) => new Row({ label: `Repair ${number}: ${check.command}`, detail: changed.join(", ") || "no file changed", hover: check.output, icon: icon("wrench") })),
    ...checks.map((check) => new Row({ label: check.command, detail: check.passed ? "passed" : check.failed_before ? "failed as before the run" : "failed", hover: check.output, icon: check.passed ? DONE : FAILED })),
    ...files.map((file) => new Row({ label: file.path, detail: file.by_command ? "changed by a command" : !file.before ? "created" : file.after ? "changed" : "deleted", icon: icon("file") })),
    ...unchanged.map((path) => new Row({ label: path, detail: "named and not changed", icon: icon("circle-slash") })),
    ...uncovered.map((change) => new Row({ label: change, detail: "can't be rolled back", hover: change, icon: icon("warning", "charts.yellow") })),
    ...adaptations.map(({ adapted_action: done, reason }) => new Row({ label: done, detail: "adapted", hover: reason, icon: icon("git-branch", "charts.yellow") })),
  ];
}

export function templateRow({ name, description, goal, category, source }: TemplateListed, folder: string): Row {
  return new Row({
    label: name,
    subject: { template: name, folder },
    id: name,
    detail: description || goal,
    hover: `${category}: ${goal}`,
    icon: icon("file-code"),
    kind: `template.${source}`,
    does: { command: "planact.ui.useTemplate", title: "New Plan from Template" },
  });
}

export function questionRow({ question_id: id, questions }: QuestionPending): Row {
  const isCritical = questions.some(({ severity }) => severity === "critical");
  return new Row({
    label: questions.map(({ question }) => question).join(" · "),
    subject: { question: id },
    id,
    hover: questions.map(({ context }) => context).filter(Boolean).join("\n\n"),
    icon: isCritical ? icon("question", "charts.red") : icon("question"),
    kind: "question",
    does: { command: "planact.ui.answerQuestion", title: "Answer" },
  });
}

function icon(name: string, colour?: string): ThemeIcon {
  return new ThemeIcon(name, colour ? new ThemeColor(colour) : undefined);
}

const [OPEN, RUNS, DONE, PAUSED, HALF, FAILED, ABORTED, BACK] = [
  icon("circle-outline"),
  icon("sync", "charts.green"),
  icon("pass", "charts.green"),
  icon("debug-pause", "charts.yellow"),
  icon("warning", "charts.yellow"),
  icon("error", "charts.red"),
  icon("circle-slash", "charts.red"),
  icon("discard"),
] as const;

const PLAN_ICONS: Readonly<Record<PlanStatus, ThemeIcon>> = { draft: icon("edit", "charts.blue"), approved: icon("check", "charts.blue"), running: RUNS, paused: PAUSED, done: DONE, partial: HALF, failed: FAILED, aborted: ABORTED };
const STEP_ICONS: Readonly<Record<StepStatus, ThemeIcon>> = { pending: OPEN, running: RUNS, done: DONE, skipped: icon("debug-step-over"), failed: FAILED };
const RUN_ICONS: Readonly<Record<Execution["status"], ThemeIcon>> = { running: RUNS, success: DONE, partial_success: HALF, failed: FAILED, aborted: ABORTED, paused: PAUSED, nothing_done: FAILED };
