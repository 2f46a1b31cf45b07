// The view's only way to the outside: calls of the extension, each with its answer.
import type { Calls, FromView, Notification, ServerState, Surroundings, ToView } from "../src/bridge";

export class Failed extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: Failed) => void;
}

export interface Listener {
  notified(notification: Notification): void;
  serverChanged(server: ServerState): void;
  surroundingsChanged(surroundings: Surroundings): void;
  focus(what: "dock" | "input"): void;
  wished(text: string): void;
  edited(): void;
}

/** What the page keeps for itself when it is loaded again. */
export interface Kept {
  /** Keys of cards that the user closed. */
  readonly closed: readonly string[];
}

export class Host {
  private readonly api = acquireVsCodeApi<Kept>();
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /** Tells the extension that the view is there, and hears it from now on. */
  listen(listener: Listener): void {
    window.addEventListener("message", ({ data }: MessageEvent<ToView>) => {
      switch (data.kind) {
        case "notification":
          listener.notified(data);
          break;
        case "condition":
          listener.serverChanged(data);
          break;
        case "surroundings":
          listener.surroundingsChanged(data);
          break;
        case "focus":
          listener.focus(data.what);
          break;
        case "wish":
          listener.wished(data.text);
          break;
        case "edited":
          listener.edited();
          break;
        case "done":
          this.take(data.id)?.resolve(data.result);
          break;
        case "failed":
          this.take(data.id)?.reject(new Failed(data.message, data.code));
          break;
      }
    });
    this.post({ kind: "ready" });
  }

  /** Resolves to undefined when the user stopped it. Rejects with `Failed`. */
  call<C extends keyof Calls>(name: C, args: Calls[C]["arguments"]): Promise<Calls[C]["result"] | undefined> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.post({ kind: "call", id, name, arguments: args } as FromView);
    });
  }

  get kept(): Kept {
    return this.api.getState() ?? { closed: [] };
  }

  keep(kept: Kept): void {
    this.api.setState(kept);
  }

  private post(message: FromView): void {
    this.api.postMessage(message);
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}
