"""Definitions and uses of names, by the syntax of source files, with tree-sitter's grammars."""
