// Which program is the server: the user's setting, else `planact` on the PATH, else the one that was installed.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A setting that cannot be a command. */
export class BadSetting extends Error {}

/** The command line that the setting names; undefined when it is empty. A string is a program, a list a whole command. */
export function commandFromSetting(setting: unknown): CommandLine | undefined {
  if (setting === undefined || setting === null || setting === "") return undefined;
  if (typeof setting === "string") return { command: setting, args: ["serve"] };
  if (!Array.isArray(setting) || !setting.every((word) => typeof word === "string")) {
    throw new BadSetting("planact.server.command is neither a path nor a list of words");
  }
  const [command, ...args] = setting;
  return command ? { command, args } : undefined;
}

/** The full path of a program on the PATH. Relative entries don't count: they could lead into the workspace. */
export function findOnPath(name: string, path: string, extensions: readonly string[]): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => extensions.map((extension) => join(folder, name + extension)))
    .find(isExecutable);
}

/** What a program's name may end with here. */
export function executableExtensions(): readonly string[] {
  return process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
