// What calls did, in words: of those that ended, in the past tense; what runs is told by the server. Pure.

interface Deed {
  /** Calls of one kind fold into one part. */
  readonly kind: string;
  /** By how many, and by what they were about where that is one thing. */
  readonly told: (count: number) => string;
  /** Whether several calls about one thing count as one. */
  readonly countsThings?: boolean;
}

/** How one call is told among others that ended: its kind and whether its subjects count; undefined = it is no line. */
export function deedOf(name: string): Deed | undefined {
  if (SILENT.has(name)) return undefined;
  return DEEDS[name] ?? { kind: name, told: (count) => `${name.replaceAll("_", " ")}${count > 1 ? ` ${count} times` : ""}` };
}

function counted(kind: string, before: string, one: string, many = `${one}s`): Deed {
  return { kind, told: (count) => `${before ? `${before} ` : ""}${count} ${count === 1 ? one : many}`, countsThings: before !== "" };
}

function just(told: string): Deed {
  return { kind: told, told: () => told };
}

/** What is seen elsewhere: a question in the dock, a plan as itself. */
const SILENT: ReadonlySet<string> = new Set(["ask_user", "exit_plan_mode"]);

const READ = counted("read", "read", "file");
const SEARCHED = counted("search", "", "search", "searches");
const NAMES = counted("names", "", "name");
const RAN: Deed = { ...counted("run", "ran", "command"), countsThings: false };
const CHANGED = counted("change", "changed", "file");

const DEEDS: Readonly<Record<string, Deed>> = {
  read_file: READ,
  get_file_info: READ,
  list_directory: counted("list", "listed", "folder"),
  find_files: SEARCHED,
  search_code: SEARCHED,
  search_symbol: NAMES,
  find_definition: NAMES,
  find_references: NAMES,
  get_diagnostics: just("read the problems"),
  execute_command: RAN,
  start_command: RAN,
  read_output: just("read its output"),
  stop_command: just("stopped it"),
  update_file: CHANGED,
  rename_symbol: just("renamed a name everywhere"),
  create_file: counted("create", "created", "file"),
  delete_file: counted("delete", "deleted", "file"),
  rename_file: counted("rename", "renamed", "file"),
  make_directory: counted("make", "made", "folder"),
  write_plan: just("wrote the plan"),
  fetch_page: counted("fetch", "fetched", "page"),
  delegate: counted("delegate", "handed out", "task"),
};
