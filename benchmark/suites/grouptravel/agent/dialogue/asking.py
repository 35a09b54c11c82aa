"""How the agent puts what it asks: in which language, and in words that it has not worn out."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, phrases
from benchmark.suites.grouptravel.agent.lexicon.variety import least_said, was_said


@dataclass(frozen=True, slots=True)
class Asking:
    """How to put a question. turn: where to begin among equal wordings. earlier_text: what the agent said before."""

    turn: int
    language: str
    earlier_text: str = ""

    @property
    def words(self) -> Phrases:
        """The phrases to put it in."""
        return phrases(self.language)

    def pick(self, wordings: tuple[str, ...], beside: str = "") -> str:
        """The least worn of equal wordings. beside: the sentence before, whose wording is not said again."""
        others = tuple(wording for wording in wordings if not was_said(wording, beside))
        return least_said(others or wordings, self.earlier_text, self.turn)
