"""Where names are defined and used, read off the syntax of source files by tree-sitter's grammars."""
