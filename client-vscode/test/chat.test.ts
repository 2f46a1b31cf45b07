import assert from "node:assert/strict";
import { test } from "node:test";

import type { Notification } from "../src/bridge";
import type { Execution, QuestionPending } from "../src/protocol";
import { after, costOf, EMPTY, folderName, fullnessOf, isWorking, withPage, withStatus, type Chat } from "../webview/chat";
import { asItem, mentionsFor, typedPath, wordsFor } from "../webview/completion";
import { grown, NOTHING, type Written } from "../webview/stream";
import { NO_WORK } from "../webview/work";
import { message, SESSION, STATUS, USAGE } from "./messages";
import { question } from "./questions";

function pending(id: string): QuestionPending {
  return { folder: "file:///web", question_id: id, session_id: "other", questions: [question({})], created_at: "", purpose: "agent", about: "agent", edits: [], step: null, plan_hash: "", format_version: "1.0" };
}

function begun(): Chat {
  return withStatus(EMPTY, STATUS);
}

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
  const told = (chat: Chat, params: Execution) => after(chat, { kind: "notification", method: "planact/executionProgress", params: { execution: params, text: "Step 1", repairing: "", step: 0, action: "", of: 0, finished: 0 } });
  const running = told(begun(), execution("s", "running"));
  assert.equal(running.run?.text, "Step 1");
  const ended = told(running, execution("s", "success"));
  assert.deepEqual([ended.run, ended.executions["e"]?.status], [null, "success"]);
  assert.equal(told(running, execution("other", "running")).run?.execution.session_id, "s");
});

test("what streams becomes the message, and what is of another session changes nothing", () => {
  let chat = begun();
  const delta = (text: string, isReasoning = false, session = "s") =>
    ({ kind: "notification", method: "planact/messageDelta", params: { session_id: session, message_id: "m1", text, is_reasoning: isReasoning, begins_anew: false } }) as const;
  for (const each of [delta("Hm", true), delta("Good "), delta("day"), delta("no", false, "other")]) chat = after(chat, each);
  const { thinkingSince, ...stream } = chat.stream ?? { thinkingSince: 0 };
  assert.deepEqual(stream, { id: "m1", written: { ...NOTHING, shown: "Good day" }, reasoning: "Hm" });
  assert.ok(thinkingSince > 0, "it began to think");
  const said = message({ id: "m1", content: "Good day" });
  chat = after(chat, { kind: "notification", method: "planact/message", params: said });
  chat = after(chat, { kind: "notification", method: "planact/message", params: said });
  assert.deepEqual([chat.stream, chat.messages], [null, [said]]);
});

test("an answer that broke off stands while the model is waited for, and the next attempt takes its place", () => {
  let chat = after(begun(), { kind: "notification", method: "planact/workChanged", params: { session_id: "s", is_running: true, folder: STATUS.folder, work: NO_WORK, works: [] } });
  const delta = (text: string, beginsAnew = false) =>
    ({ kind: "notification", method: "planact/messageDelta", params: { session_id: "s", message_id: "m1", text, is_reasoning: false, begins_anew: beginsAnew } }) as const;
  const wait = (seconds: number) => {
    const params = { session_id: "s", code: "MODEL_STREAM_BROKEN", reason: "The answer broke off", detail: "", attempt: 2, of: 5, wait_seconds: 2, seconds_left: seconds, text: seconds > 0 ? "The answer broke off." : "", title: "", status: 0, short_text: "", ends_at: "" };
    return { kind: "notification", method: "planact/modelRetry", params } as const;
  };
  const seen = [delta("First I"), wait(2), wait(1), wait(0), delta("", true), delta("I begin")].map((each) => {
    chat = after(chat, each);
    return [chat.stream?.written.shown ?? "", chat.retry?.seconds_left ?? 0];
  });
  assert.deepEqual(seen, [["First I", 0], ["First I", 2], ["First I", 1], ["First I", 0], ["", 0], ["I begin", 0]]);
  chat = after(after(chat, wait(2)), { kind: "notification", method: "planact/workChanged", params: { session_id: "s", is_running: false, folder: STATUS.folder, work: NO_WORK, works: [] } });
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

test("messages stand by their ids, whatever page or notification brings them, and in whatever order", () => {
  const all = Array.from({ length: 120 }, () => message({}));
  const page = (begin: number, end: number, has_earlier: boolean) => ({ session_id: "s", messages: all.slice(begin, end), has_earlier });
  let chat = withPage(begun(), page(70, 120, true));
  chat = withPage(chat, page(20, 70, true));
  chat = withPage(chat, page(0, 20, false));
  assert.deepEqual([chat.messages, chat.hasEarlier], [all, false]);
  chat = withPage(chat, page(70, 120, true)); // the mode was toggled: the newest are read again
  assert.deepEqual([chat.messages, chat.hasEarlier], [all, false]);
  const [late] = [all[40]].filter((each) => each !== undefined);
  assert.ok(late);
  const told = after({ ...chat, messages: all.filter((each) => each !== late) }, { kind: "notification", method: "planact/message", params: late });
  assert.deepEqual(told.messages, all);
});

test("work is told for the folder in hand, and the view is about the session's own", () => {
  const works = [{ ...NO_WORK, session_id: "other", state: "running" }, { ...NO_WORK, session_id: "s", state: "to_review", of: 4 }] as const;
  const changed = (folder: string) => ({ kind: "notification", method: "planact/workChanged", params: { session_id: "s", is_running: false, folder, work: works[0], works } }) as unknown as Notification;
  const chat = after(begun(), changed("file:///web"));
  assert.deepEqual([chat.work.state, chat.works.length, isWorking(chat)], ["to_review", 2, false]);
  assert.deepEqual(after(begun(), changed("file:///api")).works, []);
  const elsewhere = { ...NO_WORK, session_id: "far", state: "running", elsewhere: true } as const;
  const followed = withStatus(EMPTY, { ...STATUS, works: [elsewhere] });
  assert.deepEqual([followed.work.session_id, isWorking(followed)], ["far", false], "it is followed, and not stopped here");
});

test("what a session cost is told in a few words, and a price only where there is one", () => {
  const usage = { ...USAGE, requests: 1, input_tokens: 43_000, output_tokens: 1000 };
  assert.deepEqual([costOf(USAGE), costOf({ ...usage, cost: 0.12 }), costOf({ ...usage, input_tokens: 900, output_tokens: 99, cost: null })], ["", "44.0k tokens · $0.12", "999 tokens"]);
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
