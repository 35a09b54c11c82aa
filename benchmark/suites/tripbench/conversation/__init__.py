"""A session: who speaks, what the user may say in a turn, and what becomes of the words."""
