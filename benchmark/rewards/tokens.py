"""The tokens of servers for programs that train models."""

from __future__ import annotations

import os
from pathlib import Path

SHORTEST_TOKEN = 16


def read_token(path: Path | None, variable: str) -> str:
    """What a file holds, or an environment variable. Raises ValueError where that is no token, OSError."""
    token = (path.read_text("utf-8") if path else os.environ.get(variable, "")).strip()
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        where = str(path) if path else f"--token-file, {variable}"
        raise ValueError(
            f"{where}: give a token of at least {SHORTEST_TOKEN} letters and digits, as openssl rand -hex 16 makes"
        )
    return token
