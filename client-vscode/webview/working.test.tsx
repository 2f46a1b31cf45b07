import assert from "node:assert/strict";
import { test } from "node:test";

import { renderToStaticMarkup } from "react-dom/server";

import type { ModelRetry } from "../src/protocol";
import { Working } from "./working";

function retry(seconds: number): ModelRetry {
  const reason = "The provider is overloaded (529)";
  const text = `${reason}. Trying again in ${String(seconds)} s, attempt 2 of 5`;
  return { session_id: "s", code: "MODEL_OVERLOADED", reason, detail: "Overloaded", attempt: 2, of: 5, wait_seconds: 8, seconds_left: seconds, text, title: "Model busy", status: 529, short_text: "", ends_at: "" };
}

test("a wait for the model stands in place of the work, and only its seconds change what is drawn", () => {
  const drawn = [8, 7].map((seconds) => renderToStaticMarkup(<Working text="Step 1 of 2" retry={retry(seconds)} isWaiting={false} />));
  assert.match(drawn[0] ?? "", /<span aria-hidden="true">.*The provider is overloaded \(529\)\. Trying again in 8 s, attempt 2 of 5/);
  assert.doesNotMatch(drawn[0] ?? "", /Step 1/);
  const spoken = drawn.map((html) => /<span class="unseen">(.*)<\/span>/.exec(html)?.[1]);
  assert.match(spoken[0] ?? "", /Attempt 2 of 5 follows/);
  assert.equal(spoken[0], spoken[1], "it is not read out each second");
});

test("without a wait the work is told", () => {
  assert.match(renderToStaticMarkup(<Working text="Step 1 of 2" retry={null} isWaiting={false} />), /<span aria-hidden="false">.*Step 1 of 2/);
});
