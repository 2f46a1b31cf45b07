"""The languages of symbols, each with its grammar and planact's query for it.

A grammar is loaded when a file of its language is read, by the process that reads it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar's module, the function in it, and the query in `queries/`."""

    module: str
    query: str
    function: str = "language"


GRAMMARS: dict[str, Grammar] = {
    "bash": Grammar("tree_sitter_bash", "bash"),
    "c": Grammar("tree_sitter_c", "c"),
    "c_sharp": Grammar("tree_sitter_c_sharp", "c_sharp"),
    "cpp": Grammar("tree_sitter_cpp", "cpp"),
    "go": Grammar("tree_sitter_go", "go"),
    "java": Grammar("tree_sitter_java", "java"),
    "javascript": Grammar("tree_sitter_javascript", "javascript"),
    "kotlin": Grammar("tree_sitter_kotlin", "kotlin"),
    "php": Grammar("tree_sitter_php", "php", "language_php"),
    "python": Grammar("tree_sitter_python", "python"),
    "ruby": Grammar("tree_sitter_ruby", "ruby"),
    "rust": Grammar("tree_sitter_rust", "rust"),
    "swift": Grammar("tree_sitter_swift", "swift"),
    "tsx": Grammar("tree_sitter_typescript", "typescript", "language_tsx"),
    "typescript": Grammar("tree_sitter_typescript", "typescript", "language_typescript"),
}

_ENDINGS = {
    "bash": "sh bash",
    "c": "c",
    "c_sharp": "cs",
    "cpp": "cpp cc cxx c++ hpp hh hxx h++ h ipp inl",
    "go": "go",
    "java": "java",
    "javascript": "js jsx mjs cjs",
    "kotlin": "kt kts",
    "php": "php",
    "python": "py pyi pyw",
    "ruby": "rb rake gemspec",
    "rust": "rs",
    "swift": "swift",
    "tsx": "tsx",
    "typescript": "ts mts cts",
}
_BY_ENDING = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}


def language_of(path: str) -> str | None:
    """Return the language of a file by the ending of its name; a header may be C or C++, and is read as C++."""
    return _BY_ENDING.get(path.rpartition(".")[2].lower()) if "." in path else None
