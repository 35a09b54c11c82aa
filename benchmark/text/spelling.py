"""Names that people wrote in several programs: one name however its characters are composed."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

from benchmark.remarks import Remark, gettext_noop

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
"""Characters of no width, which copying and byte order marks leave behind."""
_SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u3000"), " ")
"""Spaces that look like the usual one, or stand for it where lines must not break."""
JOINED_SPELLINGS = gettext_noop("written in several ways and counted as one: %(ways)s")
MOST_TOLD = 20


def plain(text: str) -> str:
    """A name as it is compared: composed (NFC), without characters of no width and outer space, with usual spaces."""
    if text.isascii():
        return text.strip()
    return normalize("NFC", text.translate(_INVISIBLE | _SPACES)).strip()


class Spellings:
    """What names of one kind were written like, to tell which of them were taken as one."""

    def __init__(self) -> None:
        self._ways: dict[str, dict[str, None]] = {}

    def plain(self, text: str) -> str:
        """The name that is compared; how it was written is kept."""
        plain_text = plain(text)
        ways = self._ways.get(plain_text)
        if ways is None:
            self._ways[plain_text] = {text: None}
        else:
            ways[text] = None
        return plain_text

    @property
    def remarks(self) -> list[Remark]:
        """A sentence for each name that was written in several ways; escapes show what looks alike."""
        several = [tuple(ways) for ways in self._ways.values() if len(ways) > 1]
        return [
            Remark(JOINED_SPELLINGS, {"ways": ", ".join(map(ascii, ways))}) for ways in several[:MOST_TOLD]
        ]


class FieldSpellings:
    """What the names of several fields were written like."""

    def __init__(self) -> None:
        self._fields: dict[str, Spellings] = {}

    def of(self, field: str) -> Spellings:
        """Those of one field."""
        return self._fields.setdefault(field, Spellings())

    def plain(self, field: str, text: str) -> str:
        """The name of a field that is compared; how it was written is kept."""
        return self.of(field).plain(text)

    @property
    def remarks(self) -> list[Remark]:
        """A sentence for each name that was written in several ways, with its field."""
        return list(self._remarks())

    def _remarks(self) -> Iterator[Remark]:
        for field, own in self._fields.items():
            for remark in own.remarks:
                yield Remark("%(field)s, %(words)s", {"field": field, "words": remark})
