"""How the agent puts what it asks: in which language, and in words that it has not worn out."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, phrases
from benchmark.suites.grouptravel.agent.lexicon.variety import least_said


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

    def pick(self, wordings: tuple[str, ...]) -> str:
        """The least worn of equal wordings."""
        return least_said(wordings, self.earlier_text, self.turn)
