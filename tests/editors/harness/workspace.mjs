// A throw-away git repository with a copy of a sample project in it, and others beside it in a workspace of several folders.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Makes `folder/workspace`; with names in `beside`, a project for each, too. `opened` is what a window opens: the folder, or
 * a workspace file that lists those in `others`, as `open(...names)` can change it.
 */
export function makeWorkspace(folder, project, files, beside = []) {
  const first = makeProject(join(folder, "workspace"), folder, project, files);
  if (beside.length === 0) return { ...first, opened: first.path };
  const opened = join(folder, "several.code-workspace");
  const open = (...names) => { writeFileSync(opened, JSON.stringify({ folders: names.map((path) => ({ path })) })); };
  open("workspace", ...beside);
  const others = beside.map((name) => makeProject(join(folder, name), folder, project, files));
  return { ...first, opened, open, others };
}

/** Copies `project` to `path`, adds `files` ({path: text}) and commits it all. */
function makeProject(path, folder, project, files) {
  mkdirSync(path, { recursive: true });
  if (project) cpSync(project, path, { recursive: true, filter: (source) => !source.includes("__pycache__") });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid", ...words], {
      cwd: path,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", "The sample project");
  return {
    path,
    /** The file's text on disk, which need not be what an editor shows. */
    read: (name) => readFileSync(join(path, name), "utf8"),
    /** `git diff` of what is on disk, without planact's own folder. */
    diff: () => git("diff", "--", ".", ":!.planact"),
    /** Puts the project's files, but for plans, back as they were at first, for the next part of a scenario. */
    restore: () => git("checkout", "--quiet", "--", ".", ":!*.plan"),
  };
}
