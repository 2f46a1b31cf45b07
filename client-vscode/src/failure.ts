// Why a command of the server came to nothing, and how the user is told.
import { commands } from "vscode";
import { ErrorCodes, LSPErrorCodes, ResponseError } from "vscode-languageclient/node";

import type { ErrorCode, ErrorData } from "./protocol";
import { sentence } from "./text";
import * as ui from "./ui";

const CHOOSE_MODEL = "Choose Model";
const SET_KEY = "Set Key";

/** The server refused or failed; `code` is stable. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly code: ErrorCode | "",
  ) {
    super(message);
  }

  /** The failure that an error of the connection stands for; undefined when the user stopped it. */
  static from(error: unknown): Failure | undefined {
    if (!(error instanceof ResponseError)) return new Failure(error instanceof Error ? error.message : String(error), "");
    if (error.code === LSPErrorCodes.RequestCancelled || error.code === LSPErrorCodes.ServerCancelled) return undefined;
    if (error.code === ErrorCodes.PendingResponseRejected || error.code === ErrorCodes.ConnectionInactive) {
      return new Failure("The planact server ended before it answered. Try again.", "");
    }
    const data = (error.data ?? {}) as Partial<ErrorData>;
    return new Failure(begun(error.message), (data.code ?? "") as ErrorCode | "");
  }
}

/** Tells the user, once, when `run` comes to nothing. */
export async function tellFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const needsModel = error.code === "MODEL_NOT_CHOSEN" || error.code === "MODEL_UNKNOWN" || error.code === "MODEL_NO_CREDIT";
    const needsKey = error.code === "MODEL_KEY_MISSING" || error.code === "MODEL_KEY_REFUSED";
    const clicked = await ui.notify("error", error.message, ...(needsModel ? [CHOOSE_MODEL] : []), ...(needsKey ? [SET_KEY] : []));
    if (clicked === CHOOSE_MODEL) await commands.executeCommand("planact.ui.setModel");
    if (clicked === SET_KEY) await commands.executeCommand("planact.ui.setKey");
  }
}

// The message says all: the cause, the next step and the code.
function begun(message: string): string {
  return message.replace(/^[a-z]+(?=[ '])/, sentence);
}
