// The states of the chat, as the server tells them: one of each row that the dock, the strip and the last line have.
const NOW = Date.parse("2026-03-05T10:02:00Z");
const USAGE = { input_tokens: 43_000, output_tokens: 1_000, cached_tokens: 0, cache_written_tokens: 0, reasoning_tokens: 0, cost: 0.12, requests: 4, is_estimated: false, by_model: {}, by_purpose: {} };
const SESSION = { id: "s", title: "", mode: "plan", role: "planner", plan_file: "", made_plans: [], model: "", usage: USAGE, created_at: "", updated_at: "" };
const STATUS = {
  version: "", folder: "file:///shop", session: SESSION, mode: "plan", model: "anthropic/claude-sonnet-4-5", context_window: 130_000, is_running: false, open_questions: 0,
  is_trusted: true, fingerprint: "", folders: [{ uri: "file:///shop", name: "shop", path: "/shop" }], sandbox: "", mcp_servers: [], missing: "", is_restricted: false, half_rolled_back: [], half_made: [], work: null, works: [],
};
const WORK = {
  session_id: "s", execution_id: "", plan_uri: "", plan_path: "", goal: "", mode: "plan", step: 0, action: "", of: 0, finished: 0, state: "idle", activity: "", since: "", started_at: "",
  reason: "", code: "", repair: 0, repairs: 0, question_id: "", calls: [], retry: null, files: 0, comments: 0, elsewhere: false, status_text: "", title: "", text: "",
};
const GOAL = "Give a 10 % discount on carts over 100 EUR";
const ACTIONS = ["Add `discount(cents)` to `pricing.py`", "Use it in `Cart.receipt`, print a line", "Test 99.99, 100.00 and 100.01 EUR", "Write the rule down in `docs/pricing.md`"];
const URI = "file:///shop/.planact/plans/discount.plan";

let last = 0;

function message(changes) {
  last += 1;
  const begun = NOW + last * 1000;
  const id = `${begun.toString(16).padStart(12, "0").replace(/^(.{8})(.{4})$/, "$1-$2")}-7000-8000-${String(last).padStart(12, "0")}`;
  return { id, session_id: "s", role: "assistant", content: "", message_type: "text", tool_calls: [], tool_call_id: "", reasoning: "", thinking_blocks: [], model: "", images: [], pictures: [], usage: null, metadata: {}, created_at: new Date(begun + 6000).toISOString(), ...changes };
}

const user = (content, metadata = {}) => message({ role: "user", content, metadata });
const said = (content) => message({ content, usage: USAGE });
const system = (content, metadata, message_type = "text") => message({ role: "system", content, metadata, message_type });

function call(name, args, result, outcome) {
  const id = `${name}-${last}`;
  return [
    message({ message_type: "tool_call", reasoning: name === "read_file" ? "The receipt prints one line per item." : "", tool_calls: [{ id, name, arguments: JSON.stringify(args) }] }),
    message({ role: "tool", message_type: "tool_result", tool_call_id: id, content: result, metadata: outcome ? { outcome } : {} }),
  ];
}

const explored = [
  ...call("read_file", { path: "src/shop/cart.py" }, "class Cart:\n    pass\n"),
  ...call("read_file", { path: "src/shop/pricing.py" }, "def total(items):\n    return 0\n"),
  ...call("read_file", { path: "src/shop/item.py" }, "class Item:\n    cents = 0\n"),
  ...call("search_code", { pattern: "total" }, "src/shop/cart.py:3: total"),
  ...call("search_code", { pattern: "receipt" }, "src/shop/cart.py:9: receipt"),
  ...call("delete_file", { path: "src/shop/cart.py" }, '{"error": {"code": "TOOL_BLOCKED_BY_MODE", "layer": "policy", "message": "You can only modify the plan."}}', "refused"),
  said("All prices go through `total`, so the rule has one place."),
];

const planned = [user(GOAL), ...explored, system("", { plan_id: "p" }, "plan")];
const step = (number, more = "") => system(`Carry out step ${number} of 4: ${ACTIONS[number - 1]}. Files: src/shop/cart.py.${more}`, { step: number });
const begun = [...planned, system("", { begins_context: true, execution_id: "e" }), step(1), ...call("update_file", { path: "src/shop/pricing.py", edits: [{ old: "return 0", new: "return 1" }] }, "done"), step(2), ...call("read_file", { path: "src/shop/cart.py" }, "class Cart:\n    pass\n"), said("The receipt gets a line of its own.")];

function plan(changes = {}, count = 4) {
  const steps = Array.from({ length: count }, (_, at) => ({ step_number: at + 1, action: ACTIONS[at] ?? `Write chapter ${at + 1} of \`docs/pricing.md\``, reason: "", tools_needed: [], files: [`src/shop/${at < 4 ? at : 3}.py`], estimated_time: "", expected_outcome: "", validation_checks: [], status: "pending" }));
  const shown = { format_version: "", id: "p", type: "plan", goal: GOAL, description: "", analysis: "", assumptions: [], prerequisites: [], steps, risks: ["old receipts that are printed again will differ."], validation: [], estimated_total_time: "~5 min", has_infrastructure_changes: false, context: [], created_at: "", status: "draft", role: "", model: "" };
  return { p: { plan: shown, uri: URI, path: "discount.plan", plan_hash: "h", status: "draft", is_approved: false, origin: "own", comments: 0, usage: "", remarks: [], ...changes } };
}

function record(number, changes = {}) {
  return { step_number: number, action: ACTIONS[number - 1], status: "done", attempt: 1, output: "", error: "", ended_by: "", duration: 57, tool_results: 1, evidence: [], checks: [], repairs: [], files: [{ path: "src/shop/pricing.py", before: "a", after: "b", by_command: false, is_covered: true }], uncovered: [], unchanged: [], adaptations: [], usage: USAGE, ...changes };
}

function executions(status, records) {
  return { e: { id: "e", session_id: "s", plan_id: "p", plan_file: "", plan_hash: "", goal: GOAL, only_steps: [], status, started_at: "", finished_at: "", duration: 240, steps: records, adaptations: [], usage: USAGE, reason: "", rollbacks: [], checks_before: [], report: "", unsaved: [] } };
}

/** Work of the session in hand; `ago` seconds since it began. */
function work(changes, { ago = 41, missing = "", ...status } = {}) {
  const told = { ...WORK, goal: GOAL, plan_uri: URI, of: 4, ...changes, started_at: new Date(Date.now() - ago * 1000).toISOString(), since: new Date(Date.now() - 8000).toISOString() };
  const busy = ["working", "running", "repairing", "retrying", "stopping", "waiting_approval", "waiting_question"].includes(told.state) && !told.elsewhere;
  return { ...STATUS, mode: told.mode, session: { ...SESSION, mode: told.mode }, is_running: busy, missing, work: told, works: told.state === "idle" ? [] : [told], ...status };
}

const run = (changes, more) => work({ mode: "act", execution_id: "e", step: 2, action: ACTIONS[1], finished: 1, state: "running", ...changes }, more);
const running = { messages: begun, plans: plan(), executions: executions("running", [record(1)]) };
const option = (label, value, description = "", variant = "secondary") => ({ label, value, description, variant, effect: null });

function question(changes) {
  return { name: "answer", question: "", context: "", severity: "major", schema: {}, options: [], default: null, allow_custom: false, title: "", reason: "", ...changes };
}

function pending(questions, changes = {}) {
  return { folder: "file:///shop", question_id: "q", session_id: "s", questions, created_at: "", purpose: "agent", about: "agent", edits: [], step: null, plan_hash: "", format_version: "1.0", ...changes };
}

const rounding = question({ name: "round", question: "How are half cents rounded?", context: "The plan assumes half up; the tax office wants half even.", options: [option("Half up", "up", "as the plan assumes"), option("Half even", "even", "banker's rounding")], default: "up", allow_custom: true });

const approvalOptions = [option("Allow once", "allow_once", "", "primary"), option("Always allow", "always_allow", "from now on, write src/shop/api.py"), option("Reject", "reject_once"), option("Reject and stop", "reject_and_stop", "", "danger")];
const edit = (path) => ({ path, what: "changed", before_uri: "a:b", after_uri: "a:c" });
const diff = "```diff\n-    \"\"\"What the web shop calls.\"\"\"\n+    \"\"\"What the web shop calls; receipts too.\"\"\"\n```";

const failedCheck = question({
  name: "failed", title: "Step 3: 1 of 2 checks failed", question: "Step 3 failed. What now?", context: "```\nAssertionError: [0, 0, 1000] != [0, 0, 999]\n```",
  options: [option("Retry", "retry", "run the step again", "primary"), option("Skip", "skip", "go on without it"), option("Re-plan", "replan", "revise the plan by what failed"), option("Stop", "stop", "end the run")], default: "stop",
});

const outcome = question({
  name: "outcome", title: "`make docs` changed `docs/index.html`", reason: "The step doesn't name this file.", question: "`make docs` changed `docs/index.html`, which the step doesn't name. Keep that?", context: "```diff\n-<h1>Old</h1>\n+<h1>New</h1>\n```",
  options: [option("Keep", "keep", "it stays, and is in the record", "primary"), option("Keep always", "always", "from now on, changes of docs/index.html by `make docs`"), option("Discard", "discard", "it is put back as it was"), option("Add to plan", "add", "the plan names it from now on")],
});

const many = ["Where should the banner be shown?", "Which colour?", "How many?", "Which title?", "Are you sure?", "Who owns it?"];
const six = [
  question({ name: "q0", question: many[0], context: "It is seen on every page.", severity: "critical", schema: { type: "array" }, options: [option("Header", "header"), option("Footer", "footer"), option("Receipt", "receipt")], default: ["header"], allow_custom: true }),
  question({ name: "q1", question: many[1], options: [option("Blue", "blue"), option("Red", "red")], allow_custom: true, default: "blue" }),
  question({ name: "q2", question: many[2], schema: { type: "integer", minimum: 1 } }),
  question({ name: "q3", question: many[3], schema: { type: "string", minLength: 3, pattern: "^[A-Z]" } }),
  question({ name: "q4", question: many[4], schema: { type: "boolean" } }),
  question({ name: "q5", question: many[5], schema: { type: "object", properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } }, required: ["name"] } }),
];

const retry = { session_id: "s", code: "MODEL_RATE_LIMITED", reason: "Model busy (429)", detail: "Too many requests", attempt: 2, of: 5, wait_seconds: 8, seconds_left: 8, text: "Model busy (429). Trying again in 8 s, attempt 2 of 5", status: 429, title: "Model busy", short_text: "Model busy (429) · try 2 of 5 in 8 s", ends_at: "" };
const delta = (text, is_reasoning = false) => ({ kind: "notification", method: "planact/messageDelta", params: { session_id: "s", message_id: "f", text, is_reasoning, begins_anew: false } });
const thoughts = "The discount goes where the total is made. The receipt prints one line per item and then the total. A discount needs a line of its own, or the customer can't see why the price is lower. Where is the total";
const code = "Prices go through **three** places. First `Item`, then `total`:\n\n```python src/shop/pricing.py\ndef total(items: list[Item]) -> int:\n    \"\"\"The price of all items, in cents.\"\"\"\n    return sum(i.cents * i.count for i in items)\n```\n\nand at last `format_price` of `src/shop/pricing.py:12`, which";

/** By name: what the page is given, and what must be seen: the dock's `card`, its `title`, its filled button, what the input says. */
export const STATES = {
  empty: { status: { ...STATUS, session: null }, surroundings: { path: "src/cart.py", problems: 2 }, sessions: [{ ...SESSION, id: "o", title: "Add retries to the client" }, { ...SESSION, id: "r", title: "Rename load to read_config" }], sees: { input: "Ask or plan; @ files, / words" } },
  noServer: { status: STATUS, server: { condition: "missing" }, sees: { card: "server", title: "No server yet", primary: "Install", input: "The server isn't running" } },
  serverStopped: { status: STATUS, server: { condition: "stopped" }, sees: { title: "The server stopped", primary: "Start Again", input: "The server isn't running" } },
  installing: { status: STATUS, server: { condition: "installing", detail: "Python 3.12 found. Getting 61 packages.", since: Date.now() - 24_000 }, sees: { title: "Installing the server", input: "Ready in about a minute" } },
  noModel: { status: { ...STATUS, session: null, missing: "model", model: "" }, sees: { card: "model", title: "Which model should it use?", primary: "Choose a Model…", input: "Choose a model first" } },
  noKey: { status: { ...STATUS, session: null, missing: "key" }, sees: { card: "key", title: "No key for Anthropic yet", primary: "Enter Key…", input: "Enter a key first" } },
  idle: { status: work({}), messages: [user("How do prices work?"), said(code.replace(", which", "."))], sees: { input: "What next?" } },
  thinking: { status: work({ state: "working", activity: "thinking", of: 0 }), messages: [user(GOAL)], later: [delta(thoughts, true)], sees: { last: /^Thinking/, input: "Add something" } },
  streaming: { status: work({ state: "working", activity: "writing", of: 0 }), messages: [user("How do prices work?")], later: [delta(code)], sees: { input: "Add something" } },
  tool: { status: work({ state: "working", activity: "calling", of: 0, calls: [{ call_id: "c", tool: "read_file", text: "Reading `src/shop/cart.py`", since: "" }] }), messages: [user(GOAL), ...explored], sees: { last: /^Reading src\/shop\/cart.py/, input: "Add something" } },
  plan: { status: work({ state: "to_review" }), messages: planned, plans: plan(), sees: { card: "plan", title: "Plan · 4 steps · 4 files", primary: "Execute Plan", input: "What should be different?" } },
  fiftySteps: { status: work({ state: "to_review", of: 50 }), messages: planned, plans: plan({}, 50), sees: { title: "Plan · 50 steps · 4 files", primary: "Execute Plan", input: "What should be different?" } },
  comments: { status: work({ state: "to_review", comments: 2 }), messages: planned, plans: plan({ comments: 2, remarks: [{ line: 4, step: 1, text: "Half cents: round half even." }, { line: 9, step: 3, text: "also 0.00 EUR" }] }), sees: { title: "Plan · 2 comments", primary: "Revise (2)", input: "Anything else?" } },
  running: { status: run({ activity: "calling", calls: [{ call_id: "c", tool: "update_file", text: "Changing `src/shop/cart.py`", since: "" }] }), ...running, sees: { strip: /2\/4 Use it in Cart.receipt/, last: /^Changing/, input: "Add something" } },
  approval: { status: run({ state: "waiting_approval", question_id: "q" }), ...running, questions: [pending([question({ name: "approval", title: "Change `src/shop/api.py`?", reason: "Step 2 doesn't name this file.", question: "Change?", context: diff, options: approvalOptions })], { purpose: "approval", about: "change", edits: [edit("src/shop/api.py")] })], sees: { title: "Change src/shop/api.py?", primary: "Allow", strip: /2\/4 waits for you/, input: "Or say what to do instead" } },
  threeFiles: { status: run({ state: "waiting_approval", question_id: "q" }), ...running, questions: [pending([question({ name: "approval", title: "Change `a.py`, `b.py` and `src/shop/frontend/components/checkout/summary.py`?", reason: "You review each edit.", question: "Change?", context: "```diff\n" + "+ a line\n".repeat(40) + "```", options: approvalOptions })], { purpose: "approval", about: "change", edits: ["a.py", "b.py", "c.py"].map(edit) })], sees: { primary: "Allow All 3 Files", input: "Or say what to do instead" } },
  command: { status: run({ state: "waiting_approval", question_id: "q" }), ...running, questions: [pending([question({ name: "approval", title: "Run this command?", reason: "It isn't known to only read. It may write the folder and temporary ones.", question: "Run?", context: "```bash\npython scripts/build_index.py --all --output build/very/long/path/to/index.json\n```", options: approvalOptions })], { purpose: "approval", about: "command" })], sees: { title: "Run this command?", primary: "Allow", input: "Or say what to do instead" } },
  network: { status: run({ state: "waiting_approval", question_id: "q" }), ...running, questions: [pending([question({ name: "approval", title: "Let `pip install` reach `pypi.org`?", reason: "The command asked for the network.", question: "Reach?", options: approvalOptions })], { purpose: "approval", about: "network" })], sees: { title: "Let pip install reach pypi.org?", primary: "Allow" } },
  question: { status: run({ state: "waiting_question", question_id: "q" }), ...running, questions: [pending([rounding])], sees: { card: "question", title: "How are half cents rounded?", primary: null, strip: /2\/4 waits for you/, input: "Write instead of answering" } },
  critical: { status: work({ state: "waiting_question", question_id: "q", of: 0 }), messages: [user(GOAL)], questions: [pending([question({ name: "wipe", question: "Drop the **database**?", severity: "critical", context: "It holds all orders since 2019.", options: [option("Keep it", "keep", "nothing is lost", "primary"), option("Drop it", "drop", "it cannot be had back", "danger")], default: "keep" })])], sees: { title: "Critical Drop the database?", primary: null } },
  form: { status: work({ state: "waiting_question", question_id: "q", of: 0 }), messages: [user(GOAL)], questions: [pending(six)], sees: { title: `Critical ${many[0]}`, primary: "Next", input: "Write instead of answering" } },
  repairing: { status: run({ step: 3, action: ACTIONS[2], finished: 2, state: "repairing", repair: 2, repairs: 3, calls: [{ call_id: "c", tool: "update_file", text: "Changing `tests/test_pricing.py`", since: "" }] }), ...running, messages: [...begun, step(3), system("Repair 1 of 3 of step 3: `pytest -q` failed\nMend it.", { step: 3 })], executions: executions("running", [record(1), record(2)]), sees: { strip: /3\/4 check failed, repairing \(2 of 3\)/, input: "Add something" } },
  gaveUp: { status: run({ step: 3, action: ACTIONS[2], finished: 2, state: "failed", question_id: "q" }), ...running, messages: [...begun, step(3)], executions: executions("running", [record(1), record(2), record(3, { status: "failed", error: "1 of 2 checks failed" })]), questions: [pending([failedCheck], { purpose: "confirm", about: "failure" })], sees: { title: "Step 3: 1 of 2 checks failed", primary: null, strip: /3\/4 a check failed$/, input: "Say what to try instead" } },
  outcome: { status: run({ state: "waiting_question", question_id: "q" }), ...running, questions: [pending([outcome], { purpose: "approval", about: "outcome" })], sees: { title: "make docs changed docs/index.html", primary: null } },
  fresh: { status: work({ state: "waiting_question", question_id: "q" }), messages: planned, plans: plan(), questions: [pending([question({ name: "execute", title: "Execute this plan?", question: "Execute the plan?", context: "- write `src/shop/cart.py`\n- run `pytest -q`", options: [option("Execute Plan", true, "", "primary"), option("Keep Planning", false), option("Execute with a fresh context (62 % used)", "fresh")] })], { purpose: "confirm", about: "execute" })], sees: { title: "Execute this plan?", primary: null } },
  nothingDone: { status: work({ state: "waiting_question", question_id: "q", of: 0 }), messages: [user("Rename it everywhere"), said("I would rename it.")], questions: [pending([question({ name: "way_on", title: "Nothing was changed", reason: "This session is in Plan.", question: "Nothing was changed. How shall it go on?", severity: "minor", options: [option("Make a plan", "plan", "", "primary"), option("Switch to Act", "act", "and do it now, without a plan"), option("Leave it", "leave")] })], { purpose: "confirm", about: "way_on" })], sees: { title: "Nothing was changed", primary: null } },
  retrying: { status: run({ state: "retrying", retry }), ...running, later: [{ kind: "notification", method: "planact/modelRetry", params: retry }], sees: { strip: /2\/4 waiting for the model/, last: /^Model busy \(429\) · try 2 of 5 in 8 s/, input: "Add something" } },
  noAnswer: { status: run({ state: "no_answer", code: "MODEL_RATE_LIMITED", files: 1, title: "The model did not answer", text: "5 tries in 2 min; the last: too many requests." }), ...running, executions: executions("paused", [record(1)]), sees: { title: "The model did not answer", primary: "Try Again", strip: /2\/4 paused$/, input: "Say what to do differently" } },
  failedTurn: { status: work({ of: 0 }), messages: [user(GOAL), system("nobody is there", { failure: { code: "MODEL_UNAVAILABLE", title: "The model did not answer", text: "Nobody is there. Try again later.", hint: "Try again later.", can_try_again: true } })], sees: { card: "failure", title: "The model did not answer", primary: "Try Again" } },
  stopping: { status: run({ state: "stopping" }), ...running, sees: { strip: /2\/4 stops after this call/, input: "Add something" } },
  paused: { status: run({ state: "paused", step: 2, files: 1, title: "Paused after step 1 of 4", text: "You stopped it." }), ...running, executions: executions("paused", [record(1)]), sees: { card: "stopped", title: "Paused after step 1 of 4", primary: "Continue", strip: /2\/4 paused$/, input: "Say what to do differently" } },
  interrupted: { status: run({ state: "interrupted", files: 1, title: "Interrupted in step 2 of 4", text: "The window was reloaded. Step 1 is done; step 2 starts again from what is on disk." }), ...running, executions: executions("paused", [record(1)]), sees: { title: "Interrupted in step 2 of 4", primary: "Continue", strip: /2\/4 interrupted$/, input: "Say what to do differently" } },
  done: { status: run({ state: "partly", step: 4, finished: 4, files: 5, title: "Partly done · 3 of 4 steps · 5 files", text: "Step 3 was skipped after its check failed." }), ...running, messages: [...begun, step(3), step(4), system("", { is_summary: true, execution_id: "e", plan_id: "p" })], executions: executions("partial_success", [record(1), record(2, { duration: 180 }), record(3, { status: "skipped" }), record(4, { duration: 3 })]), sees: { card: "result", title: "Partly done · 3 of 4 steps · 5 files", primary: "Review Changes", input: "What next?" } },
  variant: { status: run({ state: "done", step: 4, finished: 4, files: 5, title: "Done · 4 steps · 5 files", text: "3 checks passed · 4 min" }), messages: [...begun, step(3), step(4), system("", { is_summary: true, execution_id: "e", plan_id: "p" })], executions: executions("success", [record(1, { evidence: [{ tool: "execute_command", about: "pytest -q tests/test_pricing.py --maxfail=1 2>&1 | tail -n 20", exit_code: 0, variant_of: "pytest -q tests/test_pricing.py" }] }), record(2), record(3), record(4)]), opened: "1 Add", sees: { title: "Done · 4 steps · 5 files", primary: "Review Changes", inside: /^Ran pytest -q tests\/test_pricing.py --maxfail=1 2>&1 \| tail -n 20, a variant of pytest -q tests\/test_pricing.py$/ } },
  unchanged: { status: run({ state: "done", step: 1, finished: 1, of: 1, files: 1, title: "Done · 1 step · 1 file", text: "1 min" }), messages: [...begun, system("", { is_summary: true, execution_id: "e", plan_id: "p" })], executions: executions("success", [record(1, { unchanged: ["docs/prices.md"] })]), opened: "1 Add", sees: { title: "Done · 1 step · 1 file", primary: "Review Changes", inside: /^Named and not changed: docs\/prices.md$/ } },
  rolledBack: { status: run({ mode: "plan", state: "rolled_back", title: "Rolled back", text: "5 files are as they were. `npm install` can't be taken back." }), messages: planned, plans: plan(), sees: { title: "Rolled back", primary: null, input: "What should be different?" } },
  outdated: { status: work({ state: "outdated", title: "2 files changed since planning", text: "src/cart.py, src/api.py." }), messages: planned, plans: plan(), sees: { title: "2 files changed since planning", primary: "Revise", input: "What should be different?" } },
  changed: { status: work({ state: "changed", title: "The plan changed since you approved it", text: "2 lines." }), messages: planned, plans: plan(), sees: { title: "The plan changed since you approved it", primary: "Execute What Is There", input: "What should be different?" } },
  trust: { status: { ...STATUS, is_trusted: false }, messages: [], sees: { card: "folder", title: "This folder brings its own settings", primary: null } },
  restricted: { status: { ...STATUS, is_restricted: true }, messages: [], sees: { card: "workspace", title: "This workspace isn't trusted", primary: null } },
  elsewhere: { status: run({ elsewhere: true, session_id: "other" }, { is_running: false, mode: "plan", session: SESSION }), messages: [user(GOAL)], plans: plan(), sees: { card: "elsewhere", title: "In another window", primary: null, strip: /2\/4 Use it in Cart.receipt/, input: "Ask or plan meanwhile" } },
  two: { status: run({ state: "waiting_question", question_id: "q" }), ...running, questions: [pending([rounding]), pending([question({ name: "b", question: "Which tone?", options: [option("Warm", "warm")] })], { question_id: "q2", session_id: "other" })], sees: { title: "How are half cents rounded?", primary: null } },
};

/** A session of so many requests, each with its answer, beside a plan of fifty steps that waits. */
export function longSession(requests) {
  const messages = Array.from({ length: requests }, (_, at) => [user(`Request ${at + 1}`), said(`Answer ${at + 1}, about \`src/a.py\`.`)]).flat();
  return { ...STATES.fiftySteps, messages: [...planned, ...messages] };
}
