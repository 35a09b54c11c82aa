"""What the reference agent knows of a language: words, cues of tone, and its own phrases, as data."""

from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon
from benchmark.suites.grouptravel.agent.lexicon.zh import ZH

LEXICONS: dict[str, Lexicon] = {"zh": ZH}


def lexicon(language: str) -> Lexicon:
    """The lexicon of a language; Chinese, the language of the published data, where there is none yet."""
    return LEXICONS.get(language, ZH)


__all__ = ["lexicon"]
