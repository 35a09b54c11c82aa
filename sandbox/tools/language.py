"""The languages in which tools describe themselves and report errors."""

from __future__ import annotations

from typing import Literal, NamedTuple

Language = Literal["zh", "en"]


class Says(NamedTuple):
    """One text in both languages. In the annotation of an argument it is the argument's description."""

    zh: str
    en: str

    def to(self, language: Language) -> str:
        """The text in a language."""
        return self.zh if language == "zh" else self.en
