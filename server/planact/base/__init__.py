"""Words without a domain: spans, texts, paths, ids, time and errors. Knows neither plans nor agents."""
