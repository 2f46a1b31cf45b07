import assert from "node:assert/strict";
import { test } from "node:test";

import { fits, isOlder } from "../src/version";

test("a server fits when it differs in the last part at most", () => {
  for (const [server, client] of [["0.1.0", "0.1.0"], ["0.1.7", "0.1.0"], ["1.2.3.dev4", "1.2.0"]] as const) assert.equal(fits(server, client), true, server);
  for (const [server, client] of [["0.2.0", "0.1.0"], ["1.1.0", "0.1.0"], ["0.1", "0.10"], ["", "0.1.0"], ["new", "0.1.0"]] as const) assert.equal(fits(server, client), false, server);
});

test("the older one is told by numbers, not by letters", () => {
  assert.equal(isOlder("0.9.0", "0.10.0"), true);
  assert.equal(isOlder("0.10.0", "0.9.0"), false);
  assert.equal(isOlder("1.0.0", "1.0.3"), false);
  assert.equal(isOlder("", "0.1.0"), true);
});
