"""What an editor shows of a plan, without any editor's types: spans, words and data. The LSP layer adds the URI."""
