"""Whether words agree to give something up: a card changes by its marker alone, and such words would mislead.

The words of people and of models in travellers' seats are heard by the same expressions, in both languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from benchmark.suites.grouptravel.conversation.markers import find_marker
from benchmark.suites.grouptravel.travellers.people.listening import for_words, listening
from benchmark.suites.grouptravel.travellers.people.offers import Offer, may_yield, offers
from benchmark.suites.grouptravel.travellers.people.wording import LANGUAGES, texts
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE

_CLAUSE = guarded.compile(r"[^。！？!?；;，\n]+")


def agreed_offers(view: GroupView, text: str) -> tuple[Offer, ...]:
    """The changes of the card that `text` agrees to without a marker, none where it refuses or nothing was asked for.

    They are those that `text` itself names, else those that the agent's newest message asks for.
    """
    said = text[-LONGEST_MESSAGE:]
    if may_yield(view) or find_marker(said) is not None or _heard("refuses", said):
        return ()
    all_offers = offers(view)
    own = list(_named_offers(said, all_offers, listening(view)))
    if own:
        return tuple(offer for offer in all_offers if offer in own)
    return tuple(offer for offer in all_offers if offer.asked) if _heard("agrees", said) else ()


def _named_offers(text: str, all_offers: Iterable[Offer], hearing: Hearing) -> Iterator[Offer]:
    """What the words give up by its name, or the limit that they raise, where they answer a request to give way."""
    if "compromise" not in hearing.kinds.values():
        return
    hearing = for_words(text, hearing)
    for clause in _CLAUSE.findall(text):
        named = {mention.name for mention in hearing.mentions(clause)}
        ways = {"drop": _heard("drops", clause), "allow": _heard("allows", clause)}
        for offer in all_offers:
            if offer.act == "raise":
                if any(value == offer.value for value, _, _ in hearing.figures(clause, offer.topic)):
                    yield offer
            elif offer.item in named and ways.get(offer.act):
                yield offer


def _heard(what: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in _patterns(what))


@cache
def _patterns(what: str) -> tuple[guarded.Pattern, ...]:
    return tuple(_compile_patterns(what))


def _compile_patterns(what: str) -> Iterator[guarded.Pattern]:
    for code in LANGUAGES:
        yield guarded.compile(str(texts(code, "agreeing")[what]), guarded.IGNORECASE)
