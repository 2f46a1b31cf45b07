// Runs one program to its end, or ends it with all that it started.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";

/** Says when to give up; a `CancellationToken` is one. */
export interface Stop {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** The user gave up. */
export class Cancelled extends Error {}

/** Resolves when the program ends well; rejects with its last words when it doesn't. */
export async function runProgram(
  command: string,
  args: readonly string[],
  folder: string,
  log: (line: string) => void,
  stop: Stop,
): Promise<void> {
  throwIfCancelled(stop);
  log(`> ${command} ${args.join(" ")}`);
  const child = spawn(command, args, { cwd: folder, detached: !onWindows, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  const watch = stop.onCancellationRequested(() => { endAll(child); });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-4000);
      log(text.trimEnd());
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    throwIfCancelled(stop);
    if (code !== 0) throw new Error(`${command} ended with code ${code ?? "none"}: ${lastLine(printed)}`);
  } finally {
    watch.dispose();
  }
}

const onWindows = process.platform === "win32";

function throwIfCancelled(stop: Stop): void {
  if (stop.isCancellationRequested) throw new Cancelled();
}

function endAll(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (onWindows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
  else process.kill(-child.pid, "SIGKILL");
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1) ?? "";
}
