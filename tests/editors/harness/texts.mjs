// Texts as a window shows them, and how they are looked for.

/** Playwright would compare strings without their case; as expressions they keep it. */
export function exactly(text) {
  return text instanceof RegExp ? text : new RegExp(escape(text));
}

/** As a line of an editor has it, whose blanks may be other ones. */
export function inLine(text) {
  return new RegExp(escape(text).replaceAll(" ", "[ \\u00a0]"));
}

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

export function spaces(text) {
  return text.replaceAll("\u00a0", " ");
}

export function tidy(text) {
  return spaces(text).replace(/\s+/g, " ").trim();
}

/** A text as VS Code shows it, without the character in it that is shown as nothing. */
export function looks(text) {
  return spaces(text).replaceAll("\u2060", "");
}
