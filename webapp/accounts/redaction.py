"""Keeps the tokens of sign-in links and of invitations out of logs."""

from __future__ import annotations

import logging
import re

_TOKEN = re.compile(r"(/(?:signin|join)/)[A-Za-z0-9_%-]+")


def without_tokens(text: str) -> str:
    """A text with `/signin/***` where it names the address of a link."""
    return _TOKEN.sub(r"\1***", text)


class TokenFilter(logging.Filter):
    """Keeps tokens out of what goes through Python's logging."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the line where it has to be; every line passes."""
        line = record.getMessage()
        if "/signin/" in line or "/join/" in line:
            record.msg, record.args = without_tokens(line), None
        return True
