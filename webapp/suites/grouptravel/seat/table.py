"""The card of a traveller, what they can say and give up at their turn, and what is checked before they send it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.markers import find_marker, mention_pattern
from benchmark.suites.grouptravel.conversation.state import QUOTA
from benchmark.suites.grouptravel.conversation.views import ViewFold
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.travellers.people.agreeing import agreed_offers
from benchmark.suites.grouptravel.travellers.people.card_words import CardLine, card_lines, lines_with
from benchmark.suites.grouptravel.travellers.people.clashes import Clash, clashes
from benchmark.suites.grouptravel.travellers.people.disclosures import unasked_facts
from benchmark.suites.grouptravel.travellers.people.offers import (
    Offer,
    custom_raise,
    may_yield,
    message,
    offers,
    words,
)
from benchmark.suites.grouptravel.travellers.people.replies import replies
from benchmark.suites.grouptravel.view import GroupView
from webapp.pages import WordCheck
from webapp.wording.lists import join_items

RAISE = "raise"
MOST_AGREED = 3
"""Changes that are asked about where words agree to something."""


@dataclass(frozen=True)
class Line:
    """One line of a card. was: what it said before a compromise, "" where nothing has changed. clash: why the agent's
    newest message goes against it, "" where it does not.
    """

    text: str
    was: str = ""
    clash: str = ""


@dataclass(frozen=True)
class Choice:
    """What a person can give up. key: names it in the form. before, after: the line of the card."""

    key: str
    label: str
    asked: bool
    words: str
    before: str
    after: str


def view_of(fold: ViewFold) -> GroupView:
    """What the traveller knows now. Before their first turn it is as if they were polled."""
    if fold.turn is None:
        fold.turn = TurnGranted(speaker=fold.me, kind="polled", place="lap")
    return fold.view()


def card(fold: ViewFold, language: str, places: Any) -> dict[str, Any]:
    """The person's own table in plain words, a group for the whole trip and one a city."""
    if fold.card is None or fold.opening is None:
        return {}
    opened = fold.opening
    now = {line.path: line for line in card_lines(fold.effective, language)}
    first = {line.path: line for line in card_lines(fold.card.preference, language)}
    clashes = {clash.path: _clash_words(clash) for clash in _clashes(fold, places)}
    groups: dict[str, list[Line]] = {}
    for path, line in {**first, **now}.items():
        groups.setdefault(line.city, []).append(_line(path, now, first, clashes))
    return {
        "role": fold.card.role,
        "opened": opened,
        "groups": list(groups.items()),
        "compromises_left": max(0, QUOTA - fold.applied),
        "compromisable": fold.card.compromisable,
        "clashes": list(dict.fromkeys(clashes.values())),
    }


def _line(
    path: str, now: Mapping[str, CardLine], first: Mapping[str, CardLine], clashes: Mapping[str, str]
) -> Line:
    is_now = now[path].text if path in now else _("given up")
    was = first[path].text if path in first and first[path].text != is_now else ""
    return Line(is_now, was, clashes.get(path, ""))


def _clashes(fold: ViewFold, places: Any) -> Sequence[Clash]:
    """What the agent's newest message goes against, unless this traveller has spoken since."""
    for said in reversed(fold.messages):
        if said.role == fold.me:
            return ()
        if said.role == AGENT:
            return clashes(view_of(fold), said.content, places)
    return ()


def _clash_words(clash: Clash) -> str:
    match clash.kind:
        case "refused":
            return _("The assistant proposes %(item)s, which you refuse.") % {"item": clash.item}
        case "limit":
            return _("The assistant's proposal goes beyond your limit.")
    return _("The assistant's proposal leaves out %(item)s.") % {"item": clash.item}


def turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """What can be said with one tap, and given up where that is asked for."""
    view = view_of(fold)
    asked = view.turn.solicited
    why_not = may_yield(view)
    given_up = offers(view) if not why_not else ()
    choices = list(_choices(view, given_up, language))
    said = replies(view)
    return {
        "replies": said,
        "asked_to_yield": any(choice.asked for choice in choices),
        "declining": said[-1].text,
        "mentioned": view.turn.kind == "mentioned",
        "solicited": asked,
        "may_yield": not why_not,
        "why_not_yield": _why_not(why_not),
        "choices": choices,
        "raises": _raises(view, given_up, language),
        "problem": _problem(view.turn.problem),
    }


def _choices(view: GroupView, given_up: Sequence[Offer], language: str) -> Iterator[Choice]:
    if view.card is None:
        return
    table, nothing = view.card.effective, _("nothing")
    before = {line.path: line.text for line in card_lines(table, language)}
    after = lines_with(table, ((offer.path, offer.value) for offer in given_up), language)
    for offer, line in zip(given_up, after, strict=True):
        now, then = before.get(offer.path, nothing), line.text if line else nothing
        yield Choice(_key(offer), _label(offer), offer.asked, words(offer, language), now, then)


def _raises(view: GroupView, given_up: Sequence[Offer], language: str) -> list[tuple[str, str]]:
    """The caps that a person may raise to a figure of their own: the path and the line."""
    paths = dict.fromkeys(offer.path for offer in given_up if offer.act == RAISE)
    if not paths or view.card is None:
        return []
    lines = {line.path: line.text for line in card_lines(view.card.effective, language)}
    return [(path, lines.get(path, path)) for path in paths]


def _key(offer: Offer) -> str:
    return f"{offer.path}|{offer.act}|{offer.item}|{offer.value}"


def _label(offer: Offer) -> str:
    names = {"item": offer.item, "value": offer.value, "was": offer.was}
    match offer.act:
        case "drop":
            return _("do without %(item)s") % names
        case "allow":
            return _("put up with %(item)s") % names
        case "swap":
            return _("take %(value)s instead") % {"value": _value(offer.value)}
    return _("from %(was)s to %(value)s") % names


def _value(value: Any) -> str:
    return join_items(value) if isinstance(value, list) else str(value)


def _why_not(reason: str) -> str:
    return {
        "quota": _("You have given way twice already, and need not do so again."),
        "not_allowed": _("Your card says that you do not give way."),
    }.get(reason, "")


def _problem(problem: str) -> str:
    return {
        "unsolicited": _("Nobody has asked you to change your wishes, so the part in brackets was ignored."),
        "unresolvable": _(
            "The part in brackets names none of your wishes. Choose what to change from the list."
        ),
        "over_quota": _("You have given way twice already, so the part in brackets was ignored."),
        "not_allowed": _("Your card says that you do not give way, so the part in brackets was ignored."),
        "unknown_field": _(
            "The part in brackets names none of your wishes. Choose what to change from the list."
        ),
    }.get(problem, "")


def check(fold: ViewFold, text: str, chosen: Mapping[str, str], language: str) -> WordCheck:
    """Whether words can be sent, what of the card they tell although nobody asked, and what they alone give up.

    language: of the page, `zh` or `en`.
    """
    if fold.opening is None:
        return WordCheck()
    users = [member.name for member in fold.opening.travellers]
    named = mention_pattern(users).findall(text)
    others = [name for name in named if name != AGENT]
    if others:
        words_ = _("You can only address the assistant. Write %(name)s without the sign @.")
        return WordCheck(words_ % {"name": others[0]})
    if len(named) > 1:
        return WordCheck(_("Address the assistant once: one @Agent is enough."))
    view = view_of(fold)
    given_up = () if chosen.get("offer") else agreed_offers(view, text)[:MOST_AGREED]
    return WordCheck(
        revelations=unasked_facts(view, text), agreements=list(_choices(view, given_up, language))
    )


def words_in(text: str) -> str:
    """What is said of a message as it is sent: without a marker at its end."""
    marker = find_marker(text)
    return text if marker is None else marker.text


def compose(fold: ViewFold, text: str, chosen: Mapping[str, str]) -> str:
    """The words, with the change of the table that was chosen beside them, as a traveller writes it.

    Raises:
        ValueError: what was chosen can't be given up (any more).
    """
    key = chosen.get("offer", "")
    if not key:
        return text
    view = view_of(fold)
    if why := may_yield(view):
        raise ValueError(
            _why_not(why) or _("The assistant is not asking you to give way now. Send your message alone.")
        )
    offer = _own_figure(view, chosen) if key == RAISE else None
    offer = offer or next((each for each in offers(view) if _key(each) == key), None)
    if offer is None:
        raise ValueError(_("This can no longer be given up. Choose again."))
    language = "zh" if view.language == "zh" else "en"
    return message(text.strip() or words(offer, language), offer, view)


def _own_figure(view: GroupView, chosen: Mapping[str, str]) -> Offer:
    try:
        figure = float(chosen.get("figure", "").replace(",", ""))
    except ValueError:
        raise ValueError(_("Write the new limit as a number.")) from None
    offer = custom_raise(view, chosen.get("path", ""), figure)
    if offer is None:
        raise ValueError(_("The new limit must be higher than the present one."))
    return offer
