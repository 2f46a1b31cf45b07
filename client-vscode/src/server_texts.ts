// What the server has VS Code show by itself (messages, progress), which may quote a repository or a model as well.
import type { Message } from "vscode-languageclient/node";

import { plain } from "./plain_text";

/** A message's `params`, the `value` of a progress, or one of the `actions` of a question. */
type Part = Readonly<Record<string, unknown>>;

/** Return the server's `message` with the texts in it that VS Code's surfaces show made plain. */
export function withPlainText(message: Message): Message {
  const { method = "", params } = message as { readonly method?: string; readonly params?: Part };
  if (params === undefined) return message;
  if (method.startsWith("window/showMessage")) return { ...message, params: plainPart(params) } as Message;
  if (method === "$/progress") return { ...message, params: { ...params, value: plainPart(params["value"]) } } as Message;
  return message;
}

function plainPart(part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const { title, message, actions } = part as Part;
  return {
    ...part,
    ...(typeof title === "string" ? { title: plain(title) } : {}),
    ...(typeof message === "string" ? { message: plain(message) } : {}),
    ...(Array.isArray(actions) ? { actions: actions.map(plainPart) } : {}),
  };
}
