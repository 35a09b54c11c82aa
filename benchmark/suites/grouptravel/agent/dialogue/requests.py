"""Requests to yield: how they are put, and what a reply to one means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmark.suites.grouptravel.agent.lexicon.phrases import phrases
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY

_LONGEST_REQUEST = 1_000
Answer = Literal["agreed", "refused", "unclear"]


@dataclass(frozen=True, slots=True)
class Request:
    """A traveller is asked to accept an item they dislike, or (item empty) to raise the budget to `value`."""

    user: str
    subject: str
    city: str | None
    item: str
    value: float = 0


def put(request: Request, others: tuple[str, ...], language: str) -> str:
    """The request in words: what clashes with whom, and exactly what to give up."""
    words = phrases(language)
    return words.requests["accept"].format(
        others=words.listed(others),
        user=request.user,
        item=request.item,
        want=words.wants[request.subject],
        refusal=words.refusals[request.subject],
        place=words.place.format(city=request.city) if request.city else "",
        dislike=words.dislikes[request.subject].format(item=request.item),
    )


def put_raise(request: Request, floor: float, budget: float, language: str) -> str:
    """The request to raise a budget that cannot hold. floor: CNY a person for the cheapest way there and back."""
    return (
        phrases(language)
        .requests["raise"]
        .format(floor=round(floor), user=request.user, budget=round(budget), value=round(request.value))
    )


def read_request(message: str, user: str, cities: tuple[str, ...], language: str) -> Request | None:
    """The request that a message of the agent puts to `user`, None when it puts none."""
    tail = message[message.rfind("@") :][:_LONGEST_REQUEST]
    words = phrases(language)
    raised = guarded.search(_as_pattern(words.requests["raise"]), tail)
    if raised:
        return Request(user, "budget", None, "", float(raised.group("value")))
    accept = _as_pattern(words.requests["accept"])
    for subject, dislike in words.dislikes.items():
        match = guarded.search(
            accept.replace("(?P<dislike>.*?)", guarded.escape(dislike).replace(r"\{item\}", "(?P=item)")),
            tail,
        )
        if match:
            place = match.group("place")
            city = next((city for city in cities if place == words.place.format(city=city)), None)
            return Request(user, subject, city, match.group("item"))
    return None


def _as_pattern(template: str) -> str:
    """The part of a template from its mention on, as a pattern with a group for each field, each once."""
    tail = guarded.escape(template[template.rindex("@") :])
    for name in set(guarded.findall(r"\\\{(\w+)\\\}", tail)):
        tail = tail.replace(rf"\{{{name}\}}", f"(?P<{name}>.*?)", 1).replace(rf"\{{{name}\}}", f"(?P={name})")
    return tail


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
