"""Words without a domain: spans, texts, paths, ids, time and errors. Knows nothing of plans or agents."""
