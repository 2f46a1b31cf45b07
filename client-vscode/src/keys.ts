// The user's keys of model providers: the editor's secret storage keeps them, and the server gets them each time it starts.
import type { Disposable, ExtensionContext, Memento, SecretStorage } from "vscode";

import { tellFailure } from "./failure";
import type { Server } from "./server";
import * as ui from "./ui";

const TITLE = "Planact: Set Key";
/** Under which names there are keys; the storage can't be asked that. */
const KEPT = "keptKeys";

export class Keys {
  private readonly names: Memento;
  private readonly secrets: SecretStorage;

  constructor(
    context: ExtensionContext,
    private readonly server: Server,
  ) {
    this.names = context.globalState;
    this.secrets = context.secrets;
  }

  /** Hands over what is kept. */
  async handOver(): Promise<void> {
    for (const variable of this.kept) {
      const value = await this.secrets.get(variable);
      if (value) await this.server.request("planact/secret", { variable, value });
    }
  }

  /** Hands over again what another window changed. */
  watch(): Disposable {
    return this.secrets.onDidChange(({ key: variable }) => tellFailure(async () => {
      const value = (await this.secrets.get(variable)) ?? "";
      if (this.server.isRunning) await this.server.request("planact/secret", { variable, value });
    }));
  }

  /** Lets the user choose whose key it is, and asks for it. */
  async choose(): Promise<void> {
    const folder = this.server.folders.uri;
    const [models, status] = [await this.server.call("planact.listModels", { folder, all: true }), await this.server.call("planact.showStatus", { folder })];
    const providers = new Map((models?.models ?? []).filter((model) => model.key_variable).map((model) => [model.key_variable, model]));
    const used = models?.models.find((model) => model.name === status?.model)?.key_variable;
    const items: (ui.Item & { readonly variable: string })[] = [...providers].map(([variable, { provider, has_key: hasKey }]) => ({
      label: provider,
      description: variable,
      detail: this.kept.includes(variable) ? "kept here" : hasKey ? "in the environment" : "",
      variable,
    }));
    items.sort((a, b) => Number(b.variable === used) - Number(a.variable === used) || a.label.localeCompare(b.label));
    const picked = await ui.pick(items, { title: TITLE, placeHolder: "Whose key?", matchOnDescription: true });
    if (picked) await this.ask(picked.variable);
  }

  /** Asks for a key, keeps it and hands it over; an empty one is forgotten. */
  async ask(variable: string): Promise<void> {
    const prompt = `${variable}: kept in the editor's secret storage, and nowhere else. Empty: forget it.`;
    const value = await ui.askText({ title: TITLE, prompt, isPassword: true, faultOf });
    if (value === undefined) return;
    const key = value.trim();
    await this.server.request("planact/secret", { variable, value: key });
    await (key ? this.secrets.store(variable, key) : this.secrets.delete(variable));
    await this.names.update(KEPT, [...new Set([...this.kept, variable])].filter((name) => name !== variable || key));
  }

  private get kept(): readonly string[] {
    return this.names.get<readonly string[]>(KEPT, []);
  }
}

function faultOf(value: string): string | undefined {
  return /^[\x21-\x7e]*$/.test(value.trim()) ? undefined : "A key has neither blanks nor special characters.";
}
