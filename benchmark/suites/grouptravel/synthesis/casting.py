"""Who plays which role: profiles that fit the archetype and one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from benchmark.suites.grouptravel.synthesis.archetypes import Archetype, Member, WantedProfile
from benchmark.suites.grouptravel.synthesis.draws import dice
from benchmark.suites.grouptravel.synthesis.profiles import Profile

COUPLE_YEARS = 10
PARENT_YEARS = (22, 40)
_GENERATIONS = {
    "grandfather": 2, "grandmother": 2, "father of one": 2, "mother of one": 2,
    "father": 1, "mother": 1, "husband": 1, "wife": 1,
    "child": 0, "child (8-18)": 0, "teenager": 0, "teenager (12+)": 0,
}  # fmt: skip
"""Members of a family by generation; friends and couples have none."""


def is_household(archetype: Archetype) -> bool:
    """Whether all who go are one family, who know of one another's purse."""
    return all(member.role_en in _GENERATIONS for member in archetype.members if member.generation != "skip")


class NobodyFits(ValueError):
    """The pool has nobody for a role; the message says whom it lacks."""


class Casting:
    """A pool of profiles, asked by role."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self._profiles = tuple(profiles)
        self._fitting: Callable[[WantedProfile], tuple[Profile, ...]] = lru_cache(None)(self._find)

    def cast(self, archetype: Archetype, *key: object) -> dict[str, Profile]:
        """A profile for every member with a table, in generation order.

        Partners are at most ten years apart, parents 22 to 40 years older than their children, roommates of one sex.
        Where a small pool has nobody who fits the others, the one who comes nearest is taken.

        Raises:
            NobodyFits: the pool has nobody of that sex, age and family.
        """
        chosen: dict[str, Profile] = {}
        for slot in archetype.generation_order:
            member = archetype.by_slot[slot]
            chosen[slot] = self._draw(archetype, member, chosen, *key, slot)
        return chosen

    def _draw(
        self, archetype: Archetype, member: Member, chosen: dict[str, Profile], *key: object
    ) -> Profile:
        assert member.profile is not None
        wanted = member.profile
        if wanted.sex == "same for all" and chosen:
            wanted = wanted.model_copy(update={"sex": next(iter(chosen.values())).sex})
        taken = {profile.id for profile in chosen.values()}
        fitting = [profile for profile in self._fitting(wanted) if profile.id not in taken]
        if not fitting:
            raise NobodyFits(_no_fit(archetype, member, wanted))
        ages = _ages(archetype, member, chosen)
        misses = [
            sum(max(0, low - profile.age, profile.age - high) for low, high in ages) for profile in fitting
        ]
        least = min(misses)
        nearest = [profile for profile, off in zip(fitting, misses, strict=True) if off == least]
        at_work = [profile for profile in nearest if profile.occupation in wanted.occupations]
        return dice(*key, "profile").choice(at_work or nearest)

    def _find(self, wanted: WantedProfile) -> tuple[Profile, ...]:
        return tuple(profile for profile in self._profiles if profile.fits(wanted))


def _ages(archetype: Archetype, member: Member, chosen: Mapping[str, Profile]) -> list[tuple[int, int]]:
    """The ages, both ends included, that go with each of the others; of those not chosen yet, with their role's."""
    partners = {frozenset(couple) for couple in archetype.couples()}
    ages = []
    for slot, role in archetype.by_slot.items():
        known = (chosen[slot].age, chosen[slot].age) if slot in chosen else role.profile and role.profile.age
        if slot == member.slot or not known:
            continue
        low, high = known
        if frozenset((slot, member.slot)) in partners:
            ages.append((low - COUPLE_YEARS, high + COUPLE_YEARS))
        elif years := _years_above(member, role):
            ages.append((low + years[0], high + years[1]))
    return ages


def _years_above(member: Member, other: Member) -> tuple[int, int] | None:
    """How much older a member is than their child; than a parent, below 0; None for all others."""
    own, theirs = (_GENERATIONS.get(person.role_en) for person in (member, other))
    if own is None or theirs is None or abs(own - theirs) != 1:
        return None
    least, most = PARENT_YEARS
    return (least, most) if own > theirs else (-most, -least)


def _no_fit(archetype: Archetype, member: Member, wanted: WantedProfile) -> str:
    parts = [f"{wanted.sex}", f"{wanted.age[0]} to {wanted.age[1]} years old"]
    if wanted.married is not None:
        parts.append("married" if wanted.married else "not married")
    if wanted.children:
        parts.append("with children")
    return (
        f"no profile fits {member.role_en} ({member.role_zh}) of the archetype {archetype.group_id}: "
        f"{', '.join(parts)}; add some to the profiles"
    )
