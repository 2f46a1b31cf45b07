// How well the extension's own colours in the workbench stand out, as the guidelines for accessible content reckon it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./rig.mjs";

const ENOUGH = { text: 4.5, picture: 3 };

/** What stands out too little, one line each: the mode in the status bar, icons in the trees in view, marks beside the steps. */
export async function faintColours(bench, mode) {
  const status = await colours(bench.page.locator(".part.statusbar .statusbar-item-label").filter({ hasText: new RegExp(`^\\s*${mode}\\b`) }));
  const icons = await colours(bench.page.locator(".sidebar .monaco-list-row .custom-view-tree-node-item-icon.codicon"));
  const marks = await colours(bench.page.locator(".glyph-margin-widgets .cgmr, .margin-view-overlays .cgmr"));
  const drawn = marks.flatMap(({ image, ground }) => drawnIn(image).map((colour) => ({ name: image, colour, ground, least: ENOUGH.picture })));
  const seen = [
    ...status.map((each) => ({ ...each, name: `the mode ${mode}`, least: ENOUGH.text })),
    ...icons.map((each) => ({ ...each, least: ENOUGH.picture })),
    ...drawn,
  ];
  const faint = seen.filter(({ colour, ground, least }) => contrast(parsed(colour), parsed(ground)) < least);
  return { counts: { status: status.length, icons: icons.length, marks: drawn.length }, faint: faint.map(({ name, colour, ground }) => `${name}: ${colour} on ${ground}`) };
}

/** The colour of each element, and the first that is painted behind it. */
function colours(found) {
  return found.evaluateAll((elements) =>
    elements.map((element) => {
      let behind = element;
      while (behind.parentElement && /^(?:transparent|rgba\(.*, 0\))$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
      const { color, backgroundImage } = getComputedStyle(element);
      const image = /step-\w+-\w+\.svg/.exec(decodeURIComponent(backgroundImage))?.[0] ?? "";
      return { name: element.className, colour: color, ground: getComputedStyle(behind).backgroundColor, image };
    }),
  );
}

function drawnIn(image) {
  if (!image) return [];
  const text = readFileSync(join(root, "client-vscode", "icons", image), "utf8");
  return [...new Set(text.match(/#[0-9a-fA-F]{6}\b/g))];
}

function parsed(colour) {
  const parts = colour.startsWith("#") ? colour.match(/[0-9a-fA-F]{2}/g).map((part) => parseInt(part, 16)) : colour.match(/[\d.]+/g).map(Number);
  return parts.slice(0, 3);
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
