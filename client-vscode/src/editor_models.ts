// Models that other extensions bring into VS Code, which planact's server may ask, too: with the user's leave, and no key.
import {
  Disposable,
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
  type CancellationToken,
  type LanguageModelPart,
  type LogOutputChannel,
} from "vscode";

import type { CompletionDelta, CompletionEnd, CompletionWanted } from "./protocol";
import type { Server } from "./server";

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content?: string | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[] | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

interface Tool {
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: object };
}

const NAME = /^vscode\/([!-.0-~]+)\/([!-~]+)$/;
const IMAGE = /^data:([^;,]+);base64,(.*)$/s;
const FAILURES: Readonly<Record<string, string>> = { NoPermissions: "forbidden", NotFound: "gone", Blocked: "blocked" };
/** Without these a model can call no tools, and is no help. */
const TAKES_CALLS = Boolean(LanguageModelTextPart && LanguageModelToolCallPart && LanguageModelToolResultPart);

export class EditorModels {
  constructor(
    private readonly server: Server,
    private readonly log: LogOutputChannel,
  ) {}

  watch(): Disposable {
    return TAKES_CALLS ? lm.onDidChangeChatModels(() => { this.list(); }) : new Disposable(() => undefined);
  }

  /** Lets a server that has started ask models, also before it is told which there are: an extension may take long to say that. */
  async begin(): Promise<void> {
    if (!TAKES_CALLS) return;
    await this.server.notify("planact/modelsOffered", { models: [] });
    this.list();
  }

  private list(): void {
    void this.tell().catch((error: unknown) => { this.log.warn(String(error)); });
  }

  private async tell(): Promise<void> {
    const models = (await lm.selectChatModels()).map(({ vendor, id, maxInputTokens }) => ({ name: `vscode/${vendor}/${id}`, context_tokens: Math.max(0, Math.trunc(maxInputTokens)) }));
    await this.server.notify("planact/modelsOffered", { models: models.filter(({ name }) => NAME.test(name)) });
  }

  /** Asks one and passes on what it says. */
  async complete({ completion_id, model: name, messages, tools }: CompletionWanted, token: CancellationToken): Promise<CompletionEnd> {
    try {
      const [, vendor, id] = NAME.exec(name) ?? [];
      const [model] = TAKES_CALLS && vendor && id ? await lm.selectChatModels({ vendor, id }) : [];
      if (!model) return { failure: "gone", message: "no extension brings it" };
      const options = { justification: "It makes plans and carries them out.", tools: (tools as unknown as readonly Tool[]).map(toolFor) };
      const answer = await model.sendRequest(messagesFor(messages as unknown as readonly Message[]), options, token);
      for await (const part of answer.stream) {
        const delta = deltaOf(part);
        if (delta) await this.server.notify("planact/completionDelta", { completion_id, ...delta });
      }
      return {};
    } catch (error) {
      const code = error instanceof LanguageModelError ? error.code : "";
      return { failure: FAILURES[code] ?? "other", message: error instanceof Error ? error.message || code : String(error) };
    }
  }
}

function toolFor({ function: { name, description = "", parameters } }: Tool): { name: string; description: string; inputSchema: object | undefined } {
  return { name, description, inputSchema: parameters };
}

/** VS Code has no message of the system's. The results of one answer's calls go into one message, as some providers want them. */
function messagesFor(messages: readonly Message[]): LanguageModelChatMessage[] {
  const made: { role: LanguageModelChatMessageRole; content: LanguageModelPart[]; isResult: boolean }[] = [];
  for (const { role, content, tool_calls: calls = [], tool_call_id: id = "" } of messages) {
    const said = partsFor(content);
    const last = made.at(-1);
    if (role === "tool" && last?.isResult) last.content.push(result(id, said));
    else if (role === "tool") made.push({ role: LanguageModelChatMessageRole.User, content: [result(id, said)], isResult: true });
    else if (role !== "assistant") made.push({ role: LanguageModelChatMessageRole.User, content: said, isResult: false });
    else made.push({ role: LanguageModelChatMessageRole.Assistant, content: [...said, ...calls.map(callFor)], isResult: false });
  }
  return made.map(({ role, content }) => new LanguageModelChatMessage(role, content as unknown as string)); // since 1.95 it takes parts
}

function partsFor(content: Message["content"]): LanguageModelPart[] {
  if (typeof content === "string") return content ? [text(content)] : [];
  return (content ?? []).map(({ text: words = "", image_url: image }) => {
    const [, type, data] = IMAGE.exec(image?.url ?? "") ?? [];
    if (!type || data === undefined) return text(words);
    if (!LanguageModelDataPart) throw new Error("This VS Code does not support image input.");
    return LanguageModelDataPart.image(Buffer.from(data, "base64"), type);
  });
}

function text(words: string): LanguageModelPart {
  return new (known(LanguageModelTextPart))(words);
}

function result(id: string, said: readonly LanguageModelPart[]): LanguageModelPart {
  return new (known(LanguageModelToolResultPart))(id, said);
}

function callFor({ id, function: { name, arguments: input } }: NonNullable<Message["tool_calls"]>[number]): LanguageModelPart {
  return new (known(LanguageModelToolCallPart))(id, name, argumentsOf(input));
}

function known<T>(kind: T | undefined): T {
  if (kind === undefined) throw new Error("This VS Code does not support tool calling.");
  return kind;
}

/** The arguments of a call, which a model may have written wrongly. */
function argumentsOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** What a part of an answer says; nothing for kinds without text. */
function deltaOf(part: LanguageModelPart): Omit<CompletionDelta, "completion_id"> | undefined {
  const { value, name, callId, input } = part;
  if (typeof name === "string" && typeof callId === "string") return { call: { id: callId, name, arguments: JSON.stringify(input ?? {}) } };
  if (typeof value !== "string" || value === "") return undefined;
  return { text: value, is_reasoning: !(LanguageModelTextPart && part instanceof LanguageModelTextPart) };
}
