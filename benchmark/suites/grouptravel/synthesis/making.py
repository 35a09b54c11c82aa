"""One task: drawn, written, checked, written again where it must be, and proved (section 3.2, all stages)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.remarks import Remark, gettext_noop, join_remarks
from benchmark.suites.grouptravel.synthesis.casting import NobodyFits
from benchmark.suites.grouptravel.synthesis.proof import Proof, prove
from benchmark.suites.grouptravel.synthesis.quotas import Slot
from benchmark.suites.grouptravel.synthesis.resources import Resources, Trip
from benchmark.suites.grouptravel.synthesis.sentences import context, duration, query
from benchmark.suites.grouptravel.synthesis.skeletons import Skeleton, Window, draw_skeleton
from benchmark.suites.grouptravel.synthesis.validation import (
    Fault,
    check_group,
    check_table,
    settle_tiers,
    unreachable,
    yielding,
)
from benchmark.suites.grouptravel.synthesis.writers import Sampler, Writer
from benchmark.suites.grouptravel.tasks.task import Task

RETRIES = 3
"""How often a table, or a task without a proof, is made again."""
REPLACEMENTS = 3
"""How many other skeletons a slot gets when its task fails for good."""


@dataclass(frozen=True)
class Recipe:
    """What the tasks of a set share. prove: whether each must be solved by the reference planner."""

    seed: int
    language: str = "zh"
    window: Window = field(default_factory=Window)
    first_id: int = 1
    prove: bool = True

    def task_id(self, slot: int) -> str:
        """task_NNNNNN."""
        return f"task_{self.first_id + slot - 1:06d}"


@dataclass
class MadeTask:
    """What became of a slot.

    task: in the published format, None where it failed. personas: the profiles that its tables were drawn from, by
    user. proof: None where none was asked for. remade_tables: tables that were
    made again. removed_items: (user, path, item) that stood in a stronger tier too. flagged_users: users who may give
    way because what they want does not run. failures: why each skeleton was given up that was.
    """

    slot: int
    task: dict[str, Any] | None = None
    personas: dict[str, Any] = field(default_factory=dict)
    proof: Proof | None = None
    remade_tables: int = 0
    removed_items: list[tuple[str, str, str]] = field(default_factory=list)
    flagged_users: list[str] = field(default_factory=list)
    failures: list[Remark] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "slot": self.slot,
            "task": self.task,
            "personas": self.personas,
            "proof": self.proof.as_json() if self.proof else None,
            "again": self.remade_tables,
            "removed": self.removed_items,
            "flagged": self.flagged_users,
            "failures": [why.as_json() for why in self.failures],
        }


class GivenUp(Exception):
    """A skeleton was given up."""

    def __init__(self, why: Remark) -> None:
        super().__init__(str(why))
        self.why = why


class Maker:
    """Makes the tasks of one world. Belongs to the thread of its resources."""

    def __init__(self, resources: Resources, recipe: Recipe, writer: Writer | None = None) -> None:
        self._resources, self._recipe = resources, recipe
        self._writer: Writer = writer or Sampler()

    def fill(self, slot: Slot) -> MadeTask:
        """A task for a slot of the quotas; where its skeleton fails, for another one."""
        made = MadeTask(slot.number)
        for replacement in range(1 + REPLACEMENTS):
            key = (self._recipe.seed, replacement)
            skeleton = draw_skeleton(slot, self._resources.atlas, self._recipe.window, *key)
            if self._try(skeleton, made, *key):
                break
        return made

    def write(self, skeleton: Skeleton) -> MadeTask:
        """A task for a given skeleton, which is never replaced."""
        made = MadeTask(skeleton.slot)
        if gaps := self._gaps(skeleton):
            made.failures.append(_failure(skeleton, gaps))
        else:
            self._try(skeleton, made, self._recipe.seed, 0)
        return made

    def _gaps(self, skeleton: Skeleton) -> Remark | None:
        """What the world lacks for a skeleton that was not drawn for it."""
        known = {city.name for city in self._resources.world.cities()}
        missing = [city for city in (skeleton.departure, *skeleton.cities) if city not in known]
        if missing:
            return Remark(gettext_noop("the world has no %(cities)s"), {"cities": ", ".join(missing)})
        for city in skeleton.cities:
            if gaps := self._resources.candidates(city).gaps():
                return Remark(
                    gettext_noop("%(city)s has %(gaps)s"), {"city": city, "gaps": join_remarks(gaps)}
                )
        route = self._resources.fares.route(skeleton.departure, skeleton.cities)
        ways = zip(route.legs, route.offers, strict=True)
        stuck = ", ".join(f"{one}–{other}" for (one, other), offers in ways if not offers)
        return Remark(gettext_noop("no connection goes there: %(legs)s"), {"legs": stuck}) if stuck else None

    def _try(self, skeleton: Skeleton, made: MadeTask, *key: object) -> bool:
        try:
            trip = self._resources.trip(skeleton, *key)
            self._write_tables(trip, made, *key)
        except GivenUp as given_up:
            made.failures.append(_failure(skeleton, given_up.why))
        except NobodyFits as lacking:
            why = Remark(gettext_noop("nobody fits a role: %(why)s"), {"why": str(lacking)})
            made.failures.append(_failure(skeleton, why))
        return made.task is not None

    def _write_tables(self, trip: Trip, made: MadeTask, *key: object) -> None:
        """Fill `made`, or raise GivenUp."""
        why: Remark | None = None
        for attempt in range(1 + RETRIES):
            removed: list[tuple[str, str, str]] = []
            tables = self._tables(trip, made, removed, *key, attempt)
            task = self._task(trip, tables, *key, attempt)
            proof = self._proof(task)
            if proof is None or proof.solved:
                made.task, made.proof, made.removed_items = task, proof, removed
                made.personas = {user: trip.cast[user].model_dump() for user in tables}
                made.flagged_users = [user for user, table in tables.items() if unreachable(table, trip)]
                return
            why = proof.why_not()
            made.remade_tables += len(tables)
        times = gettext_noop("%(why)s, %(times)s times")
        raise GivenUp(Remark(times, {"why": why, "times": 1 + RETRIES}))

    def _tables(
        self, trip: Trip, made: MadeTask, removed: list[tuple[str, str, str]], *key: object
    ) -> dict[str, Any]:
        tables: dict[str, Any] = {}
        for user in trip.archetype.generation_order:
            tables[user] = self._table(user, trip, tables, made, removed, *key)
        if faults := check_group(tables, trip):
            raise GivenUp(faults[0].remark())
        return tables

    def _table(
        self,
        user: str,
        trip: Trip,
        tables: Mapping[str, Any],
        made: MadeTask,
        removed: list[tuple[str, str, str]],
        *key: object,
    ) -> Any:
        """A table without faults. Raises GivenUp where it has some after three regenerations."""
        member, faults = trip.archetype.by_slot[user], list[Fault]()
        for retry in range(1 + RETRIES):
            made.remade_tables += retry > 0
            table = self._writer.table(trip, member, tables, faults, self._recipe.language, *key, retry)
            kept = settle_tiers(table) if isinstance(table, dict) else None
            faults = check_table(user, kept.table if kept else table, trip)
            if kept and not faults:
                removed += [(user, path, item) for path, item in kept.removed_items]
                return kept.table
        after = gettext_noop("%(why)s (after %(times)s regenerations)")
        raise GivenUp(Remark(after, {"why": faults[0].remark(), "times": RETRIES}))

    def _task(self, trip: Trip, tables: Mapping[str, Any], *key: object) -> dict[str, Any]:
        language = self._recipe.language
        openings = dict[str, str]()
        for user in sorted(tables):
            earlier = tuple(openings.values())
            openings[user] = self._writer.opening(trip, user, tables[user], language, *key, earlier=earlier)
        return write_task(self._recipe.task_id(trip.skeleton.slot), trip, tables, openings, language)

    def _proof(self, task: Mapping[str, Any]) -> Proof | None:
        checked = Task.model_validate(task)
        if not self._recipe.prove:
            return None
        return prove(checked, self._resources.world, self._resources.catalogue)


def _failure(skeleton: Skeleton, why: Remark) -> Remark:
    where = gettext_noop(
        "slot %(slot)s (%(group)s, %(departure)s to %(cities)s, %(start)s, %(days)s days): %(why)s"
    )
    values = {
        "slot": skeleton.slot,
        "group": skeleton.group_id,
        "departure": skeleton.departure,
        "cities": "、".join(skeleton.cities),
        "start": skeleton.start.isoformat(),
        "days": skeleton.days,
        "why": why,
    }
    return Remark(where, values)


# From a skeleton, tables and openings to a task in the published format (appendix A.3, table 6).


def write_task(
    task_id: str, trip: Trip, tables: Mapping[str, Any], openings: Mapping[str, str], language: str
) -> dict[str, Any]:
    """The task as one line of a task file. tables: in generation order, which is the order of polling."""
    skeleton, archetype = trip.skeleton, trip.archetype
    pattern, lasts = yielding(tables, trip), duration(skeleton.days, language)
    task = {
        "task_id": task_id,
        "query": query(skeleton.cities, lasts, archetype.size, language),
        "time": skeleton.start.isoformat(),
        "context": context(
            skeleton.departure,
            skeleton.start.isoformat(),
            archetype.name(language),
            archetype.size,
            [child.role(language) for child in archetype.children],
            language,
        ),
        "metadata": {
            "departure_city": skeleton.departure,
            "cities": list(skeleton.cities),
            "date": lasts,
            "group_id": archetype.group_id,
            "group_name": archetype.name(language),
            "group_tags": archetype.tags(language),
            "compromise_pattern": list(pattern),
            "child_members": [
                {"user": child.slot, "role": child.role(language)} for child in archetype.children
            ],
        },
        "user_preferences": {
            user: {
                "role": archetype.by_slot[user].role(language),
                "preference": table,
                "compromisable": user in pattern,
            }
            for user, table in tables.items()
        },
        "initial_messages": [
            {"role": member.slot, "content": openings[member.slot]}
            for member in archetype.members
            if member.slot in openings
        ],
        "difficulty_score": skeleton.score,
        "difficulty_type": skeleton.level,
    }
    return task | ({"language": "en"} if language == "en" else {})
