// A private Python environment with the server that this extension carries, made on the user's click.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runProgram, type Stop } from "./program";

const PYTHONS = process.platform === "win32" ? ["py", "python"] : ["python3", "python3.13", "python3.12", "python3.11"];
const CHECK_VERSION = "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))";

export class Installation {
  private readonly wheel: string | undefined;
  private readonly requirements: string;

  /** `carried` is the extension's folder with wheel and requirements, `storage` where environments may be made. */
  constructor(
    carried: string,
    private readonly storage: string,
    private readonly log: (line: string) => void,
  ) {
    const wheel = existsSync(carried) ? readdirSync(carried).find((name) => name.endsWith(".whl")) : undefined;
    this.wheel = wheel === undefined ? undefined : join(carried, wheel);
    this.requirements = join(carried, "requirements.txt");
  }

  /** Whether there is something to install. */
  get isPossible(): boolean {
    return this.wheel !== undefined;
  }

  /** The installed server, or undefined when it isn't installed completely. */
  executable(): string | undefined {
    if (this.wheel === undefined) return undefined;
    const environment = this.environment(this.wheel);
    return existsSync(marker(environment)) ? program(environment, "planact") : undefined;
  }

  /** Whether there is none but one that another version of this extension installed. */
  get isOutdated(): boolean {
    return this.isPossible && this.executable() === undefined && this.others("").length > 0;
  }

  /**
   * Installs the server, telling `report` in a sentence what it is at.
   * Rejects when a program fails or `stop` says so; what is half done is then removed.
   */
  async install(report: (text: string) => void, stop: Stop): Promise<void> {
    if (this.wheel === undefined) throw new Error("this build of the extension carries no server");
    const environment = this.environment(this.wheel);
    rmSync(environment, { recursive: true, force: true });
    mkdirSync(this.storage, { recursive: true });
    const run = (command: string, ...args: string[]) => runProgram(command, args, this.storage, this.log, stop);
    try {
      report("Looking for Python.");
      const python = await this.findPython(stop);
      report(`${python} found. Making an environment.`);
      await run(python, "-m", "venv", environment);
      const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar=off"];
      report(`${python} found. Getting its packages.`);
      await run(program(environment, "python"), ...pip, "--require-hashes", "-r", this.requirements);
      report("Installing the server.");
      await run(program(environment, "python"), ...pip, "--no-index", "--no-deps", this.wheel);
      writeFileSync(marker(environment), "");
      this.removeOthers(environment);
    } catch (error) {
      rmSync(environment, { recursive: true, force: true });
      throw error;
    }
  }

  private async findPython(stop: Stop): Promise<string> {
    for (const python of PYTHONS) {
      const found = await runProgram(python, ["-c", CHECK_VERSION], this.storage, this.log, stop).then(
        () => true,
        () => false,
      );
      if (found) return python;
    }
    throw new Error("Python 3.11, 3.12 or 3.13 is not on the PATH");
  }

  private removeOthers(environment: string): void {
    for (const path of this.others(environment)) rmSync(path, { recursive: true, force: true });
  }

  private others(environment: string): readonly string[] {
    const names = existsSync(this.storage) ? readdirSync(this.storage) : [];
    return names.map((name) => join(this.storage, name)).filter((path) => path !== environment);
  }

  // Named by its content, so that another version of the extension makes another.
  private environment(wheel: string): string {
    const hash = createHash("sha256").update(readFileSync(wheel)).update(readFileSync(this.requirements));
    return join(this.storage, hash.digest("hex").slice(0, 16));
  }
}

function marker(environment: string): string {
  return join(environment, "installed");
}

function program(environment: string, name: string): string {
  return process.platform === "win32" ? join(environment, "Scripts", `${name}.exe`) : join(environment, "bin", name);
}
