// Which model speaks: one of those that the server knows, or any by its name.
import { ConfigurationTarget, QuickPickItemKind, window, workspace, type QuickPickItem } from "vscode";

import type { LanguageModel } from "./protocol";
import type { Server } from "./server";

const TITLE = "Planact: Choose Model";

type Choice = QuickPickItem & { readonly name?: string };

/** Lets the user choose one: for the session in hand, and for all to come if none was chosen yet. */
export async function chooseModel(server: Server): Promise<void> {
  const name = await pickModel(server);
  if (!name) return;
  const settings = workspace.getConfiguration("planact");
  if (settings.inspect<string>("model")?.globalValue) await server.call("planact.setModel", { model: name });
  else await settings.update("model", name, ConfigurationTarget.Global);
}

async function pickModel(server: Server): Promise<string | undefined> {
  const models = (await server.call("planact.listModels", { all: true }))?.models ?? [];
  const [usable, others] = [models.filter((model) => model.has_key === true), models.filter((model) => model.has_key !== true)];
  const items: Choice[] = [
    { label: "Other…", detail: "any name that litellm knows" },
    ...group("with a key in the environment", usable),
    ...group("without a key yet", others),
  ];
  const picked = await window.showQuickPick(items, { title: TITLE, matchOnDescription: true, placeHolder: "Keys are taken from the environment" });
  if (!picked) return undefined;
  return picked.name ?? (await window.showInputBox({ title: TITLE, prompt: "Its name, as litellm has it", placeHolder: "anthropic/claude-sonnet-4-5", ignoreFocusOut: true }));
}

function group(label: string, models: readonly LanguageModel[]): Choice[] {
  if (models.length === 0) return [];
  return [{ label, kind: QuickPickItemKind.Separator }, ...models.map((model) => ({ label: model.name, description: factsOf(model), name: model.name }))];
}

/** What is known of a model, in a few words; prices are per million tokens. */
function factsOf({ context_tokens: context, input_cost: input, output_cost: output, takes_images: takesImages, calls_tools: callsTools }: LanguageModel): string {
  const price = input !== null && output !== null ? [`$${input.toFixed(2)} in, $${output.toFixed(2)} out`] : [];
  const window = context > 0 ? [`${Math.round(context / 1000)}k`] : [];
  return [...window, ...price, ...(takesImages ? ["images"] : []), ...(callsTools === false ? ["no tools"] : [])].join(" · ");
}
