"""The choice of an answer: as it is stored, as pages with swapped sides send it, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from webapp.labelling.models import OTHER_SIDE, SLIGHT, STRENGTH, Choice, LabelStudy

SLIGHTLY = "slight_"
"""Before a side, what pages send where that side is slightly better."""


def shown_choice(choice: str, swapped: bool) -> str:
    """A choice as it stands on a page whose sides may be swapped, and back."""
    return OTHER_SIDE.get(choice, choice) if swapped else choice


def is_slight(answer: Mapping[str, Any]) -> bool:
    """Whether a stored answer says that its side is slightly better."""
    return answer.get(STRENGTH) == SLIGHT


def stored_choice(choice: str, *, slight: bool = False) -> dict[str, Any]:
    """A choice as it is stored."""
    return {"choice": choice} | ({STRENGTH: SLIGHT} if slight else {})


def page_choice(answer: Mapping[str, Any], swapped: bool = False) -> str:
    """The choice of a stored answer as pages send it, "" for none."""
    choice = shown_choice(str(answer.get("choice", "")), swapped)
    return f"{SLIGHTLY}{choice}" if choice and is_slight(answer) else choice


def sent_choice(study: LabelStudy, sent: str, swapped: bool = False) -> dict[str, Any] | None:
    """What a page sent, as it is stored; None where it is none of the study's answers."""
    if sent not in page_choices(study):
        return None
    return stored_choice(shown_choice(sent.removeprefix(SLIGHTLY), swapped), slight=sent.startswith(SLIGHTLY))


def page_choices(study: LabelStudy) -> list[str]:
    """The answers of a study as pages send them; a slightly better side stands between the two sides."""
    plain = list(map(str, study.choices))
    slight = [f"{SLIGHTLY}{side}" for side in OTHER_SIDE] if study.has_slight else []
    return [*plain[:1], *slight, *plain[1:]]


def choice_label(choice: str, *, slight: bool = False) -> str:
    """A stored choice in words: `A`, or `slightly A`."""
    words = str(Choice(choice).label) if choice in Choice else choice
    return _("slightly %(side)s") % {"side": words} if slight else words
