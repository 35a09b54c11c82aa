"""What the agent believes of one traveller: a preference table in the making."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmark.suites.grouptravel.agent.understanding.topics import Cap, Finding, Tier, Topic

_POSITIVE = frozenset({"must", "prefer"})
Slot = tuple[str, str | None, str]
"""Where an item stands: subject, city, and the name of the list in the published table."""


def slot_of(finding: Finding, city: str | None) -> Slot:
    """The list of the published table that a finding belongs to."""
    likes = finding.tier in _POSITIVE
    subject = finding.subject
    if subject == "hotels":
        return subject, None, "prefer" if likes else "avoid"
    if subject == "sights":
        return subject, city, "must_visit" if likes else "reject_visit"
    if subject == "categories":
        return subject, city, "positive" if likes else "negative"
    return (subject, city, f"{finding.tier}_eat") if subject == "food" else (subject, None, finding.tier)


def likes(slot: Slot) -> bool:
    """Whether a list holds what is wished for."""
    return slot[2].split("_")[0] in {"must", "prefer", "positive"}


def weight(slot: Slot) -> int:
    """What satisfying or violating one item of a list is worth: 2 for the strong tiers, else 1."""
    return 2 if slot[2].split("_")[0] in {"must", "reject"} and slot[0] != "hotels" else 1


@dataclass(slots=True)
class Belief:
    """One traveller. items: lists of the table. caps: scalars. open_ended: topics that are declared free.

    asked: how often each topic was asked. answered: topics whose last question drew something understood.
    unplaced: findings about a place or dish of no known city.
    """

    items: dict[Slot, list[str]] = field(default_factory=dict)
    caps: dict[str, float] = field(default_factory=dict)
    open_ended: set[Topic] = field(default_factory=set)
    asked: dict[Topic, int] = field(default_factory=dict)
    answered: set[Topic] = field(default_factory=set)
    unplaced: list[Finding] = field(default_factory=list)

    def add(self, finding: Finding, city: str | None) -> None:
        """Takes in a finding; what was said before to the contrary about the same item goes."""
        slot = slot_of(finding, city)
        for other in self._lists_beside(slot):
            if likes(other) != likes(slot) and finding.item in self.items[other]:
                self.items[other].remove(finding.item)
        held = self.items.setdefault(slot, [])
        if finding.item not in held:
            held.append(finding.item)

    def _lists_beside(self, slot: Slot) -> list[Slot]:
        return [other for other in self.items if other[:2] == slot[:2]]

    def cap(self, cap: Cap) -> None:
        """Takes in a cap; the latest holds."""
        self.caps[cap.field] = cap.value

    def drop(self, subject: str, city: str | None, item: str, liked: bool) -> None:
        """Removes an item from the lists that hold it as liked, or as disliked."""
        for slot, held in self.items.items():
            if slot[:2] == (subject, city) and likes(slot) == liked and item in held:
                held.remove(item)

    def settles(self, topic: Topic) -> bool:
        """Whether so much is known without asking that a question would bring little: a cap, or for transport and
        hotels something liked and something disliked."""
        if topic.subject in {"budget", "intensity"}:
            return self.holds(topic)
        sides = {likes(slot) for slot, held in self.items.items() if slot[0] == topic.subject and held}
        return topic.subject in {"transport", "hotels"} and len(sides) == 2

    def holds(self, topic: Topic) -> bool:
        """Whether anything is known about a topic."""
        if topic.subject == "budget":
            return "avg_budget" in self.caps
        if topic.subject == "intensity":
            return {"max_poi_per_day", "max_active_hours"} <= set(self.caps)
        return any(held for slot, held in self.items.items() if slot[:2] == (topic.subject, topic.city))


def published(belief: Belief, cities: tuple[str, ...]) -> dict[str, Any]:
    """The table in the published shape. Caps that nobody stated are left out; lists stay, empty."""
    caps = {name: int(value) if value == int(value) else value for name, value in belief.caps.items()}
    budget = {"avg_budget": caps.pop("avg_budget")} if "avg_budget" in caps else {}
    intensity = {name: caps[name] for name in ("max_poi_per_day", "max_active_hours") if name in caps}
    tiers: tuple[Tier, ...] = ("must", "prefer", "avoid", "reject")
    return {
        "global_constraints": {
            **budget,
            "transport": {tier: _held(belief, "transport", None, tier) for tier in tiers},
            "intensity": intensity,
            "hotel_preference": {tier: _held(belief, "hotels", None, tier) for tier in ("prefer", "avoid")},
        },
        "city_specific_preferences": {city: _city_table(belief, city, tiers) for city in cities},
    }


def _city_table(belief: Belief, city: str, tiers: tuple[Tier, ...]) -> dict[str, Any]:
    return {
        "attractions": {
            **{name: _held(belief, "sights", city, name) for name in ("must_visit", "reject_visit")},
            "category_pref": {
                name: _held(belief, "categories", city, name) for name in ("positive", "negative")
            },
        },
        "food": {f"{tier}_eat": _held(belief, "food", city, f"{tier}_eat") for tier in tiers},
    }


def _held(belief: Belief, subject: str, city: str | None, name: str) -> list[str]:
    return list(belief.items.get((subject, city, name), ()))
