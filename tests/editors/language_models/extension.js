// Brings a model into VS Code that does by word what a scenario asks for.
const { setTimeout: sleep } = require("node:timers/promises");

const vscode = require("vscode");

const MODEL = { id: "echo", name: "Echo", family: "echo", version: "1", maxInputTokens: 100_000, maxOutputTokens: 10_000, capabilities: { toolCalling: true } };
let stopped = 0;

exports.activate = (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("testing", {
    provideLanguageModelChatInformation: () => [MODEL],
    provideTokenCount: () => 1,
    provideLanguageModelChatResponse: answer,
  }));
};

async function answer(_, messages, { tools = [] }, progress, token) {
  const say = (text) => { progress.report(new vscode.LanguageModelTextPart(text)); };
  const parts = messages.flatMap(({ content }) => content);
  const results = messages.at(-1).content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
  const asked = parts.filter((part) => part instanceof vscode.LanguageModelTextPart).map(({ value }) => value).findLast((text) => text.includes("Model, "));
  if (results.length > 0) {
    const text = results.flatMap(({ content }) => content).map(({ value }) => value).join("\n");
    for (const word of ["It begins ", "with ", `“${/def \w+/.exec(text)?.[0]}”.`]) say(word);
  } else if (asked.includes("fall silent")) {
    say("I begin");
    while (!token.isCancellationRequested) await sleep(20);
    stopped += 1;
  } else if (asked.includes("spend all")) {
    throw vscode.LanguageModelError.Blocked("the quota of this month is used up");
  } else if (asked.includes("read")) {
    say("I look at it.");
    progress.report(new vscode.LanguageModelToolCallPart("call-1", "read_file", { path: "store.py" }));
  } else {
    const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    const told = [`${parts[0].value.includes("PLAN mode") ? "a" : "no"} prompt`, `${tools.length > 5 ? "many" : tools.length} tools`, calls.map(({ name, input }) => `${name} ${input.path}`).join()];
    say(`I have ${told.join(", ")}; ${stopped} stopped.`);
  }
}
