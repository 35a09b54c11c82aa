"""Runs have no rows of their own: that of a run stands beside its sessions, in `webapp.sessions.models`."""
