// VS Code: a code of the linter leads to what it means.
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { PLAN, setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { plan, fault } = words.language;

function faulty() {
  return { ...setup(), files: { [PLAN]: plan } };
}

scenario("a code of the linter leads to its explanation", faulty, async (bench) => {
  await bench.trustFolder();
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.openFile(PLAN);
  const squiggle = bench.page.locator(".monaco-editor .squiggly-warning").first();
  await squiggle.waitFor({ state: "attached", timeout: RUN_LIMIT_MS });
  await bench.goToEndOf(PLAN, fault.text);
  await bench.palette("Go to Next Problem in Files (Error, Warning, Info)");
  const link = bench.page.locator(".marker-widget a").filter({ hasText: fault.code });
  await link.waitFor();
  await bench.screenshot("problem");
  await link.click({ modifiers: ["ControlOrMeta"] });
  await bench.waitForText("codes.md", `## ${fault.code}`);
  await bench.screenshot("explained");
});
