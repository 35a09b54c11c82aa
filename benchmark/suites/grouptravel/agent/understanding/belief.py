"""What the agent believes of one traveller: a preference table in the making."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.agent.understanding.topics import Cap, Finding, Topic
from benchmark.suites.grouptravel.preferences import FIELD, FIELDS, PreferenceField, table_of

_TOPICS: dict[str, str] = {
    "transport": "transport",
    "hotels": "hotel",
    "sights": "attraction_name",
    "categories": "attraction_category",
    "food": "food",
}
_SUBJECTS = {topic: subject for subject, topic in _TOPICS.items()}


class Slot(NamedTuple):
    """Where an item stands: a list of the published table, for a city where the subject has one."""

    subject: str
    city: str | None
    field: PreferenceField


def slot_of(finding: Finding, city: str | None) -> Slot:
    """The list that a finding belongs to: that of its tier, else the only one of those who like or dislike."""
    positive = finding.tier in ("must", "prefer")
    topic = _TOPICS[finding.subject]
    fields = [f for f in FIELDS if f.topic == topic and f.positive is positive]
    own = next((f for f in fields if f.tier == finding.tier), fields[0])
    return Slot(finding.subject, city if own.scope == "city" else None, own)


@dataclass(slots=True)
class Belief:
    """One traveller. items: lists of the table. caps: scalars. open_ended: topics that are declared free.

    times_asked: how often each topic was asked. answered_topics: topics whose last question drew something
    understood. unplaced_findings: findings about a place or dish of no known city.
    """

    items: dict[Slot, list[str]] = field(default_factory=dict)
    caps: dict[str, float] = field(default_factory=dict)
    open_ended: set[Topic] = field(default_factory=set)
    times_asked: dict[Topic, int] = field(default_factory=dict)
    answered_topics: set[Topic] = field(default_factory=set)
    unplaced_findings: list[Finding] = field(default_factory=list)

    def add(self, finding: Finding, city: str | None) -> None:
        """Takes in a finding; what was said before to the contrary about the same item goes."""
        slot = slot_of(finding, city)
        for other in self._lists_beside(slot):
            if other.field.positive != slot.field.positive and finding.item in self.items[other]:
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
            if slot[:2] == (subject, city) and slot.field.positive == liked and item in held:
                held.remove(item)

    def settles(self, topic: Topic, *, hurried: bool = False) -> bool:
        """Whether so much is known without asking that a question would bring little: a cap, or for transport and
        hotels something liked and something disliked.

        hurried: there is no time for all questions. A sight that somebody insists on is then enough for its city.
        """
        if topic.subject in {"budget", "intensity"}:
            return self.holds(topic)
        if topic.subject == "sights":
            return hurried and bool(
                self.items.get(Slot("sights", topic.city, FIELD["attractions.must_visit"]))
            )
        sides = {
            slot.field.positive for slot, held in self.items.items() if slot.subject == topic.subject and held
        }
        return topic.subject in {"transport", "hotels"} and len(sides) == 2

    def holds(self, topic: Topic) -> bool:
        """Whether anything is known about a topic."""
        if topic.subject == "budget":
            return "avg_budget" in self.caps
        if topic.subject == "intensity":
            return {"max_poi_per_day", "max_active_hours"} <= set(self.caps)
        return any(held for slot, held in self.items.items() if slot[:2] == (topic.subject, topic.city))


def publish_belief(belief: Belief, cities: tuple[str, ...]) -> dict[str, Any]:
    """The table in the published shape. Caps that nobody stated are left out; lists stay, empty."""

    def value(field: PreferenceField, city: str) -> Any:
        if field.kind == "list":
            return list(belief.items.get(Slot(_SUBJECTS[field.topic], city or None, field), ()))
        cap = belief.caps.get(field.keys[-1])
        return int(cap) if cap is not None and cap == int(cap) else cap

    return table_of(cities, value)
