// The components of VS Code's look that the view uses, and their types for JSX.
import "@vscode-elements/elements/dist/vscode-button/index.js";
import "@vscode-elements/elements/dist/vscode-progress-ring/index.js";

import type { VscodeButton } from "@vscode-elements/elements/dist/vscode-button/vscode-button.js";
import type { VscodeProgressRing } from "@vscode-elements/elements/dist/vscode-progress-ring/vscode-progress-ring.js";
import type { DetailedHTMLProps, HTMLAttributes } from "react";

type Custom<E, P extends keyof E = never> = DetailedHTMLProps<HTMLAttributes<E>, E> & { [K in P]?: E[K] | undefined };

declare module "react" {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      "vscode-button": Custom<VscodeButton, "secondary" | "disabled">;
      "vscode-progress-ring": Custom<VscodeProgressRing>;
    }
  }
}
