"""Calls of models: over a session's line, in a place at an endpoint, or with patience outside of a session."""
