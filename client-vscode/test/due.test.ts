import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Due, FIRST_WAIT } from "../src/due";

/** As the workbench does it: it asks a while after it was told last, and not at all where the focus leaves meanwhile. */
class Workbench {
  asked = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly due = new Due(() => (this.isShown ? ["a.plan"] : []), () => { this.told(); });

  constructor(private readonly wait: number, private readonly isShown = true) {}

  changed(): void {
    this.told();
    this.due.changed();
  }

  told(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.asked += 1;
      this.due.asked("a.plan");
    }, this.wait);
  }

  focusLeaves(): void {
    clearTimeout(this.timer);
  }
}

function minutes(count: number): void {
  for (let passed = 0; passed < count * 60_000; passed += 100) mock.timers.tick(100);
}

test("what changed is asked for in the end, however long the workbench waits and however often the focus leaves", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const wait of [250, 3_000, 10_000, 60_000]) {
    for (const leaves of [[], [100], [100, 2_000], [100, 2_000, 6_000]]) {
      const workbench = new Workbench(wait);
      workbench.changed();
      let last = 0;
      for (const at of leaves) {
        mock.timers.tick(at - last);
        workbench.focusLeaves();
        last = at;
      }
      minutes(4);
      assert.ok(workbench.asked > 0, `${String(wait)} ms, it leaves after ${leaves.join()}`);
    }
  }
  mock.timers.reset();
});

test("where it asks by itself, and where nothing is shown, it isn't told again", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const quick = new Workbench(FIRST_WAIT / 4);
  quick.changed();
  minutes(4);
  assert.equal(quick.asked, 1);
  const hidden = new Workbench(250, false);
  hidden.changed();
  minutes(4);
  assert.equal(hidden.asked, 1);
  mock.timers.reset();
});
