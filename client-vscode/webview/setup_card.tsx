// Cards about what planact needs first: a server, a model, a key, trust.
import type { ReactNode } from "react";

import { Button } from "./button";
import { Card } from "./card";
import type { Chat } from "./chat";
import { Spinner } from "./icons";
import { Since } from "./since";
import type { Store } from "./store";

interface Props {
  readonly store: Store;
  readonly chat: Chat;
  readonly pager: ReactNode;
}

export function ServerCard({ store, chat: { server } }: Props) {
  const log = <Button rank="link" onClick={() => void store.command("showLog")}>Show Log</Button>;
  switch (server.condition) {
    case "installing":
      return (
        <Card
          name="Installing the server"
          title={
            <>
              <Spinner /> Installing the server
            </>
          }
          aside={server.since !== undefined && <Since since={server.since} />}
          buttons={
            <>
              {log}
              <Button rank="link" onClick={() => void store.command("cancelInstall")}>Cancel</Button>
            </>
          }
        >
          <p className="muted">{server.detail ?? "It goes into an environment of its own."}</p>
        </Card>
      );
    case "missing":
      return (
        <Card
          name="No server yet"
          title="No server yet"
          buttons={
            <>
              <Button rank="primary" onClick={() => void store.command("installServer")}>Install</Button>
              <Button rank="link" onClick={() => void store.command("chooseCommand")}>Choose Command…</Button>
              {log}
            </>
          }
        >
          <p className="muted">{server.detail ?? "It runs beside the editor and needs Python 3.11 or newer."}</p>
        </Card>
      );
    default:
      return (
        <Card
          name="The server stopped"
          edge="failed"
          title="The server stopped"
          buttons={
            <>
              <Button rank="primary" onClick={() => void store.command("restartServer")}>Start Again</Button>
              {log}
            </>
          }
        >
          <p className="muted" role="alert">{server.detail ?? "It ended before it answered. Nothing is lost."}</p>
        </Card>
      );
  }
}

export function ModelCard({ store, pager }: Props) {
  return (
    <Card
      name="Which model should it use?"
      title="Which model should it use?"
      aside={pager}
      buttons={
        <>
          <Button rank="primary" onClick={() => void store.command("setModel")}>Choose a Model…</Button>
          <Button rank="link" onClick={() => void store.command("useDemoModel")}>Try the Demo</Button>
        </>
      }
    >
      <p className="muted">The demo plays a script: no key, no network.</p>
    </Card>
  );
}

export function KeyCard({ store, chat, pager }: Props) {
  const title = keyTitle(chat.model);
  return (
    <Card
      name={title}
      title={title}
      aside={pager}
      buttons={
        <>
          <Button rank="primary" onClick={() => void store.command("setKey")}>Enter Key…</Button>
          <Button rank="link" onClick={() => void store.command("setModel")}>Other Model…</Button>
        </>
      }
    >
      <p className="muted">It stays in the editor's secret storage.</p>
    </Card>
  );
}

export function keyTitle(model: string): string {
  return `No key for ${providerOf(model)} yet`;
}

/** A provider as people write it; of a name without one, the name. */
function providerOf(model: string): string {
  const [provider = ""] = model.split("/");
  return PROVIDERS[provider] ?? (model.includes("/") ? provider.charAt(0).toUpperCase() + provider.slice(1) : model);
}

const PROVIDERS: Readonly<Record<string, string>> = { openai: "OpenAI", deepseek: "DeepSeek", xai: "xAI", openrouter: "OpenRouter", huggingface: "Hugging Face", together_ai: "Together AI", azure_ai: "Azure AI" };

/** What a folder brings along counts only once the user trusts it. */
export function FolderCard({ store, pager, close }: Props & { readonly close: () => void }) {
  return (
    <Card
      name="This folder brings its own settings"
      title="This folder brings its own settings"
      aside={pager}
      close={close}
      buttons={<Button rank="link" onClick={() => void store.command("trustFolder")}>Review Them…</Button>}
    >
      <p className="muted">Until you trust them they can only make Planact stricter.</p>
    </Card>
  );
}

export function WorkspaceCard({ store, pager, close }: Props & { readonly close: () => void }) {
  return (
    <Card
      name="This workspace isn't trusted"
      title="This workspace isn't trusted"
      aside={pager}
      close={close}
      buttons={<Button rank="link" onClick={() => void store.command("manageTrust")}>Manage Trust</Button>}
    >
      <p className="muted">No commands, hooks or MCP servers run in it, and its roles and settings don't count.</p>
    </Card>
  );
}
