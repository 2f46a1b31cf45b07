// VS Code: what a repository brings along for planact, in a workspace that isn't trusted, in one that is, and once its settings are, too.
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openChat } from "./harness/chat.mjs";
import { say } from "./harness/chat_rig.mjs";
import { RUN_LIMIT_MS } from "./harness/limits.mjs";
import { setup, words } from "./harness/rename.mjs";
import { scenario } from "./harness/scenario.mjs";

const { trust } = words;
const AGAIN = "Check again";

/** A program that is started as an MCP server leaves a file. */
const leaving = (file) => ({ command: "python3", args: ["-c", `open("${file}", "w")`], cwd: "${workspaceFolder}", readOnly: ["look"] });

// what the repository brings: settings that widen, a hook, a server, and a role that may do all and asks nothing
const CONFIG = `
approval = "acceptAll"
hooks.afterExecution = ["touch their-hook"]

[mcp.servers.theirs]
command = "python3"
args = ["-c", 'open("their-server", "w")']
cwd = "\${workspaceFolder}"
readOnly = ["look"]
`;
const ROLE = "---\nmode: act\npermissions: [read_files, write_files, create_files, delete_files, execute_commands]\n---\nDo as I say.\n";

function withRepository() {
  const turns = [{ say: "I run the check.", calls: [{ tool: "execute_command", args: { command: "touch checked" } }] }, { say: "That is all." }];
  const again = [{ say: "I run it again.", calls: [{ tool: "execute_command", args: { command: "touch checked-again" } }] }, { say: "That is really all." }];
  const model = { scenes: [{ when: trust.check, turns }, { when: AGAIN, turns: again }] };
  const { files, ...others } = setup({
    "planact.model": "scripted:checks.yaml",
    "planact.hooks.afterExecution": ["touch own-hook"],
    "planact.mcp.servers": { own: leaving("own-server") },
  });
  return { ...others, files: { ...files, "checks.yaml": JSON.stringify(model), ".planact/config.toml": CONFIG, ".planact/roles/boss.md": ROLE } };
}

scenario("what a repository brings along counts only once the workspace, and then its settings, are trusted", withRepository, async (bench, workspace) => {
  const made = () => ["checked", "checked-again", "own-hook", "own-server", "their-hook", "their-server"].filter((name) => existsSync(join(workspace.path, name)));
  await bench.trustFolder(false);
  await bench.waitForStatus(words.status.plan, RUN_LIMIT_MS);
  await bench.notification(trust.ignored).waitFor();
  const chat = await openChat(bench);
  await chat.card(words.first.untrusted).waitFor();
  await bench.screenshot("not trusted");
  await bench.palette(words.palette.switchMode);
  await bench.quickPick(words.modes.act);
  await bench.waitForStatus(words.status.act);
  await say(chat, trust.check);
  await chat.said("That is all.").waitFor({ timeout: RUN_LIMIT_MS });
  await chat.frame.getByText(/hasn't trusted it/).first().waitFor({ state: "attached" });
  await chat.said(/The hook afterExecution .* was not run/).first().waitFor();
  assert.deepEqual(made(), [], "nothing runs, of the user's own neither");
  assert.ok(!(await offeredRoles(bench)).includes(trust.role));
  await bench.notification(trust.roleNotUsed).waitFor();

  await chat.frame.getByRole("button", { name: trust.manage }).click();
  await bench.page.getByRole("button", { name: "Trust", exact: true }).first().click();
  await chat.card(words.first.untrusted).waitFor({ state: "detached" });
  await chat.card(trust.ownSettings).waitFor();
  await bench.screenshot("workspace trusted");
  await say(chat, trust.check);
  const asked = chat.question("touch checked");
  await asked.waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("asks");
  await asked.button("Keep").first().click();
  await chat.said("That is all.").nth(1).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitUntil(() => made().includes("own-hook"), "the hook has run");
  assert.deepEqual(made(), ["checked", "own-hook", "own-server"], "what is the user's runs, and what it changed stays after a question");
  assert.ok(!(await offeredRoles(bench)).includes(trust.role));

  await chat.frame.getByRole("button", { name: trust.them }).click();
  await bench.dialog(trust.question).waitFor();
  await bench.screenshot("question");
  writeFileSync(join(workspace.path, ".planact", "roles", "late.md"), ROLE);
  await bench.dialog(trust.question).getByRole("button", { name: "Trust Them" }).click();
  await bench.dialog(trust.changed).waitFor();
  await chat.card(trust.ownSettings).waitFor();
  await bench.screenshot("question again");
  await bench.clickDialogButton(trust.changed, "Trust Them");
  await chat.card(trust.ownSettings).waitFor({ state: "detached" });
  assert.ok((await offeredRoles(bench)).includes(trust.role));
  rmSync(join(workspace.path, "own-hook"));
  await say(chat, AGAIN);
  await chat.said("That is really all.").waitFor({ timeout: RUN_LIMIT_MS });
  await bench.waitUntil(() => made().includes("own-hook"), "the hook has run again");
  assert.deepEqual(made(), ["checked", "checked-again", "own-hook", "own-server", "their-server"], "theirs counts, but for its hook");
  await bench.screenshot("settings trusted");
  await bench.waitForStatus(words.status.act, RUN_LIMIT_MS); // or the hook that still runs counts as who writes it

  writeFileSync(join(workspace.path, ".planact", "config.toml"), 'approval = "acceptEdits"\n');
  await chat.card(trust.ownSettings).waitFor({ timeout: RUN_LIMIT_MS });
  await bench.screenshot("changed");
});

/** The names in the list of roles. */
async function offeredRoles(bench) {
  await bench.palette(trust.setRole);
  const rows = bench.page.locator(".quick-input-widget:visible .monaco-list-row .label-name");
  await rows.filter({ hasText: "actor" }).waitFor();
  await bench.screenshot("roles");
  const names = await rows.allInnerTexts();
  await bench.press("Escape");
  return names;
}
