// VS Code: how the server gets there, and what the palette does.
//   node --test tests/editors/vscode_server.test.mjs
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { chatInView, showChat } from "./harness/chat.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { waitForFrontMatter } from "./harness/plan_editor.mjs";
import { answer, PLAN, planRequest, setup, words } from "./harness/rename.mjs";
import { root } from "./harness/rig.mjs";
import { scenario } from "./harness/scenario.mjs";

const INSTALL_LIMIT_MS = 480_000;
const VENV = join(root, ".venv");
const COMMAND = "planact.server.command";
const environment = { PIP_COMPILE: "0" }; // thousands of files, of which Python compiles those that it imports

/** As on a machine where nobody has installed planact: the extension has only the server that it carries. */
function withoutServer() {
  const path = process.env.PATH.split(delimiter).filter((folder) => !existsSync(join(folder, "planact")));
  return { ...setup({ [COMMAND]: "" }), path: path.join(delimiter), environment, installs: true };
}

scenario("the server is installed on a click, into an environment of its own", withoutServer, async (bench, _, code) => {
  await bench.trustFolder();
  await bench.notification(words.server.missing).waitFor();
  await bench.screenshot("offer");
  const storage = join(code.storage, "planact.planact", "server");
  assert.equal(existsSync(storage), false, "nothing is installed without a click");
  await bench.dismissNotification(words.server.missing);
  await bench.waitForStatus(words.server.none);
  const chat = await showChat(bench);
  const missing = chat.question(words.server.noneYet);
  await bench.screenshot("missing");
  await missing.button(words.server.install).click();
  const installing = chat.question(words.server.isInstalled);
  await installing.getByText(/Python|packages|Installing the server\./i).first().waitFor();
  await bench.waitForStatus(words.server.installing);
  await bench.screenshot("installing");
  await bench.waitForStatus(words.status.plan, INSTALL_LIMIT_MS);
  await bench.waitUntil(() => chat.input.isEnabled(), "the chat can be written in");
  await installing.waitFor({ state: "detached" });
  await bench.screenshot("installed");
  const [installed, ...others] = readdirSync(storage);
  assert.deepEqual(others, []);
  assert.ok(existsSync(join(storage, installed, "bin", "planact")));

  await bench.openFile(PLAN);
  await bench.waitForLens(PLAN, words.lenses.generate, RUN_LIMIT_MS);
  await bench.palette(words.palette.restart);
  await bench.waitUntil(async () => !(await bench.statusBarText()).includes(words.status.plan), "the server stops");
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.clickLens(PLAN, words.lenses.generate);
  await bench.waitForText(PLAN, words.inPlan.pending, RUN_LIMIT_MS);
  assert.deepEqual(readdirSync(storage), [installed], "what is installed is used again");
}, { limit: INSTALL_LIMIT_MS + 300_000 });

/**
 * What the server needs, in a folder for Python's path: pip then finds that all is there in the versions that are asked for. That it
 * gets them from the index is seen where the server is installed on a click.
 */
function libraries(folder) {
  const lib = join(VENV, "lib");
  const installed = join(lib, readdirSync(lib)[0], "site-packages");
  mkdirSync(folder);
  for (const name of readdirSync(installed).filter((each) => !/planact|^pip|^setuptools/.test(each))) symlinkSync(join(installed, name), join(folder, name));
  return folder;
}

/** A program called planact of another version, first on the PATH. */
function withOtherVersion() {
  const folder = mkdtempSync(join(tmpdir(), "planact-other-"));
  process.once("exit", () => { rmSync(folder, { recursive: true, force: true }); });
  const put = (name, ...lines) => { writeFileSync(join(folder, name), lines.join("\n"), { mode: 0o755 }); };
  put("planact", `#!${join(VENV, "bin", "python")} -I`, "import planact", "planact.__version__ = '9.9.0'", "from planact.__main__ import main", "main()");
  put("python3", "#!/bin/sh", `exec '${realpathSync(join(VENV, "bin", "python"))}' "$@"`); // another one may ask for other versions
  const withLibraries = { ...environment, PYTHONPATH: libraries(join(folder, "libraries")) };
  return { ...setup({ [COMMAND]: "" }), path: [folder, process.env.PATH].join(delimiter), profile: `export PATH="${folder}:$PATH"\n`, environment: withLibraries, errors: [words.server.otherVersion] };
}

scenario("a server of another version gives way to the extension's own, which is replaced with the extension", withOtherVersion, async (bench, _, code) => {
  await bench.trustFolder();
  await bench.notification(words.server.otherVersion).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("told");
  assert.equal((await bench.statusBarText()).includes(words.status.plan), false, "it isn't spoken to");
  const storage = join(code.storage, "planact.planact", "server");
  await bench.clickNotificationButton(words.server.otherVersion, words.server.useOwn);
  await bench.waitForStatus(words.status.plan, INSTALL_LIMIT_MS);
  const [installed] = readdirSync(storage);
  await bench.screenshot("own");

  // as an earlier version of the extension would have left it
  renameSync(join(storage, installed), join(storage, "0123456789abcdef"));
  await bench.palette(words.palette.restart);
  await bench.waitUntil(() => readdirSync(storage).join() === installed, "its own is there and the earlier one gone", INSTALL_LIMIT_MS);
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.screenshot("updated");
}, { limit: 2 * INSTALL_LIMIT_MS + 300_000 });

const NOWHERE = "/nowhere/planact";
const told = `${words.server.noProgram} ${NOWHERE}`;

function withWrongPath() {
  return { ...setup({ [COMMAND]: NOWHERE }), errors: [told] };
}

scenario("a server is started, and the palette works with it", withWrongPath, async (bench, workspace, code, part) => {
  await bench.trustFolder();
  await part("a path to no program is told, and the server starts once it is corrected", () => isCorrected(bench, code));
  await part("New Plan makes a plan of what is typed, and Show Plans finds it again", () => isMadeAndFound(bench, workspace));
  await planRequest(bench);
  await part("the palette tells that nothing runs and nothing waits", () => nothingToStop(bench));
  await part("a no is no error, and a confirmation that is left stays open on its plan", () => staysOpen(bench, workspace));
  let other;
  await part("another window shows that a plan runs elsewhere", async () => { other = await seenElsewhere(bench); });
  await part("the palette stops a run and answers its question", () => stopsAndAnswers(bench, workspace));
  await part("another window shows what came of a plan that ran elsewhere", () => doneElsewhere(other));
});

async function isCorrected(bench, code) {
  await bench.notification(told).waitFor({ timeout: RUN_LIMIT_MS });
  assert.ok((await bench.notificationButtons(told)).includes(words.server.choose));
  await bench.screenshot("told");
  code.configure(setup().machineSettings);
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.openFile(PLAN);
  await bench.waitForLens(PLAN, words.lenses.generate, RUN_LIMIT_MS);
  await bench.screenshot("corrected");
}

async function isMadeAndFound(bench, workspace) {
  await bench.palette(words.palette.newPlan);
  await bench.inputBox(words.request.trim(), words.palette.newPlan);
  const plans = join(workspace.path, ".planact", "plans");
  const made = () => (existsSync(plans) ? readdirSync(plans).filter((name) => name.endsWith(".plan")) : []);
  await bench.waitUntil(async () => made().length > 0, "the plan is written", RUN_LIMIT_MS);
  const [name] = made();
  await bench.waitForText(name, words.inPlan.pending, RUN_LIMIT_MS);
  await bench.screenshot("plan");

  await bench.openFile("store.py");
  await bench.palette(words.palette.showPlans);
  await bench.screenshot("list");
  await bench.quickPick(words.trees.goal);
  await bench.waitForText(name, words.inPlan.pending);
  await bench.waitForLens(name, words.lenses.execute);
  assert.deepEqual(made(), [name]);
}

async function nothingToStop(bench) {
  for (const [command, said] of [["stop", words.nothing.runs], ["answer", words.nothing.asked]]) {
    await bench.palette(words.palette[command]);
    await bench.notification(said).waitFor();
    await bench.palette("Notifications: Clear All Notifications"); // one that has the focus hides those that come
  }
}

async function staysOpen(bench, workspace) {
  await bench.focus(PLAN);
  await bench.palette(words.palette.execute);
  await bench.waitForLens(PLAN, words.lenses.answer);
  await answer(bench, words.confirm.question, words.confirm.cancel);
  await bench.waitForLens(PLAN, words.lenses.execute); // else the next lens to answer could be the one before

  await bench.focus(PLAN);
  await bench.palette(words.palette.execute);
  await (await chatInView(bench)).question(words.confirm.question).waitFor();
  await bench.palette(words.folders.explorer);
  await bench.waitForLens(PLAN, words.lenses.answer);
  assert.ok((await bench.lenses(PLAN)).includes(words.lenses.waiting));
  await bench.screenshot("waiting");
  assert.equal(workspace.read("store.py").includes(words.edits["store.py"]), false);
  await bench.clickLens(PLAN, words.lenses.answer);
  await bench.quickPick(words.confirm.execute);
  await bench.notification(words.question.text).waitFor({ timeout: RUN_LIMIT_MS });
}

async function seenElsewhere(bench) {
  const other = await bench.openWindow();
  await other.openFile(PLAN);
  await other.waitForLensText(PLAN, words.elsewhere, RUN_LIMIT_MS);
  const lenses = await other.lenses(PLAN);
  assert.ok(![words.lenses.execute, words.lenses.runStep, words.lenses.skip].some((title) => lenses.includes(title)), lenses.join());
  await other.screenshot("elsewhere");
  await other.waitForStatus(words.status.elsewhere);
  return other;
}

async function stopsAndAnswers(bench, workspace) {
  await bench.palette(words.palette.stop);
  await bench.waitForLens(PLAN, words.lenses.continue, RUN_LIMIT_MS);
  await waitForFrontMatter(bench, PLAN, words.inPlan.paused);
  await bench.screenshot("stopped");
  assert.equal(workspace.read("store.py").includes(words.edits["store.py"]), false);

  await bench.focus(PLAN);
  await bench.palette(words.palette.execute);
  await bench.waitForStatus(words.status.waiting, RUN_LIMIT_MS);
  await bench.palette(words.palette.answer);
  await bench.screenshot("answering");
  await bench.quickPick(words.question.answer);
  for (const mark of words.inPlan.done) await bench.waitForText(PLAN, mark, RUN_LIMIT_MS);
  for (const [name, text] of Object.entries(words.edits)) assert.ok(workspace.read(name).includes(text), workspace.diff());
}

async function doneElsewhere(other) {
  // unfolded: of a file that it reads again, VS Code may go on hiding lines below the front matter, too
  await waitForFrontMatter(other, PLAN, words.inPlan.allDone);
  for (const mark of words.inPlan.done) await other.waitForText(PLAN, mark, RUN_LIMIT_MS);
  await other.waitForLensText(PLAN, words.lenses.allDone, RUN_LIMIT_MS);
  await other.screenshot("done");
  other.assertErrors([]);
  other.assertNoOutsideRequest();
  other.assertNoConsoleError();
}
