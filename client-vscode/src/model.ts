// Which model speaks: one of those that the server knows, or any by its name.
import { ConfigurationTarget, workspace } from "vscode";

import { DEMO_MODEL } from "./bridge";
import type { Keys } from "./keys";
import type { LanguageModel } from "./protocol";
import type { Server } from "./server";
import * as ui from "./ui";

const TITLE = "Choose Model";

type Choice = ui.Item & { readonly model?: LanguageModel };

/** Lets the user choose one, for the session in hand, and for all to come if none was chosen yet; asks for its key. False when the user chose none. */
export async function chooseModel(server: Server, keys: Keys): Promise<boolean> {
  const picked = await pickModel(server);
  if (!picked) return false;
  const settings = workspace.getConfiguration("planact");
  const named = ["model", "plannerModel", "actorModel"].map((name) => settings.inspect<string>(name)?.globalValue);
  if (named.some((name) => name && name !== DEMO_MODEL)) await setModel(server, picked.name);
  else await settings.update("model", picked.name, ConfigurationTarget.Global);
  if (picked.key_variable && picked.has_key === false) await keys.ask(picked.key_variable);
  return true;
}

/** Has the demo model speak. */
export async function useDemoModel(server: Server): Promise<void> {
  const settings = workspace.getConfiguration("planact");
  if (!settings.inspect<string>("model")?.globalValue) await settings.update("model", DEMO_MODEL, ConfigurationTarget.Global);
  else await setModel(server, DEMO_MODEL);
}

/** For the session in hand. It is seen at once, whatever is asked next. */
async function setModel(server: Server, model: string): Promise<void> {
  await server.call("planact.setModel", { folder: server.folders.uri, model });
  server.tellAgain();
}

async function pickModel(server: Server): Promise<Pick<LanguageModel, "name" | "key_variable" | "has_key"> | undefined> {
  const models = (await server.call("planact.listModels", { folder: server.folders.uri, all: true }))?.models ?? [];
  const brought = models.filter((model) => model.provider === "vscode");
  const [usable, others] = [models.filter((model) => model.has_key === true), models.filter((model) => model.has_key !== true && !brought.includes(model))];
  const items: (Choice | ui.Heading)[] = [
    { label: "Other…", detail: "any name that litellm knows" },
    ...group("of VS Code, without a key of yours", brought),
    ...group("with a key", usable),
    ...group("without a key yet", others),
  ];
  const picked = await ui.pick(items, { title: server.folders.titled(TITLE), matchOnDescription: true, placeHolder: "Keys are taken from the editor's secret storage, or the environment" });
  if (!picked) return undefined;
  if (picked.model) return picked.model;
  const name = await ui.askText({ title: server.folders.titled(TITLE), prompt: "Its name, as litellm has it", placeHolder: "anthropic/claude-sonnet-4-5" });
  return name ? (models.find((model) => model.name === name) ?? { name, key_variable: "", has_key: null }) : undefined;
}

function group(heading: string, models: readonly LanguageModel[]): (Choice | ui.Heading)[] {
  if (models.length === 0) return [];
  return [{ heading }, ...models.map((model) => ({ label: model.name, description: factsOf(model), model }))];
}

/** What is known of a model, in a few words; prices are per million tokens. */
function factsOf({ context_tokens: context, input_cost: input, output_cost: output, takes_images: takesImages, calls_tools: callsTools }: LanguageModel): string {
  const price = input !== null && output !== null ? [`$${input.toFixed(2)} in, $${output.toFixed(2)} out`] : [];
  const tokens = context > 0 ? [`${Math.round(context / 1000)}k`] : [];
  return [...tokens, ...price, ...(takesImages ? ["images"] : []), ...(callsTools === false ? ["no tools"] : [])].join(" · ");
}
