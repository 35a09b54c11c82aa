"""Keeps the tokens of sign-in links out of logs."""

from __future__ import annotations

import logging
import re

_TOKEN = re.compile(r"(/signin/)[A-Za-z0-9_%-]+")


class TokenFilter(logging.Filter):
    """Writes `/signin/***` where a line names the address of a link."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the line where it has to be; every line passes."""
        line = record.getMessage()
        if "/signin/" in line:
            record.msg, record.args = _TOKEN.sub(r"\1***", line), None
        return True
