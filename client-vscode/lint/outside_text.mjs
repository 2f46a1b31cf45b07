// Text from outside reaches VS Code's surfaces through src/ui.ts alone, which makes it plain. Lists of what is allowed: what VS Code adds is refused until it is looked at.

const DOOR = "Text reaches VS Code through src/ui.ts, which makes it plain.";

/** Parts of `window`, `languages` and `lm` that show no text, or only what is in a document. */
const WINDOW = [
  "activeTextEditor", "createOutputChannel", "createTextEditorDecorationType", "onDidChangeVisibleTextEditors", "onDidChangeWindowState",
  "registerWebviewViewProvider", "showTextDocument", "state", "tabGroups", "visibleTextEditors",
];
const LANGUAGES = ["getDiagnostics", "onDidChangeDiagnostics"];
const MODELS = ["onDidChangeChatModels", "selectChatModels"];

/** Parts of the module `vscode` that show texts, by themselves or by what is made of them. */
const SHOWING = [
  "chat", "CodeAction", "CodeLens", "comments", "CompletionItem", "DocumentLink", "Hover", "InlayHint", "InlayHintLabelPart",
  "MarkdownString", "scm", "SignatureHelp", "tests", "TreeItem",
];
const SHOWN = "badge|contentText|description|detail|hoverMessage|label|message|placeholder|prompt|text|title|tooltip|validationMessage";

const only = (name, allowed) => [
  { selector: `MemberExpression[object.name="${name}"]:not([computed=false][property.name=/^(${allowed.join("|")})$/])`, message: DOOR },
  { selector: `:not(MemberExpression, ImportSpecifier) > Identifier[name="${name}"]`, message: `${DOOR} Other names for \`${name}\` would hide what is done with it.` },
  { selector: `ImportSpecifier[imported.name="${name}"][local.name!="${name}"]`, message: DOOR },
];

const inSources = {
  files: ["src/**/*.ts"],
  ignores: ["src/ui.ts"],
  rules: {
    "@typescript-eslint/no-restricted-imports": ["error", { paths: [{ name: "vscode", importNames: SHOWING, allowTypeImports: true, message: DOOR }] }],
    "no-restricted-syntax": [
      "error",
      ...only("window", WINDOW),
      ...only("languages", LANGUAGES),
      ...only("lm", MODELS),
      { selector: "ImportDeclaration[source.value='vscode'] > :matches(ImportNamespaceSpecifier, ImportDefaultSpecifier)", message: DOOR },
      { selector: ":matches(ExportAllDeclaration[source.value='vscode'], ImportExpression)", message: DOOR },
      { selector: `AssignmentExpression[left.property.name=/^(${SHOWN})$/]:not([left.object.type="ThisExpression"])`, message: DOOR },
      { selector: `ClassDeclaration[superClass.name="PlainRow"] AssignmentExpression[left.property.name=/^(${SHOWN})$/]`, message: DOOR },
      { selector: "AssignmentExpression[left.property.name='html']:not([right.callee.name='page'])", message: "A page has no text but its own: what is shown in it is sent to it." },
      { selector: "Literal[value=/^vscode\\.(diff|changes)$/]", message: DOOR },
      { selector: "Property[key.name=/^(isTrusted|supportHtml|supportThemeIcons|hoverMessage)$/]", message: "Markdown with text from outside runs no commands and draws no HTML." },
    ],
  },
};

const inViews = {
  files: ["webview/**/*.{ts,tsx}"],
  rules: {
    "no-restricted-syntax": [
      "error",
      { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Texts are drawn by React, which escapes them." },
      { selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]", message: "Texts are drawn by React, which escapes them." },
      { selector: "ImportDeclaration[source.value=/^rehype-raw/]", message: "Markdown is drawn without HTML." },
    ],
  },
};

export const OUTSIDE_TEXT = [inSources, inViews];
