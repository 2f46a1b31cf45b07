import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Glances, LONG_ENOUGH } from "../src/glances";

test("what is in sight long enough is seen, what is left before is missed, and what is over is neither", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let isSeen = true;
  const told: string[] = [];
  const glances = new Glances(() => isSeen);
  const begin = (key: string) => { glances.begin(key, () => told.push(`${key} seen`), () => told.push(`${key} missed`)); };
  begin("a");
  assert.ok(glances.has("a"));
  mock.timers.tick(LONG_ENOUGH - 1);
  begin("b");
  begin("c");
  mock.timers.tick(1);
  isSeen = false;
  glances.over("c");
  mock.timers.tick(LONG_ENOUGH);
  assert.deepEqual(told, ["a seen", "b missed"]);
  assert.ok(!glances.has("a") && !glances.has("b") && !glances.has("c"));
  mock.timers.reset();
});
