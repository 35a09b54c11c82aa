"""Requests to yield: how they are put, and what a reply to one means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, is_venue, manner, phrases
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import CapField
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY

_LONGEST_REQUEST = 1_000
_SUBJECTS = {"venues": "food"}
Answer = Literal["agreed", "refused", "unclear"]


CAPS: Mapping[str, CapField] = {
    "budget": "avg_budget",
    "sights_a_day": "max_poi_per_day",
    "hours_a_day": "max_active_hours",
}
"""The limits that somebody may be asked to raise, by the subject of the request."""


@dataclass(frozen=True, slots=True)
class Request:
    """A traveller is asked to accept an item they dislike, or (item empty, subject of `CAPS`) to raise a limit to
    `value`.
    """

    user: str
    subject: str
    city: str | None
    item: str
    value: float = 0


def put(request: Request, others: tuple[str, ...], how: Asking, lead: str = "") -> str:
    """The request in words: what clashes with whom, unless `lead` has just told it, and what to accept."""
    words = how.words
    about = (
        ""
        if request.item in lead
        else how.pick(words.requests["accept"]).format(
            others=words.join_names(others),
            user=request.user,
            item=request.item,
            want=words.wants[manner(request.subject, request.item)],
            refusal=words.refusals[manner(request.subject, request.item)],
        )
    )
    place = words.place.format(city=request.city) if request.city else ""
    return _plea(about, request, how, item=request.item, place=place)


def put_raise(request: Request, cap: float, how: Asking, floor: float = 0) -> str:
    """The request to raise a limit that cannot hold. floor: CNY a person for the cheapest way there and back, 0
    where a plan breaks the limit.
    """
    value = f"{request.value:g}"
    about = how.pick(how.words.requests["fare" if floor else request.subject]).format(
        floor=round(floor), user=request.user, budget=f"{cap:g}", value=value
    )
    return _plea(about, request, how, value=value)


def _plea(about: str, request: Request, how: Asking, **values: str) -> str:
    words = how.words
    goes_there = request.subject == "food" and is_venue(request.item)
    plea = how.pick(words.pleas["venues" if goes_there else request.subject]).format(**values)
    return words.join([about, f"@{request.user} {plea}{words.asking}"])


@lru_cache(maxsize=1024)
def read_request(message: str, user: str, cities: tuple[str, ...], language: str) -> Request | None:
    """The request that a message of the agent puts to `user`, None when it puts none."""
    tail, words = message[message.rfind("@") :][:_LONGEST_REQUEST], phrases(language)
    for subject, plea in _pleas(words):
        match = guarded.match(rf"@\w+ {_as_pattern(plea)}{guarded.escape(words.asking)}", tail)
        if match and subject in CAPS:
            return Request(user, subject, None, "", float(match.group("value")))
        if match:
            place = match.groupdict().get("place")
            city = next((city for city in cities if place == words.place.format(city=city)), None)
            return Request(user, subject, city, match.group("item"))
    return None


def _pleas(words: Phrases) -> Iterator[tuple[str, str]]:
    subjects = ((_SUBJECTS.get(name, name), pleas) for name, pleas in words.pleas.items())
    return ((subject, plea) for subject, pleas in subjects for plea in pleas)


def _as_pattern(template: str) -> str:
    """A template as a pattern with a group for each field."""
    return guarded.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", guarded.escape(template))


def read_answer(reply: str, language: str) -> Answer:
    """Whether a reply to a request agrees. A refusal anywhere counts more than a polite yes."""
    words, reply = tongue(language), reply[:LONGEST_REPLY]
    refusal, consent = words.refuse.search(reply), words.agree.search(reply)
    if consent and refusal:
        holds = not words.turn.search(reply)
        return "agreed" if consent.start() < refusal.start() and holds else "refused"
    return "agreed" if consent else "refused" if refusal else "unclear"


def counter_offer(reply: str, language: str) -> float | None:
    """The amount that a reply names instead (最多加到两千), None without one."""
    words = tongue(language)
    texts = guarded.findall(words.numbers, reply[:LONGEST_REPLY], guarded.IGNORECASE)
    values = [value for text in texts if (value := words.number(text)) and value >= 100]
    return values[-1] if values else None
