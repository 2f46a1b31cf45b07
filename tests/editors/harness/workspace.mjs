// A throw-away git repository with a copy of a sample project in it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Copies `project` to `folder/workspace`, adds `files` ({path: text}) and commits it all. */
export function makeWorkspace(folder, project, files) {
  const path = join(folder, "workspace");
  mkdirSync(path, { recursive: true });
  if (project) cpSync(project, path, { recursive: true, filter: (source) => !source.includes("__pycache__") });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid", ...words], {
      cwd: path,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "The sample project");
  return {
    path,
    /** The file's text on disk, which need not be what an editor shows. */
    read: (name) => readFileSync(join(path, name), "utf8"),
    /** `git diff` of what is on disk, without planact's own folder. */
    diff: () => git("diff", "--", ".", ":!.planact"),
  };
}
