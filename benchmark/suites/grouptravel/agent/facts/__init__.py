"""Answering what travellers ask: which tools to call, and what their results say."""
