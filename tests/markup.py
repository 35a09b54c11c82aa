"""Markup without the white space that no reader sees: tests ask for what is shown, not for how a template is set."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

_BLOCKS = (
    "article|aside|body|br|caption|dd|details|div|dl|dt|fieldset|footer|form|h[1-6]|head|header|html|legend|li|link"
    "|main|meta|nav|noscript|ol|option|p|pre|script|section|select|summary|table|tbody|td|th|thead|title|tr|ul"
)
_TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')
"""Random letters, which may happen to be any word that a test looks for."""
_INVISIBLE_SPACE = re.compile(
    rf"\s*\n\s*(?=</|<(?:{_BLOCKS})\b)|(</?(?:{_BLOCKS})\b[^>]*>|<\w[^>]*>)\s*\n\s*"
)


def tight(html: str) -> str:
    """Without tokens, and without line breaks beside a block and inside of tags; others are one space."""
    html = re.sub(r"\s*\n\s*>", ">", _TOKEN.sub("", html))
    return re.sub(r"\s*\n\s*", " ", _INVISIBLE_SPACE.sub(lambda found: found.group(1) or "", html)).strip()


def text(response: Any) -> str:
    """A page as it stands in the source, without escapes and such white space."""
    return unescape(tight(response.content.decode()))


def words_of(html: str) -> str:
    """What stands on a page, a space between two parts: cells, links, blocks."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())
