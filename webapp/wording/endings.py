"""How a session ended."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.suites import DEFAULT_SUITE, SUITES
from webapp.pages import pages_of

_ENDINGS: dict[str, Promise] = {
    "context_overflow": _("It crashed: the agent's context was full."),
    "connection_error": _("It crashed: no model gave a usable answer."),
    "rate_limit": _("It crashed: a model refused further calls."),
    "runtime_error": _("It crashed: an error ended it."),
    "stopped": _("A researcher stopped it."),
    "deserted": _("Somebody left, and nobody takes the seat."),
}


def endings() -> dict[str, str]:
    """Every completion reason in words; of one that several benchmarks have, the words of the first."""
    own = [pages_of(suite).session.endings for suite in reversed(SUITES)]
    words_by_reason = {
        key: str(words) for words_of_ending in (*own, _ENDINGS) for key, words in words_of_ending.items()
    }
    return dict(sorted(words_by_reason.items(), key=lambda pair: pair[1]))


def ending_words(reason: str, suite: str = DEFAULT_SUITE) -> str:
    """A completion reason as a sentence; an unknown one in its own words."""
    return str(
        _ENDINGS.get(reason) or pages_of(suite).session.endings.get(reason) or reason.replace("_", " ")
    )
