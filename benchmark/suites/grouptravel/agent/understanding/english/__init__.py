"""Reading English: the same findings and caps as from Chinese, by words instead of characters."""

from benchmark.suites.grouptravel.agent.understanding.english.reader import read_english

__all__ = ["read_english"]
