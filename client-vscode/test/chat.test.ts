import assert from "node:assert/strict";
import { test } from "node:test";

import type { Execution, Message, Question, QuestionPending, Session, Status, Work } from "../src/protocol";
import { blocksOf, differenceOf, isSame, subjectOf, summaryOf } from "../webview/blocks";
import { after, costOf, detailsOf, EMPTY, folderName, fullnessOf, sumOf, useOf, withPage, withStatus, type Chat } from "../webview/chat";
import { asItem, mentionsFor, typedPath, wordsFor } from "../webview/completion";
import { chiefOf, chosenAs, defaultOf, forForm, isDefault, isOpen, kindOf, lacksOwn, oneClickOf, ownAmong } from "../webview/schema";
import { grown, NOTHING, type Written } from "../webview/stream";
import { options, question } from "./questions";

const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, reasoning_tokens: 0, cost: 0, requests: 0, is_estimated: false, by_model: {}, by_purpose: {} };
const SESSION: Session = { id: "s", title: "", mode: "plan", role: "planner", plan_file: "", made_plans: [], model: "", usage: USAGE, created_at: "", updated_at: "" };
const STATUS: Status = { version: "", folder: "file:///web", session: SESSION, mode: "plan", model: "m", context_window: 0, is_running: false, open_questions: 0, is_trusted: true, fingerprint: "", folders: [], sandbox: "", mcp_servers: [], missing: "", is_restricted: false, half_rolled_back: [], half_made: [], work: null, works: [] };

const WORK: Work = { session_id: "s", execution_id: "", plan_uri: "", plan_path: "", goal: "", mode: "plan", step: 0, action: "", of: 0, finished: 0, state: "working", activity: "", since: "", started_at: "", reason: "", code: "", repair: 0, repairs: 0, question_id: "", calls: [], retry: null, files: 0, comments: 0, elsewhere: false, status_text: "", title: "", text: "" };

let lastId = 0;

function message(changes: Partial<Message>): Message {
  lastId += 1;
  return { id: String(lastId), session_id: "s", role: "assistant", content: "", message_type: "text", tool_calls: [], tool_call_id: "", reasoning: "", thinking_blocks: [], model: "", images: [], pictures: [], usage: null, metadata: {}, created_at: "", ...changes };
}

function calls(...names: string[]): Message {
  return message({ message_type: "tool_call", tool_calls: names.map((name, index) => ({ id: `${name}${index}`, name, arguments: '{"path": "a.py"}' })) });
}

function result(id: string, content: string): Message {
  return message({ role: "tool", message_type: "tool_result", tool_call_id: id, content });
}

function pending(id: string): QuestionPending {
  return { folder: "file:///web", question_id: id, session_id: "other", questions: [question({})], created_at: "", purpose: "agent", edits: [], step: null, plan_hash: "", format_version: "1.0", about: "agent" };
}

function begun(): Chat {
  return withStatus(EMPTY, STATUS);
}

test("calls that nothing is said between stand together, with what came of each", () => {
  const refusal = '{"error": {"code": "TOOL_BLOCKED_BY_MODE", "layer": "policy", "message": "You can only modify the plan."}}';
  const blocks = blocksOf([calls("read_file", "read_file"), result("read_file0", "one"), result("read_file1", "two"), calls("delete_file"), result("delete_file0", refusal), calls("search_code")]);
  assert.equal(blocks.length, 1);
  const [block] = blocks;
  assert.ok(block?.kind === "calls");
  assert.deepEqual(block.calls.map((each) => each.result ?? "running"), ["one", "two", refusal, "running"]);
  assert.deepEqual(block.calls[2]?.problem, { message: "You can only modify the plan.", hint: "", code: "TOOL_BLOCKED_BY_MODE", isRefusal: true });
  assert.equal(summaryOf(block.calls), "Read 2 files, searched 1 time, 1 refused");
});

test("a result is that of the last call before it, where a model uses an id again", () => {
  const blocks = blocksOf([calls("read_file"), result("read_file0", "one"), message({ content: "Next" }), calls("read_file")]);
  assert.deepEqual(blocks.map((block) => block.kind === "calls" && block.calls.map((each) => each.result)), [["one"], false, [undefined]]);
});

test("a command that ran contained says why, and a file that says so doesn't", () => {
  const call = message({ message_type: "tool_call", tool_calls: [{ id: "c", name: "execute_command", arguments: "{}" }, { id: "f", name: "read_file", arguments: "{}" }] });
  const text = "(contained: it could change and reach nothing, since it is unknown) exit code 0";
  const [block] = blocksOf([call, result("c", text), result("f", text)]);
  assert.ok(block?.kind === "calls");
  assert.deepEqual(block.calls.map(({ contained }) => contained), ["it could change and reach nothing, since it is unknown", ""]);
  assert.equal(summaryOf(block.calls), "Ran 1 command, read 1 file, 1 contained");
});

test("what the user typed is shown, not what was handed over with it, and an answer with what it answers", () => {
  const answer = { question_id: "q", answers: { colour: "blue" } };
  const asked = [question({ name: "colour" })];
  const blocks = blocksOf([
    message({ role: "user", content: "See @a.py\n\n[planact] `a.py`: …", metadata: { typed: "See @a.py" } }),
    message({ role: "system", content: "?", message_type: "question", metadata: { question_id: "q", questions: asked } }),
    message({ role: "user", content: "colour: blue", metadata: { question_answer: answer } }),
  ]);
  const users = blocks.filter((block) => block.kind === "user");
  assert.deepEqual(users.map(({ text, answer, asked }) => [text, answer, asked]), [["See @a.py", undefined, undefined], ["colour: blue", answer, asked]]);
});

test("a question is not told twice while it waits in a card of its own", () => {
  const messages = [message({ role: "user", content: "Hello" }), message({ role: "system", content: "?", message_type: "question", metadata: { question_id: "q", questions: [question({})] } })];
  const kinds = (...waiting: string[]) => blocksOf(messages, new Set(waiting)).map(({ kind }) => kind);
  assert.deepEqual([kinds("q"), kinds("other"), kinds()], [["user"], ["user", "note"], ["user", "note"]]);
  const answered = (...names: string[]) => [
    message({ role: "system", message_type: "question", metadata: { question_id: "q", questions: names.map((name) => question({ name })) } }),
    message({ role: "user", metadata: { question_answer: { question_id: "q", answers: {} } } }),
  ];
  assert.deepEqual(blocksOf(answered("one")).map(({ kind }) => kind), ["note", "user"]);
  assert.deepEqual(blocksOf(answered("one", "two")).map(({ kind }) => kind), ["user"], "each stands beside its answer");
});

test("a message more changes no block before it", () => {
  const first = [message({ role: "user", content: "Hello" }), message({ content: "Good day", usage: USAGE }), calls("read_file", "read_file"), result("read_file0", "one")];
  const [before, after] = [blocksOf(first), blocksOf([...first, result("read_file1", "two")])];
  assert.deepEqual(before.map((block, at) => isSame(block, after[at] ?? block)), [true, true, false]);
  assert.deepEqual(before.map((block, at) => isSame(block, blocksOf(first)[at] ?? block)), [true, true, true]);
});

test("Markdown that is being written is cut only where nothing before can change", () => {
  const texts: [string, string[]][] = [
    ["one", ["one"]],
    ["one\n\ntwo", ["one\n\n", "two"]],
    ["one\ntwo", ["one\ntwo"]],
    ["- a\n\n- b\n\nend", ["- a\n\n- b\n\n", "end"]],
    ["1. a\n\n   more\n\n2. b", ["1. a\n\n   more\n\n2. b"]],
    ["```\na\n\nb\n```\n\nend", ["```\na\n\nb\n```\n\n", "end"]],
    ["```\na\n\nb", ["```\na\n\nb"]],
    ["> a\n\n> b", ["> a\n\n> b"]],
    ["a\n\n**b**", ["a\n\n", "**b**"]],
  ];
  for (const [text, pieces] of texts) {
    assert.deepEqual(piecesOf(grown(NOTHING, text)), pieces, text);
    assert.deepEqual(piecesOf(Array.from(text).reduce(grown, NOTHING)), pieces, text);
  }
});

test("all that came is in view, and what is drawn for a long answer grows with its length alone", () => {
  const answers: Record<string, (count: number) => string> = {
    paragraphs: (count) => `${"word ".repeat(100)}\n\n`.repeat(count / 502),
    code: (count) => `\`\`\`py\n${"x = 1\n\n".repeat(count / 7)}`,
    list: (count) => "- an item of a list\n".repeat(count / 20),
    line: (count) => "word ".repeat(count / 5),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const drawn = [25_000, 50_000].map((count) => {
      const text = answer(count);
      const last = new Map<number, string>();
      let [written, sum] = [NOTHING, 0];
      for (let at = 0; at < text.length; at += 10) {
        written = grown(written, text.slice(at, at + 10));
        const pieces = [...written.whole, written.shown];
        for (const index of [pieces.length - 2, pieces.length - 1]) {
          const piece = pieces[index];
          if (piece === undefined || last.get(index) === piece) continue;
          last.set(index, piece);
          sum += piece.length;
        }
      }
      assert.equal(piecesOf(written).join(""), text, name);
      return sum / text.length;
    });
    assert.ok((drawn[1] ?? 0) < (drawn[0] ?? 0) * 1.2, `${name}: ${drawn.join(" ")}`);
  }
});

function piecesOf({ whole, shown, rest }: Written): string[] {
  return [...whole, shown + rest];
}

test("a run that moves is known by its id, and goes on only in its own session", () => {
  const execution = (session: string, status: Execution["status"]) => ({ id: "e", session_id: session, status }) as Execution;
  const told = (chat: Chat, params: Execution) => after(chat, { kind: "notification", method: "planact/executionProgress", params: { execution: params, text: "Step 1", repairing: "", step: 1, action: "", of: 1, finished: 0 } });
  const running = told(begun(), execution("s", "running"));
  assert.equal(running.run?.text, "Step 1");
  const ended = told(running, execution("s", "success"));
  assert.deepEqual([ended.run, ended.executions["e"]?.status], [null, "success"]);
  assert.equal(told(running, execution("other", "running")).run?.execution.session_id, "s");
});

test("what is written while work runs is queued until the model is asked again", () => {
  const ids = (...texts: string[]) => texts.map((id) => (id.startsWith("m") ? message({ id }) : message({ id, role: "user", metadata: { queued: true } })));
  const queued = (messages: Message[]) => blocksOf(messages).map((block) => block.kind === "user" && block.isQueued);
  const later = message({ id: "n4", content: "Done." });
  assert.deepEqual(queued(ids("m1", "n2")), [true]);
  assert.deepEqual(queued([...ids("n2", "n3"), later]), [false, false, false]);
  assert.deepEqual(queued([...ids("n2"), message({ id: "n4", metadata: { delegate: "d" }, content: "I look." })]), [true, false]);
  assert.deepEqual(queued([message({ role: "user" })]), [false]);
});

test("a plan is a card where it was mentioned last, and a run where it ended", () => {
  const plan = (id: string) => message({ role: "system", message_type: "plan", content: "Plan: x", metadata: { plan_id: id } });
  const [first, second] = [plan("p"), plan("p")];
  const blocks = blocksOf([
    first,
    message({ role: "user", content: "shorter" }),
    second,
    message({ role: "system", content: "begins", metadata: { execution_id: "e", begins_context: true } }),
    message({ role: "system", content: "Carry out step 1", metadata: { step: 1 } }),
    message({ role: "system", content: "done", metadata: { execution_id: "e", is_summary: true } }),
  ]);
  assert.deepEqual(blocks.map(({ kind }) => kind), ["note", "user", "plan", "note", "run"]);
});

test("of a plan's card and those of its runs, the last is where it goes on", () => {
  const plan = (id: string) => message({ role: "system", message_type: "plan", metadata: { plan_id: id } });
  const run = (id: string, execution = `of ${id}`) => message({ role: "system", metadata: { plan_id: id, execution_id: execution, is_summary: true } });
  const latest = (...messages: Message[]) => blocksOf(messages).flatMap((block) => ("isLatest" in block ? [[block.kind, block.isLatest]] : []));
  assert.deepEqual(latest(plan("p"), run("p", "first"), run("p", "second")), [["plan", false], ["run", false], ["run", true]]);
  assert.deepEqual(latest(plan("p"), run("p"), run("p")), [["plan", false], ["run", true]]);
  assert.deepEqual(latest(plan("p"), run("p"), plan("p")), [["run", false], ["plan", true]]);
  assert.deepEqual(latest(plan("p"), run("other")), [["plan", true], ["run", true]]);
});

test("a call says what it is about and what it would change", () => {
  const call = (args: unknown) => ({ id: "c", name: "update_file", arguments: JSON.stringify(args) });
  assert.equal(subjectOf(call({ path: "a.py" })), "a.py");
  assert.equal(subjectOf({ id: "c", name: "x", arguments: "{not json" }), "");
  assert.equal(differenceOf(call({ path: "a.py", edits: [{ old: "a\nb", new: "c" }] })), "- a\n- b\n+ c");
  assert.equal(differenceOf(call({ patch: "*** Begin" })), "*** Begin");
  assert.equal(differenceOf(call({ path: "a.py" })), "");
});

test("what streams becomes the message, and what is of another session changes nothing", () => {
  let chat = begun();
  const delta = (text: string, isReasoning = false, session = "s") =>
    ({ kind: "notification", method: "planact/messageDelta", params: { session_id: session, message_id: "m1", text, is_reasoning: isReasoning, begins_anew: false } }) as const;
  for (const each of [delta("Hm", true), delta("Good "), delta("day"), delta("no", false, "other")]) chat = after(chat, each);
  assert.deepEqual(chat.stream, { id: "m1", written: { ...NOTHING, shown: "Good day" }, reasoning: "Hm" });
  const said = message({ id: "m1", content: "Good day" });
  chat = after(chat, { kind: "notification", method: "planact/message", params: said });
  chat = after(chat, { kind: "notification", method: "planact/message", params: said });
  assert.deepEqual([chat.stream, chat.messages], [null, [said]]);
});

test("an answer that broke off stands while the model is waited for, and the next attempt takes its place", () => {
  let chat = after(begun(), { kind: "notification", method: "planact/workChanged", params: { session_id: "s", is_running: true, folder: "file:///web", work: WORK, works: [] } });
  const delta = (text: string, beginsAnew = false) =>
    ({ kind: "notification", method: "planact/messageDelta", params: { session_id: "s", message_id: "m1", text, is_reasoning: false, begins_anew: beginsAnew } }) as const;
  const wait = (seconds: number) => {
    const params = { session_id: "s", code: "MODEL_STREAM_BROKEN", reason: "The answer broke off", detail: "", attempt: 2, of: 5, wait_seconds: 2, seconds_left: seconds, text: seconds > 0 ? "The answer broke off." : "", title: "The answer broke off", status: 0, short_text: "", ends_at: "" };
    return { kind: "notification", method: "planact/modelRetry", params } as const;
  };
  const seen = [delta("First I"), wait(2), wait(1), wait(0), delta("", true), delta("I begin")].map((each) => {
    chat = after(chat, each);
    return [chat.stream?.written.shown ?? "", chat.retry?.seconds_left ?? 0];
  });
  assert.deepEqual(seen, [["First I", 0], ["First I", 2], ["First I", 1], ["First I", 0], ["", 0], ["I begin", 0]]);
  chat = after(after(chat, wait(2)), { kind: "notification", method: "planact/workChanged", params: { session_id: "s", is_running: false, folder: "file:///web", work: WORK, works: [] } });
  assert.deepEqual([chat.stream, chat.retry], [null, null], "with the work its wait is over");
});

test("a question of any session waits until it is resolved", () => {
  let chat = begun();
  chat = after(chat, { kind: "notification", method: "planact/questionPending", params: pending("q") });
  chat = after(chat, { kind: "notification", method: "planact/questionPending", params: pending("q") });
  assert.deepEqual(chat.questions.map((set) => set.question_id), ["q"]);
  chat = after(chat, { kind: "notification", method: "planact/questionResolved", params: { question_id: "q", session_id: "other", status: "answered" } });
  assert.deepEqual(chat.questions, []);
});

test("earlier messages come before those that are there, each once", () => {
  const [one, two, three] = [message({}), message({}), message({})];
  const chat = withPage({ ...begun(), messages: [two, three] }, { session_id: "s", messages: [one, two], has_earlier: true });
  assert.deepEqual([chat.messages, chat.hasEarlier], [[one, two, three], true]);
  assert.deepEqual(withPage(chat, { session_id: "gone", messages: [], has_earlier: false }), chat);
});

test("the newest page leaves earlier ones in their place, and later ones after it", () => {
  const [one, two, three, four, five] = [message({}), message({}), message({}), message({}), message({})];
  const chat = { ...begun(), messages: [one, two, three, five], hasEarlier: false };
  const read = withPage(chat, { session_id: "s", messages: [three, four], has_earlier: true });
  assert.deepEqual([read.messages, read.hasEarlier], [[one, two, three, four, five], false]);
  const apart = withPage({ ...chat, messages: [one, two] }, { session_id: "s", messages: [four, five], has_earlier: true });
  assert.deepEqual([apart.messages, apart.hasEarlier], [[four, five], true]);
  assert.deepEqual(withPage(chat, { session_id: "s", messages: [], has_earlier: false }), chat);
});

test("how full the context is, is told by the last answer where the window is known", () => {
  const usage = { ...USAGE, input_tokens: 40, output_tokens: 10 };
  const messages = [message({ usage }), message({ metadata: { delegate: "d" }, usage: { ...usage, input_tokens: 1 } }), message({ role: "user" })];
  const used = (context_window: number) =>
    after({ ...begun(), messages }, { kind: "notification", method: "planact/usage", params: { session_id: "s", usage: USAGE, context_tokens: 0, context_window } });
  assert.deepEqual([fullnessOf(used(200)), fullnessOf(used(0)), fullnessOf(withStatus(used(0), { ...STATUS, context_window: 100 })), fullnessOf(begun())], [0.25, undefined, 0.5, undefined]);
});

test("another session begins with nothing", () => {
  const chat = withStatus({ ...begun(), messages: [message({})] }, { ...STATUS, session: { ...SESSION, id: "t" } });
  assert.deepEqual(chat.messages, []);
});

test("use is told in a few words, and a price only where there is one", () => {
  const usage = { ...USAGE, requests: 1, input_tokens: 900, output_tokens: 99 };
  assert.deepEqual([costOf(USAGE), costOf(usage), costOf({ ...usage, output_tokens: 1500, cost: 0.041 }), costOf({ ...usage, cost: null })], ["", "999 tok", "2.4k tok · $0.04", "999 tok"]);
});

test("what was used tells what of it was cached, and each model's part", () => {
  const clever = { ...USAGE, requests: 1, input_tokens: 9000, cached_tokens: 7200, output_tokens: 99, cost: 0.041 };
  const cheap = { ...USAGE, requests: 2, input_tokens: 500, output_tokens: 9 };
  const both = { ...clever, input_tokens: 9500, output_tokens: 108, requests: 3, by_model: { cheap, clever }, by_purpose: {} };
  assert.deepEqual([useOf(USAGE), useOf(clever), useOf(cheap)], ["", "9.1k tok · 7.2k cached · $0.04", "509 tok"]);
  assert.equal(detailsOf(both), "9500 tokens read (7200 of them cached), 108 written\nclever: 9.1k tok · 7.2k cached · $0.04\ncheap: 509 tok");
  assert.deepEqual(sumOf([clever, null, cheap]), { ...both, by_model: {}, by_purpose: {} });
  assert.equal(sumOf([null]), null);
  const told = detailsOf({ ...clever, by_purpose: { answer: clever, intent: cheap } }).split("\n").slice(1);
  assert.deepEqual(told, ["answers: 9.1k tok · 7.2k cached · $0.04", "judging what messages ask for: 509 tok"]);
});

test("what calls cost is told with them, where nothing was said beside them", () => {
  const usage = { ...USAGE, requests: 1, input_tokens: 10 };
  const blocks = blocksOf([{ ...calls("read_file"), usage }, { ...calls("search_code"), usage }, { ...calls("read_file"), usage, content: "I look." }, message({ role: "system", content: "put together", usage })]);
  assert.deepEqual(blocks.map((block) => ["usage" in block && block.usage?.input_tokens, block.kind]), [[20, "calls"], [10, "said"], [undefined, "calls"], [10, "note"]]);
});

test("a schema is a form where the form can show all of it, and JSON elsewhere", () => {
  const kinds = [
    question({ options: options("a") }),
    question({}),
    question({ schema: { type: "object", properties: { a: { type: "array", items: { type: "string", enum: ["x"] } } } } }),
    question({ schema: { oneOf: [{ const: "a", title: "A" }, { const: 2 }] } }),
    question({ schema: { enum: ["a", null] } }),
    question({ schema: { type: "object" } }),
    question({ schema: { type: ["string", "null"] } }),
    question({ schema: { type: "object", properties: { a: { anyOf: [] } } } }),
  ].map(kindOf);
  assert.deepEqual(kinds, ["choices", "form", "form", "form", "json", "json", "json", "json"]);
  assert.deepEqual(forForm({ type: "object", properties: { pattern: { type: "string", pattern: "^a" } } }), {
    type: "object",
    properties: { pattern: { type: "string", description: "Must match ^a" } },
  });
  assert.deepEqual(forForm({ type: "array", items: { enum: ["a", "b"] } }), { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true });
});

test("what was chosen is an answer, also where it stands for nothing", () => {
  const [none, empty] = options("none", "empty");
  assert.ok(none && empty);
  const either = question({ options: [{ ...none, value: null }, { ...empty, value: "" }] });
  const one = question({ options: options("a") });
  const cases = [[either, undefined], [either, null], [either, ""], [one, undefined], [one, ""], [one, "own"], [question({}), undefined]] as const;
  assert.deepEqual(cases.map(([asked, value]) => isOpen(asked, value)), [true, false, false, true, true, false, false]);
});

test("a field tells its bounds and its default", () => {
  const named = { oneOf: [{ const: 1, title: "One" }, { const: 2, title: "Two" }] };
  const told = (schema: Record<string, unknown>) => forForm(schema)["description"];
  const schemas = [
    { type: "string", description: "A name", minLength: 2, maxLength: 9, pattern: "^a", default: "ab" },
    { type: "integer", minimum: 1 },
    { type: "array", maxItems: 3, items: { type: "string" } },
    { type: "boolean", default: false },
    { ...named, default: 2 },
    { type: "object", properties: {}, default: {} },
  ];
  assert.deepEqual(schemas.map(told), ["A name. 2 to 9 characters. Must match ^a. Default: ab", "At least 1", "At most 3 items", "Default: No", "Default: Two", undefined]);
  assert.deepEqual(forForm({ type: "array", items: named }), { type: "array", items: named, uniqueItems: true });
});

test("the default stands out among the buttons, else the first, and nothing that destroys", () => {
  const [two, four] = options("two", "four");
  assert.ok(two && four);
  const danger = { ...two, variant: "danger" as const };
  const asked = (changes: Partial<Question>) => { const it = question(changes); return [defaultOf(it), chiefOf(it)]; };
  assert.deepEqual(asked({ options: [two, four], default: "four" }), [four, four]);
  assert.deepEqual(asked({ options: [two, four] }), [undefined, two]);
  assert.deepEqual(asked({ options: [danger, four] }), [undefined, undefined]);
});

test("an answer reads as it was offered", () => {
  const asked = question({ options: [{ label: "Allow once", value: "allow_once", description: "", variant: "primary", effect: null }, { label: "Two", value: 2, description: "", variant: "secondary", effect: null }] });
  assert.deepEqual([chosenAs(asked, "allow_once"), chosenAs(asked, [2, "other"]), chosenAs(undefined, "allow_once")], ["Allow once", ["Two", "other"], "allow_once"]);
});

test("of several choices, each default is marked, and what is the user's own is told apart", () => {
  const several = question({ options: [...options("Header", "Footer"), { label: "Two", value: 2, description: "", variant: "secondary", effect: null }], schema: { type: "array" }, allow_custom: true, default: ["footer", 2] });
  assert.deepEqual(several.options.map((option) => isDefault(several, option)), [false, true, true]);
  const one = question({ options: options("Header", "Footer"), default: "footer" });
  assert.deepEqual(one.options.map((option) => isDefault(one, option)), [false, true]);
  const chosen = [[], ["footer", 2], ["margin", "footer"], ["footer", ""]];
  assert.deepEqual(chosen.map((value) => ownAmong(several, value)), [undefined, undefined, "margin", ""]);
  assert.deepEqual(chosen.map((value) => lacksOwn(several, value)), [false, false, false, true]);
  assert.equal(lacksOwn(question({ schema: { type: "array" } }), [""]), false, "a list of texts is the form's to check");
});

test("one click answers only a single question with few choices", () => {
  const few = question({ options: options("a", "b") });
  assert.equal(oneClickOf([few]), few);
  assert.equal(oneClickOf([few, few]), undefined);
  assert.equal(oneClickOf([question({ options: options("a"), schema: { type: "array" } })]), undefined);
  assert.equal(oneClickOf([question({ options: options("a", "b", "c", "d", "e", "f") })]), undefined);
});

test("words are completed at the beginning, and paths after an at sign", () => {
  assert.deepEqual(wordsFor("/he").map(({ text }) => text), ["/help"]);
  assert.deepEqual(wordsFor("see /he"), []);
  assert.deepEqual(mentionsFor("pro").map(({ text }) => text), ["problems"]);
  assert.deepEqual(["a/b.py", "src/", "a b.py"].map(asItem).map(({ text, detail }) => [text, detail]), [["a/b.py", ""], ["src/", "folder"], ['"a b.py"', ""]]);
  assert.deepEqual([typedPath("look at @src/a"), typedPath("@"), typedPath("a@b"), typedPath("@a b")], ["src/a", "", undefined, undefined]);
});

test("folders are told apart by name where there are several", () => {
  const [web, api] = ["web", "api"].map((name) => ({ uri: `file:///${name}`, name, path: `/${name}` }));
  const named = (...folders: (typeof web)[]) => folderName(withStatus(EMPTY, { ...STATUS, folders: folders.filter((folder) => folder !== undefined) }), "file:///web");
  assert.deepEqual([named(web), named(web, api), named(api, api)], ["", "web", ""]);
});
