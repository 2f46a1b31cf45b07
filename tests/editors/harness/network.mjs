// What a run asks of other machines: the extension host, the server and all that they start, as strace sees it, and the browser's pages.
import { existsSync, readFileSync } from "node:fs";

import { present } from "./rig.mjs";

// With a filter in the kernel only these stop a process: `execve` and those that fork tell whose child asks. strace relies on the
// filter in a new thread or process only after its first call of these, and stops it at every call until then. The first call of
// a thread is set_robust_list.
const CALLS = "connect,sendto,sendmsg,sendmmsg,execve,clone,clone3,fork,vfork,set_robust_list";

/** `[program, arguments]` that run a command as it is, and write down in `log` what it asks for. */
export function watched(log, program, ...words) {
  const strace = present("/usr/bin/strace", "tests/editors/install");
  return [strace, ["-f", "--seccomp-bpf", "-qq", "-s", "256", "-e", `trace=${CALLS}`, "-e", "signal=none", "-o", log, program, ...words]];
}

/**
 * The requests to other machines in a log, each as `{ command, to }`: the command line of the process, or of the one that forked it,
 * and an address. To ask for a name is one, wherever the name server is.
 */
export function outsideRequests(log) {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  const [commands, parents] = [new Map(), new Map()];
  for (const line of lines) {
    const started = /^(\d+) +execve\("[^"]*", \[(.*?)\](?:, |\s*<)/.exec(line);
    if (started) commands.set(started[1], started[2].replaceAll('", "', " ").replaceAll('"', ""));
    const forked = /^(\d+) +(?:<\.\.\. )?(?:clone3?|v?fork)\b.* = (\d+)$/.exec(line);
    if (forked) parents.set(forked[2], forked[1]);
  }
  const commandOf = (pid) => commands.get(pid) ?? (parents.has(pid) ? commandOf(parents.get(pid)) : `process ${pid}`);
  return lines.flatMap((line) => addresses(line).map((to) => ({ command: commandOf(/^\d+/.exec(line)[0]), to })));
}

/** Keeps a browser from other machines: none of them has an address. */
export const NO_OUTSIDE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

// A cache of a browser's knows a file by its URL, so windows have one host whatever port their server has.
const WORKBENCH = "localhost:8000";

/** The URL of a window whose server listens at `url`, and the flag by which its browser gets there and nowhere outside. */
export function workbenchAt(url) {
  return { url: `http://${WORKBENCH}`, flag: NO_OUTSIDE.replace("=", `=MAP ${WORKBENCH} ${new URL(url).host}, `) };
}

/**
 * The hosts of other machines that pages of a browser's context asked for something: a list that grows with each request. What a
 * page's own service worker answers is asked of no machine.
 */
export function outsideHosts(context) {
  const hosts = [];
  const watch = (page) =>
    page.on("websocket", (socket) => {
      const { hostname, host } = new URL(socket.url());
      if (hostname !== "127.0.0.1" && host !== WORKBENCH) hosts.push(host);
    });
  context.on("page", watch);
  context.pages().forEach(watch);
  context.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "net::ERR_NAME_NOT_RESOLVED") hosts.push(new URL(request.url()).host);
  });
  return hosts;
}

function addresses(line) {
  const found = [...line.matchAll(/sa_family=AF_INET6?, sin6?_port=htons\((\d+)\)[^}]*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/g)];
  return found.filter(([, port, host]) => isOutside(host, port)).map(([, port, host]) => `${host} port ${port}`);
}

function isOutside(host, port) {
  return port === "53" || !/^(?:(?:::ffff:)?(?:127\.|0\.0\.0\.0$)|::1?$)/.test(host);
}
