"""What the agent's newest message says to the person: the scripted traveller's ears, lent to them."""

from __future__ import annotations

from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.wishes import wishes
from benchmark.suites.grouptravel.view import View


def listening(view: View) -> Hearing:
    """What is heard with the wishes of the card as they stand now; with none where there is no card."""
    table = view.card.effective if view.card is not None else None
    return Hearing(view, wishes(table), language(view.language))


def is_meant(hearing: Hearing) -> bool:
    """Whether the agent's newest message is put to this traveller: by name, or to nobody by name."""
    text = hearing.message
    if any(text[: match.start()].endswith("@") for match in hearing.own.finditer(text)):
        return True
    return not any(text[: match.start()].endswith("@") for match in hearing.others.finditer(text))
