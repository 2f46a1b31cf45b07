// What VS Code has brought since the version that the extension supports, as far as it is used; undefined before.
declare module "vscode" {
  /** Since 1.95. */
  export const LanguageModelTextPart: (new (text: string) => LanguageModelPart) | undefined;
  export const LanguageModelToolCallPart: (new (id: string, name: string, input: object) => LanguageModelPart) | undefined;
  export const LanguageModelToolResultPart: (new (id: string, content: readonly LanguageModelPart[]) => LanguageModelPart) | undefined;

  /** Since 1.106. */
  export const LanguageModelDataPart: { image(data: Uint8Array, type: string): LanguageModelPart } | undefined;

  /** Any of them, and kinds that answers may have later. */
  export interface LanguageModelPart {
    readonly value?: unknown;
    readonly callId?: unknown;
    readonly name?: unknown;
    readonly input?: unknown;
  }

  export interface LanguageModelChatResponse {
    readonly stream: AsyncIterable<LanguageModelPart>;
  }

  export interface LanguageModelChatRequestOptions {
    tools?: readonly { readonly name: string; readonly description: string; readonly inputSchema: object | undefined }[];
  }
}
