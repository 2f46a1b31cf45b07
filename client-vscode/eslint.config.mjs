import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

import { OUTSIDE_TEXT } from "./lint/outside_text.mjs";

export default defineConfig(
  { ignores: ["dist/", "out/", "bundled/", "scripts/", "lint/", "eslint.config.mjs"] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test"] }] }],
    },
  },
  OUTSIDE_TEXT,
);
