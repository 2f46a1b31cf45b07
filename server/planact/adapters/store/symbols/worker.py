"""A program that makes outlines of source files, by the grammars of their languages.

It is a process of its own because grammars are C code that reads untrusted text: where one never ends, or crashes, only
this process ends, and no other waits for the interpreter's lock meanwhile.
"""

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.pinned_folder import pinned_entry
from planact.adapters.store.symbols.languages import GRAMMARS
from planact.adapters.store.symbols.outline import LARGEST_SOURCE, REFERENCE
from planact.base.filetext import decode_text

_LONGEST_NAME = 200


def outline(language: str, source: bytes) -> str:
    """Return the outline of a text in UTF-8, however broken it is; lines count from 1."""
    parsed, query = _grammar(language)
    captures = QueryCursor(query).captures(Parser(parsed).parse(source).root_node)
    lines: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    seen: set[int] = set()
    for kind in sorted(captures, key=lambda kind: (kind == REFERENCE, kind)):
        for node in captures[kind]:
            start = node.start_byte
            if start in seen:
                continue
            seen.add(start)
            name = source[start : node.end_byte].decode("utf-8", "replace")
            if name and len(name) <= _LONGEST_NAME and "\n" not in name and "\t" not in name:
                lines[name, kind].append(node.start_point.row + 1)
    entries = (f"{name}\t{kind}\t{','.join(map(str, sorted(set(at))))}\n" for (name, kind), at in sorted(lines.items()))
    return "\n" + "".join(entries)


def definitions(language: str, source: bytes) -> list[tuple[list[str], int, int, list[str]]]:
    """Return the definitions in a text in UTF-8, in order: their names behind those of the definitions around them,
    their first and last line, and the words of their heads and of those around them.
    """
    parsed, query = _grammar(language)
    captures = QueryCursor(query).captures(Parser(parsed).parse(source).root_node)
    names = [node for kind in captures.keys() - {REFERENCE} for node in captures[kind]]
    found: dict[int, tuple[Node, str]] = {}
    for name in sorted(names, key=lambda node: node.start_byte):
        node = _definition_of(name)
        found.setdefault(node.id, (node, _text(name.start_byte, name.end_byte, source)))
    return [_definition(node, found, source) for node, _ in found.values()]


_PARTS = ("name", "declarator", "left", "pattern", "definition", "declaration")
"""Fields of a definition that hold its name, or it without what decorates it."""


def _definition_of(name: Node) -> Node:
    node = name
    while (parent := node.parent) is not None and parent.parent is not None:
        held = [parent.child_by_field_name(field) for field in _PARTS]
        if node.id != name.id and all(part is None or part.id != node.id for part in held):
            break
        node = parent
    return node


def _definition(
    node: Node, found: Mapping[int, tuple[Node, str]], source: bytes
) -> tuple[list[str], int, int, list[str]]:
    names, words = [], set[str]()
    above: Node | None = node
    while above is not None:
        if above.id in found:
            names.append(found[above.id][1])
        body = above.child_by_field_name("body")
        if body is not None:
            words.update(re.findall(r"\w+", _text(above.start_byte, body.start_byte, source)))
        above = above.parent
    first = node
    while (before := first.prev_sibling) is not None and ("comment" in before.type or before.type == "attribute_item"):
        if before.end_point.row + 1 < first.start_point.row:
            break
        first = before
    return names[::-1], first.start_point.row + 1, node.end_point.row + (node.end_point.column > 0), sorted(words)


def _text(start: int, end: int, source: bytes) -> str:
    return source[start:end].decode("utf-8", "replace")


@cache
def _grammar(name: str) -> tuple[Language, Query]:
    """Return the grammar, and the query on its trees."""
    chosen = GRAMMARS[name]
    language = Language(getattr(import_module(chosen.module), chosen.function)())
    return language, Query(language, (Path(__file__).parent / "queries" / f"{chosen.query}.scm").read_text("utf-8"))


MOST_MEMORY = 512_000_000
"""Bytes. The largest file that a person wrote takes a tenth of it."""


def main() -> None:
    """Read tasks from standard input, and write an answer to each as soon as there is one; both are lines of JSON.

    First comes a name: files without it in their text are skipped; null = the definitions are wanted, as JSON, in
    place of the outlines. Tasks are `[path, language,
    SHA-256 of the file when its outline was made or "", text or null]`; answers are `[state, SHA-256, outline]`.
    """
    _limit()
    name = json.loads(sys.stdin.buffer.readline())
    root = Path.cwd()
    for line in sys.stdin.buffer:
        sys.stdout.write(f"{json.dumps(_answer(root, name, *json.loads(line)))}\n")
        sys.stdout.flush()
    os._exit(0)


def _limit() -> None:
    """Limit the memory, since a source text can be made so that a grammar would take gigabytes for it. A crash leaves
    no core dump either, which would lie in the workspace.
    """
    if sys.platform != "win32":
        import resource

        for limit, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CORE, 0)):
            with suppress(OSError, ValueError):  # it is lower already, or can't be set
                resource.setrlimit(limit, (most, most))


def _answer(root: Path, name: str | None, path: str, language: str, known: str, text: str | None) -> tuple[Any, ...]:
    sha256 = ""
    if text is None:
        try:
            with pinned_entry(root, root / path) as pinned:
                file = decode_text(read_regular(pinned, LARGEST_SOURCE))
        except OSError:
            return ("unreadable", "", "")
        if file is None:
            return ("unreadable", "", "")
        if file.sha256 == known:
            return ("same", known, "")
        text, sha256 = file.text, file.sha256
    source = text.encode("utf-8", "replace")
    if name is None:
        return ("read", sha256, json.dumps(definitions(language, source)))
    if name not in text:
        return ("skipped", "", "")
    return ("read", sha256, outline(language, source))


if __name__ == "__main__":
    main()
