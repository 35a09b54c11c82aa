"""The built-in agent: needs no model, understands by lexicon and tone, plans by search."""
