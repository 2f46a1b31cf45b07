// Everything a run starts carries the run folder in its environment, which is how whatever outlives the run is found.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** An environment in which a program keeps all it writes inside `home` and knows nothing of the user's own setup. */
export function ownEnvironment(home, path = process.env.PATH) {
  return {
    PATH: path,
    HOME: home,
    LANG: "C.UTF-8",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
  };
}

/** Ends a detached child and its whole group: politely first, by force after five seconds. */
export async function endGroup(pid) {
  signalGroup(pid, "SIGTERM");
  for (let waited = 0; waited < 5000; waited += 50) {
    if (!signalGroup(pid, 0)) return;
    await sleep(50);
  }
  signalGroup(pid, "SIGKILL");
}

/** Sends a signal to a process group; false when there is no such group. */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if (error.code === "ESRCH") return false;
    throw error;
  }
}

/** Ends what of `folder` still runs after `patience` ms, and returns those processes' command lines. */
export async function endLeftovers(folder, patience = 3000) {
  for (let waited = 0; waited < patience && processesOf(folder).length > 0; waited += 100) await sleep(100);
  const left = processesOf(folder);
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
  return left.map(({ command }) => command);
}

function processesOf(folder) {
  const found = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (!environment.some((entry) => entry.includes(folder))) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      // a zombie has no command line: it has ended already
      if (command) found.push({ pid: Number(pid), command });
    } catch (error) {
      if (!["ENOENT", "ESRCH", "EACCES"].includes(error.code)) throw error;
    }
  }
  return found;
}
