"""Sets of tools, one a folder."""
