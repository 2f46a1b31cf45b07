"""Views of a plan for editors, without any editor's types: spans, words and data. The LSP layer adds the URI."""
