"""Make outlines by the grammars of languages; imported by worker processes alone."""

from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

from tree_sitter import Language, Parser, Query, QueryCursor

from planact.adapters.store.symbols.languages import GRAMMARS
from planact.adapters.store.symbols.outline import REFERENCE

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


@cache
def _grammar(name: str) -> tuple[Language, Query]:
    """Return the grammar, and the query on its trees."""
    chosen = GRAMMARS[name]
    language = Language(getattr(import_module(chosen.module), chosen.function)())
    return language, Query(language, (Path(__file__).parent / "queries" / f"{chosen.query}.scm").read_text("utf-8"))
