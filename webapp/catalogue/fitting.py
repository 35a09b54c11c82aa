"""Which world tasks belong to, and what other worlds lack for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from benchmark.suites.base import Good, Needs
from sandbox.worlds import World as Pack
from sandbox.worlds import WorldError
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.packs import pack_of

MAX_CHECKED_TASKS = 200
"""Tasks that are looked at to say what worlds lack for many; each is looked at before it runs."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What a world lacks for tasks.

    missing: cities, without which they can't run where the world answers. unsold: what must be for sale and is
    not, so that they can't run at all. unknown_sights: sights that travellers must see, and unserved_ways: pairs
    of cities, one after the other, without a train or flight; tasks run without them, but not as they were meant.
    problem: why the world's pack can't be opened, or "".
    """

    world: World
    missing: list[str]
    unsold: list[Good]
    unknown_sights: list[str]
    unserved_ways: list[tuple[str, str]]
    problem: str = ""

    @property
    def suits(self) -> bool:
        """Whether nothing is in the way."""
        return not self.missing and self.suits_isolated

    @property
    def suits_isolated(self) -> bool:
        """Whether nothing is in the way where the world answers nothing: its places only serve the scorer."""
        return not self.unsold and not self.problem

    @property
    def in_the_way(self) -> list[str]:
        """In words that for want of which tasks can't run."""
        return lack_words(self.missing, self.unsold)

    @property
    def lacks(self) -> list[str]:
        """In words all that it lacks."""
        ways = (_("a connection from %(a)s to %(b)s") % {"a": a, "b": b} for a, b in self.unserved_ways)
        return [*self.in_the_way, *self.unknown_sights, *ways]


def made_for(tasks: QuerySet[Task]) -> list[World | None]:
    """The worlds that the tasks' collections name, each once; None where one names none."""
    collections = tasks.order_by().values_list("collection", flat=True).distinct()
    named = TaskCollection.objects.filter(pk__in=list(collections)).select_related("world")
    return list({collection.world for collection in named})


def fits(needs: Sequence[Needs]) -> list[Fit]:
    """What every world lacks for tasks, one or many."""
    return [fit_of(world, needs) for world in World.objects.defer("report")]


def fit_of(world: World, needs: Sequence[Needs]) -> Fit:
    """What one world lacks for tasks."""
    try:
        pack = pack_of(world)
        missing = missing_cities(needs, pack)
        return Fit(
            world,
            missing,
            unsold_goods(needs, pack),
            _unknown_sights(needs, pack),
            _unserved_ways(needs, pack, missing),
        )
    except WorldError as error:
        return Fit(world, [], [], [], [], str(error))


def missing_cities(needs: Iterable[Needs], pack: Pack) -> list[str]:
    """The cities of tasks, their departure cities included, that a world does not know."""
    named = dict.fromkeys(city for each in needs for city in each.cities)
    return [city for city in named if pack.city(city) is None]


def unsold_goods(needs: Iterable[Needs], pack: Pack) -> list[Good]:
    """What must be for sale for tasks, and is not."""
    goods = dict.fromkeys(good for each in needs for good in each.goods)
    return [good for good in goods if not good.is_sold(pack, good.where)]


def lack_words(missing: Sequence[str], unsold: Iterable[Good]) -> list[str]:
    """Cities, and such as: hotels with rooms for sale in X. That a missing city sells nothing goes without saying."""
    told = (good for good in unsold if not {*good.where} & {*missing})
    return [*missing, *(_(good.words) % good.names for good in told)]


def _unknown_sights(needs: Iterable[Needs], pack: Pack) -> list[str]:
    named = dict.fromkeys(sight for each in needs for sight in each.sights)
    known = {city: known_city.name for city, _ in named if (known_city := pack.city(city))}
    return [name for city, name in named if city in known and pack.place_named(name, known[city]) is None]


def _unserved_ways(needs: Iterable[Needs], pack: Pack, missing: Sequence[str]) -> list[tuple[str, str]]:
    """The ways of tasks where both cities are known and differ, and nothing goes."""
    ways = dict.fromkeys(way for each in needs for way in each.ways)
    known = [way for way in ways if way[0] != way[1] and not {*way} & {*missing}]
    return [way for way in known if not pack.serves(*way)]
