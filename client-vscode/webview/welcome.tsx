// What stands where nothing was said yet, and what is still missing before anything can be.
import type { Preparation } from "../src/bridge";
import type { Chat } from "./chat";
import type { Store } from "./store";

const DEMO_MODEL = "scripted:demo";

/** Instead of a conversation. */
export function Welcome({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  if (chat.condition === "starting") return <p className="note">The server starts…</p>;
  if (chat.condition !== "running") return null;
  return (
    <div className="welcome">
      <p>Say what you want done. Planact explores, then writes a plan that you can edit and approve. In Plan, nothing else can change.</p>
      {chat.model === DEMO_MODEL && <p>The demo model plays a script: write anything, and see a small plan made, executed and rolled back.</p>}
      <p>
        <button type="button" className="link" onClick={prepare(store, "getStarted")}>
          Get started with Planact
        </button>
      </p>
    </div>
  );
}

/** What the user has to do first, or could. */
export function Missing({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  if (chat.condition === "starting") return null;
  if (chat.condition !== "running") return <NoServer store={store} condition={chat.condition} />;
  if (!chat.missing && !chat.isRestricted && chat.isFolderTrusted) return null;
  const choose = () => void store.call("editor/chooseModel", null);
  return (
    <div className="missing" role="region" aria-label="To do first">
      {chat.missing === "model" && (
        <>
          <p>No model is chosen yet.</p>
          <div className="buttons">
            <vscode-button onClick={prepare(store, "useDemoModel")}>Try with the Demo Model</vscode-button>
            <vscode-button secondary onClick={choose}>Choose a Model</vscode-button>
          </div>
        </>
      )}
      {chat.missing === "key" && (
        <>
          <p>
            There is no key yet for <code>{chat.model}</code>.
          </p>
          <div className="buttons">
            <vscode-button onClick={prepare(store, "setKey")}>Set Key</vscode-button>
            <vscode-button secondary onClick={prepare(store, "useDemoModel")}>Try with the Demo Model</vscode-button>
            <vscode-button secondary onClick={choose}>Choose a Model</vscode-button>
          </div>
        </>
      )}
      {chat.isRestricted && (
        <>
          <p>This workspace isn't trusted: no commands, hooks or MCP servers run in it, and its roles and settings don't count.</p>
          <div className="buttons">
            <vscode-button secondary onClick={prepare(store, "manageTrust")}>Manage Trust</vscode-button>
          </div>
        </>
      )}
      {!chat.isRestricted && !chat.isFolderTrusted && (
        <>
          <p>This folder brings its own settings or roles along, in <code>.planact</code>. Until you trust them, they can only make Planact stricter.</p>
          <div className="buttons">
            <vscode-button secondary onClick={prepare(store, "trustFolder")}>Trust Them…</vscode-button>
          </div>
        </>
      )}
    </div>
  );
}

const NO_SERVER = {
  missing: "There is no server yet. It runs beside the editor, and needs Python 3.11, 3.12 or 3.13.",
  installing: "The server is being installed…",
  stopped: "The server is not running.",
} as const;

function NoServer({ store, condition }: { readonly store: Store; readonly condition: keyof typeof NO_SERVER }) {
  return (
    <div className="missing" role="region" aria-label="To do first">
      <p role="status">{NO_SERVER[condition]}</p>
      <div className="buttons">
        {condition === "missing" && <vscode-button onClick={prepare(store, "installServer")}>Install</vscode-button>}
        {condition === "missing" && <vscode-button secondary onClick={prepare(store, "chooseCommand")}>Choose Command</vscode-button>}
        {condition === "stopped" && <vscode-button onClick={prepare(store, "restartServer")}>Start the Server</vscode-button>}
        <vscode-button secondary onClick={prepare(store, "showLog")}>Show Log</vscode-button>
      </div>
    </div>
  );
}

function prepare(store: Store, what: Preparation): () => void {
  return () => void store.call("editor/prepare", what);
}
