"""What the agent's newest message says to the person: the scripted traveller's ears, lent to them."""

from __future__ import annotations

from dataclasses import replace

from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing, hearing_of
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.wishes import wishes
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text.languages import spoken_in


def listening(view: GroupView) -> Hearing:
    """What is heard with the wishes of the card as they stand now; with none where there is no card."""
    table = view.card.effective if view.card is not None else None
    return hearing_of(view, wishes(table))


def for_words(text: str, hearing: Hearing) -> Hearing:
    """The same, with ears for the language of `text`: the person may write in another one than the agent."""
    code = spoken_in(text, hearing.view.language)
    return replace(hearing, language=language(code))


def is_meant(hearing: Hearing) -> bool:
    """Whether the agent's newest message is put to this traveller: by name, or to nobody by name."""
    text = hearing.message
    if any(text[: match.start()].endswith("@") for match in hearing.own.finditer(text)):
        return True
    return not any(text[: match.start()].endswith("@") for match in hearing.others.finditer(text))
