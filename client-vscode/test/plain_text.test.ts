import assert from "node:assert/strict";
import { test } from "node:test";

import { plain, plainLines } from "../src/plain_text";
import { withPlainText } from "../src/server_texts";

/** What VS Code takes for a link in notifications, prompts and progress, and for an icon in lists, prompts and the status bar. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i;

/** Without the character that is shown as nothing. */
const looks = (text: string) => text.replaceAll("\u2060", "");

const HOSTILE = [
  "[Click](command:workbench.action.terminal.new).plan",
  "[Click](COMMAND:workbench.action.quit 'Save')",
  '[a](command:x "b")[c](https://example.org)',
  "[[nested]](command:x) [a[b](file:///etc/passwd)",
  "[x](Https://example.org)](command:y)",
  "![picture](https://example.org/a.png)",
  "$(trash) $(sync~spin) $$(x) \\$(gear)",
  "<a href='command:x'>x</a> ~~~ *.py",
  "[a]\u2060(command:x) $\u2060(trash)",
  "[a]$(x)(command:x)",
  "[Click](command:x)".repeat(200),
];

test("no text has a link or an icon for VS Code, and each looks as it is", () => {
  for (const text of HOSTILE) {
    for (const made of [plain(text), plainLines(text), plain(plain(text))]) {
      assert.doesNotMatch(made, LINK);
      assert.doesNotMatch(made, ICON);
    }
    if (text.length < 1_000) assert.equal(looks(plain(text)), looks(text));
    assert.equal(plain(plain(text)), plain(text), "made plain again, it stays the same");
  }
});

test("Markdown loses its marks, and code none of its characters", () => {
  const cases = [
    ["Rename `load` to `read_config`", "Rename load to read_config"],
    ["``a ` b``, `[x](command:y)` and a lone `", "a \u02cb b, [x](command:y) and a lone \u02cb"],
    ["**Never** change *this*, nor ***that***.", "Never change this, nor that."],
    ["Delete *.py, a/**, **/x and 2*3*4?", "Delete *.py, a/**, **/x and 2*3*4?"],
    ["Run `rm *old*` or `f(**kw)`?", "Run rm *old* or f(**kw)?"],
    ["May it run this?\n```sh\necho `id` *a*\n```\nIt asks.", "May it run this? echo \u02cbid\u02cb *a* It asks."],
    ["````\n```\nx\n```\n````", "\u02cb\u02cb\u02cb x \u02cb\u02cb\u02cb"],
  ] as const;
  for (const [text, shown] of cases) {
    assert.equal(looks(plain(text)), shown);
    assert.equal(plain(plain(text)), plain(text));
    assert.doesNotMatch(plain(text), /`/);
  }
});

test("parts that are harmless alone make no link together", () => {
  assert.doesNotMatch(plain(`${plain("[Click]")}${plain("(command:x)")}`), LINK);
  assert.doesNotMatch(plain(`${plain("$")}${plain("(trash)")}`), ICON);
});

test("hidden characters are shown, and lines become one where there is room for one", () => {
  const cases = [
    ["a\r\nb\n\nc\td\u2028e", "a b c d e"],
    ["gpj\u202e.exe", "gpj\\u{202e}.exe"],
    ["\u2066x\u2069\u200f\u061c", "\\u{2066}x\\u{2069}\\u{200f}\\u{61c}"],
    ["a\u0000\u001b[31m\u009b", "a\\u{0}\\u{1b}[31m\\u{9b}"],
    ["soft\u00adzero\u200bmark\ufeff\u{e0041}", "soft\\u{ad}zero\\u{200b}mark\\u{feff}\\u{e0041}"],
    ["app\u3164.py \u115fx\u2800y\ufe0f\u{e0100}", "app\\u{3164}.py \\u{115f}x\\u{2800}y\\u{fe0f}\\u{e0100}"],
    ["plan1\ufe0f.plan", "plan1\\u{fe0f}.plan"],
    ["\u26a0\ufe0f and 1\ufe0f\u20e3", "\u26a0\ufe0f and 1\ufe0f\u20e3"],
    ["Grüße, 漢字, שלום, 👩\u200d💻", "Grüße, 漢字, שלום, 👩\u200d💻"],
  ] as const;
  for (const [text, shown] of cases) assert.equal(plain(text), shown);
  assert.equal(plainLines("a\r\nb\u202e\n\nc"), "a\nb\\u{202e}\n\nc");
});

test("a long text is cut, with an ellipsis and no half of a character", () => {
  assert.equal(plain("a".repeat(1_000)), "a".repeat(1_000));
  assert.equal(plain("a".repeat(1_001)), `${"a".repeat(999)}…`);
  assert.equal(plain(`${"a".repeat(998)}😀b`), `${"a".repeat(998)}…`);
  assert.equal(plainLines("a".repeat(5_000)).length, 5_000);
});

test("messages and progress of the server have no link or icon, and other messages stay as they are", () => {
  const link = "[Click](command:x) $(trash)";
  const shown = [
    { method: "window/showMessage", params: { type: 3, message: link } },
    { method: "window/showMessageRequest", id: 1, params: { type: 3, message: link, actions: [{ title: link }] } },
    { method: "$/progress", params: { token: "a", value: { kind: "begin", title: link, message: link } } },
  ];
  for (const message of shown) {
    const made = JSON.stringify(withPlainText({ jsonrpc: "2.0", ...message }));
    assert.equal(looks(made), JSON.stringify({ jsonrpc: "2.0", ...message }));
    assert.doesNotMatch(made, LINK);
    assert.doesNotMatch(made, ICON);
  }
  const others = [{ method: "planact/message", params: { message: link } }, { id: 1, result: link }, { method: "$/progress", params: { token: 1, value: [link] } }];
  for (const message of others) assert.deepEqual(withPlainText({ jsonrpc: "2.0", ...message }), { jsonrpc: "2.0", ...message });
});
