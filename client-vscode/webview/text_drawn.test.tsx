import assert from "node:assert/strict";
import { test } from "node:test";

import { renderToStaticMarkup } from "react-dom/server";

import { Line, Text } from "./text";

const HOSTILE = [
  "[Click](command:workbench.action.quit)",
  "[Click](COMMAND:workbench.action.quit)",
  "[Click](com\tmand:x) [Click](<command:x>) [Click](&#99;ommand:x) [Click](\\command:x)",
  "[Click][a]\n\n[a]: command:x",
  "<command:x> <a href='command:x'>x</a> <script>x()</script> <img src=https://example.org/a.png onerror=x()>",
  "[Click](javascript:x()) [Click](vscode://x/y) [Click](vscode-insiders:x) [Click](file:///etc/passwd) [Click](data:text/html,x)",
  "![picture](https://example.org/a.png) ![picture](command:x) [![picture](command:x)](command:y)",
];

test("a view draws neither HTML nor pictures of a text, and links lead to the web alone", () => {
  for (const text of HOSTILE) {
    for (const drawn of [renderToStaticMarkup(<Text text={text} />), renderToStaticMarkup(<Line text={text} />)]) {
      assert.doesNotMatch(drawn, /<(img|script|iframe|style|object)/i);
      for (const [, address = ""] of drawn.matchAll(/(?:href|src)="([^"]*)"/g)) assert.match(address, /^(https?:|mailto:|$|%5C|#|[^:]*$)/i, `${text} became ${drawn}`);
    }
  }
  assert.match(renderToStaticMarkup(<Text text="[docs](https://example.org/a)" />), /<a href="https:\/\/example.org\/a" title="https:\/\/example.org\/a">docs<\/a>/);
});
