// The two modes: what each may do, going from one to the other, and who works in one.
import { Failure } from "./failure";
import type { Mode } from "./protocol";
import type { Server } from "./server";
import * as ui from "./ui";

export const MODES: Record<Mode, { readonly title: string; readonly rights: string }> = {
  plan: { title: "Plan", rights: "explores and writes plans; nothing else can change" },
  act: { title: "Act", rights: "carries out what you approved, and asks when it must" },
};

/** Lets the user choose the mode of the folder in hand. */
export async function switchMode(server: Server, current: Mode): Promise<void> {
  const modes = Object.keys(MODES) as Mode[];
  const items = modes
    .sort((a, b) => Number(a === current) - Number(b === current))
    .map((mode) => ({
      label: MODES[mode].title,
      description: mode === current ? "current" : "",
      detail: MODES[mode].rights,
      mode,
    }));
  const picked = await ui.pick(items, { title: server.folders.titled("Switch Mode") });
  if (picked && picked.mode !== current) await setMode(server, picked.mode);
}

/** Switches to the other mode. */
export function toggleMode(server: Server, current: Mode): Promise<void> {
  return setMode(server, current === "plan" ? "act" : "plan");
}

/** Sets the mode; asks first when that would stop work. */
export async function setMode(server: Server, mode: Mode): Promise<void> {
  const folder = server.folders.uri;
  try {
    await server.call("planact.setMode", { folder, mode, confirm_stop: false });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "MODE_CONFLICT" || mode !== "plan") throw error;
    const detail = "Work in progress will stop; the plan stays where it is.";
    const stop = await ui.confirm("Stop after the current call?", detail, "Stop and Switch");
    if (stop) await server.call("planact.setMode", { folder, mode, confirm_stop: true });
  }
}

/** Lets the user choose who works in the current mode. */
export async function setRole(server: Server, mode: Mode): Promise<void> {
  const folder = server.folders.uri;
  const listed = await server.call("planact.listRoles", { folder });
  if (!listed) return;
  for (const problem of listed.problems) void ui.notify("warning", problem);
  const items = listed.roles
    .filter((role) => role.mode === mode)
    .map(({ name, description, source }) => ({ label: name, description: source, detail: description }));
  const picked = await ui.pick(items, { title: server.folders.titled(`Set Role (${MODES[mode].title})`, folder) });
  if (picked) await server.call("planact.setRole", { folder, role: picked.label });
}
