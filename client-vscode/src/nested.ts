// Turns dotted names into nested objects.

/** `[["a.b", 1], ["c", undefined]]` becomes `{a: {b: 1}}`. */
export function nested(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const [first, second] = name.split(".", 2) as [string, string?];
    root[first] = second === undefined ? value : { ...(root[first] as object | undefined), [second]: value };
  }
  return root;
}
