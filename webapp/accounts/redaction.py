"""Keeps the tokens of sign-in links, of invitations, of panels and of programs out of logs."""

from __future__ import annotations

import logging
import re

_TOKEN = re.compile(r"(/(?:signin|join|annotate/panel)/|\bcaravan_(?=[\w-]{40}))[A-Za-z0-9_%-]+")
"""Tokens of programs belong into a header, and yet some are put into an address."""
_MARKS = ("/signin/", "/join/", "/annotate/panel/", "caravan_")


def without_tokens(text: str) -> str:
    """A text with `/signin/***` where it names the address of a link, and `caravan_***` for a program's token."""
    return _TOKEN.sub(r"\1***", text)


class TokenFilter(logging.Filter):
    """Keeps tokens out of what goes through Python's logging."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the line where it has to be; every line passes."""
        line = record.getMessage()
        if any(mark in line for mark in _MARKS):
            record.msg, record.args = without_tokens(line), None
        return True
