"""Repairs: replies of a run that a model writes again until they pass, as conversations to learn from."""
