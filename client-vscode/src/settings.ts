// The user's settings, as the server gets them: only what the user has set, so that defaults never win over config files.
import { workspace } from "vscode";

import { nested } from "./nested";
import { SETTINGS } from "./protocol";

/** What the user set. Values from a workspace are left out: a repository has no say over keys, endpoints and rights. */
export function userSettings(): Record<string, unknown> {
  const configuration = workspace.getConfiguration("planact");
  return nested(SETTINGS.map((name) => [name, configuration.inspect(name)?.globalValue]));
}

/** The setting `planact.server.command`, again only from the user. */
export function serverCommandSetting(): unknown {
  return workspace.getConfiguration("planact").inspect("server.command")?.globalValue;
}
