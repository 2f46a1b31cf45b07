// The pages for users as they are in the package: those of the server lie beside the guide, and links lead there.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, posix } from "node:path";

const BESIDE_DOCS = ["server/ARCHITECTURE.md", "server/planact/plan/rules/codes.md"];
const README = "client-vscode/README.md";
const PACKED_README = "readme.md"; // vsce names it so
const LINK = /(\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))/g;

/** Writes the pages below `packed`, a folder that has `docs/images`; `root` is the repository. Throws where a link leads out of it. */
export function writePages(root, packed) {
  const places = new Map([["client-vscode/docs/guide.md", "docs/guide.md"]]);
  for (const name of readdirSync(join(root, "server/docs"))) places.set(`server/docs/${name}`, `docs/${name}`);
  for (const page of BESIDE_DOCS) places.set(page, `docs/${basename(page)}`);
  const pages = [...places];
  for (const name of readdirSync(join(packed, "docs/images"))) places.set(`client-vscode/docs/images/${name}`, `docs/images/${name}`);
  places.set(README, PACKED_README);
  for (const [page, place] of pages) writeFileSync(join(packed, place), turned(root, page, place, places));
}

function turned(root, page, place, places) {
  return readFileSync(join(root, page), "utf8").replace(LINK, (link, before, path, anchor = "") => {
    const target = posix.join(posix.dirname(page), path);
    const found = places.get(target);
    if (found === undefined) throw new Error(`${page} links to ${target}, which isn't in the package.`);
    return `${before}${posix.relative(posix.dirname(place), found)}${anchor}`;
  });
}
