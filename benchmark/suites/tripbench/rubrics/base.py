"""What all rubrics share: arguments that are checked, what is asked of each item or of the whole, and what passes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, Strict, ValidationError

from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.trip import TINY, Leg, Meal, Night, Trip, Visit
from benchmark.suites.tripbench.rubrics.candidates import Candidates, Choice, choice_of
from sandbox.toolsets.tripbench.records import (
    Admission,
    Attraction,
    Hotel,
    Menu,
    Product,
    Restaurant,
    Room,
    Service,
    Ticket,
    TripWorld,
)

Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Text = Annotated[str, Strict()]
Texts = list[Text]
STRICTER_SHARE: Final = 0.8
"""Of what passes before, how much may pass a stricter form at the most."""
LONGEST_CHAIN: Final = 3


def _clock(text: str) -> int:
    minute = DAY if text == "24:00" else minutes(text)
    if minute is None:
        raise ValueError(f"{text} is no time; write HH:MM")
    return minute


def clock_text(minute: float) -> str:
    """Such as 09:30."""
    return f"{int(minute) // 60:02d}:{int(minute) % 60:02d}"


Clock = Annotated[Text, AfterValidator(_clock), PlainSerializer(clock_text)]
"""A time such as "09:30", which becomes minutes of a day."""


class Basis(Protocol):
    """What items are judged in: a trip, or the candidates for one."""

    @property
    def world(self) -> TripWorld: ...

    @property
    def parameters(self) -> Parameters: ...

    @property
    def people(self) -> int: ...


class Rubric(BaseModel):
    """A requirement with its arguments (appendix B.2).

    key: `domain.name` in constraints. is_global: whether it is said of the whole plan, and not of each item.
    has_products: whether products pass or fail, and not items alone. longest_chain: how often it is said at the most,
    each time more strictly.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: ClassVar[str]
    is_global: ClassVar[bool] = False
    has_products: ClassVar[bool] = False
    longest_chain: ClassVar[int] = LONGEST_CHAIN

    @abstractmethod
    def is_met(self, trip: Trip) -> bool:
        """Whether a plan meets it (`validate`)."""

    def read_trip(self, trip: Trip) -> str:
        """What a plan has of what is asked for, where it is said of the whole; "" where nothing can be told."""
        return ""

    @property
    def depends_on_others(self) -> bool:
        """Whether an item can't be judged alone; some arguments of rubrics that aren't global make it so, and vice
        versa.
        """
        return self.is_global

    @property
    def domain(self) -> str:
        """What it is said of."""
        return self.key.split(".")[0]

    @property
    def arguments(self) -> dict[str, Any]:
        """As constraints hold them."""
        return self.model_dump(exclude_none=True)

    def feasible_choices(self, candidates: Candidates) -> frozenset[Choice]:
        """The choices of its domain that pass alone; all of them where it is said of the whole."""
        return candidates.choices[self.domain]

    def feasible_ids(self, candidates: Candidates) -> frozenset[str]:
        """The items of which a choice passes."""
        return frozenset(item for item, _ in self.feasible_choices(candidates))

    def count_feasible(self, candidates: Candidates) -> int:
        """How many items pass, or products where it is said of products (|F|)."""
        return len(self.feasible_choices(candidates) if self.has_products else self.feasible_ids(candidates))

    @classmethod
    @abstractmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        """Arguments that users of such a trip may ask for, likely ones first."""

    @classmethod
    def draw(cls, random: Random, candidates: Candidates) -> Self | None:
        """One that something passes; None where the candidates have none."""
        for proposal in cls._proposals(random, candidates):
            rubric = cls.read(proposal)
            if rubric is not None and rubric.feasible_choices(candidates):
                return rubric
        return None

    @classmethod
    def generate(
        cls, world: TripWorld, frame: Frame, random: Random, parameters: Parameters | None = None
    ) -> Generation | None:
        """A requirement for a trip, with what passes it; None where the world has nothing to ask for."""
        candidates = Candidates(world, frame, parameters or Parameters())
        rubric = cls.draw(random, candidates)
        return None if rubric is None else Generation(rubric, rubric.feasible_choices(candidates))

    @classmethod
    def read(cls, arguments: dict[str, Any]) -> Self | None:
        """With these arguments; None where they are not its own."""
        try:
            return cls.model_validate(arguments)
        except ValidationError:
            return None

    def _stricter(self, random: Random, candidates: Candidates) -> Iterable[dict[str, Any]]:
        """Arguments that differ, each of a form that asks for more, likely ones first."""
        return ()

    def tighten(self, random: Random, candidates: Candidates) -> Self | None:
        """A stricter form that something still passes; None where there is none.

        Of what passes at most `STRICTER_SHARE` is left, where items are judged alone.
        """
        before = self.count_feasible(candidates)
        for changes in self._stricter(random, candidates):
            rubric = self.read({**self.arguments, **changes})
            if rubric is None or rubric == self:
                continue
            left = rubric.count_feasible(candidates)
            if left and (self.depends_on_others or left <= STRICTER_SHARE * before + TINY):
                return rubric
        return None


class Generation(NamedTuple):
    """A requirement (its arguments are the range R), and the choices that pass it (F)."""

    rubric: Rubric
    feasible: frozenset[Choice]


def reaches(value: float | None, least: float) -> bool:
    """Whether a figure is known and at least as high."""
    return value is not None and value >= least - TINY


def figures_text(values: Iterable[float | None]) -> str:
    """Such as 2, 3.5; a dash for what is not known. Whole numbers may be larger than floats are."""
    return ", ".join("–" if value is None else f"{round(min(value, 1e99), 2):.12g}" for value in values)


def value_text(value: object) -> str:
    """A value of an item in any language; a dash where nobody knows it."""
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)


def names_fit(name: str | None, op: str, names: Collection[str]) -> bool:
    """Whether a name is known and among others (`in`), or not (`not_in`)."""
    return name is not None and (name in names) == (op == "in")


Item = TypeVar("Item", Attraction, Hotel, Restaurant, Service)
Offer = TypeVar("Offer", bound=Product)
Part = TypeVar("Part", Visit, Meal, Leg, Night)


class OfEach(Rubric, Generic[Part, Item, Offer]):
    """Said of each part of a plan in a domain: an item, and what is bought of it. needs_some: whether a plan without
    any fails. figure: the field that it asks for, of the item or of what is bought.
    """

    needs_some: ClassVar[bool] = False
    figure: ClassVar[str] = ""

    @abstractmethod
    def items(self, trip: Trip) -> list[Part]:
        """The parts of a plan."""

    @abstractmethod
    def purchases(self, part: Part) -> list[tuple[Item, Offer | None]]:
        """The item of a part, with each thing that is bought of it, and alone where that may be nothing."""

    @classmethod
    @abstractmethod
    def pool(cls, candidates: Candidates) -> Sequence[tuple[Item, Offer | None]]:
        """Those that a plan may have."""

    @abstractmethod
    def passes(self, item: Item, bought: Offer | None, basis: Basis) -> bool:
        """Whether an item is as asked for, with what is bought."""

    def holds(self, part: Part, trip: Trip) -> bool:
        """Whether a part of a plan is as asked for."""
        return all(self.passes(*pair, trip) for pair in self.purchases(part))

    def read_part(self, part: Part, trip: Trip) -> str:
        """What a part has of what is asked for, a dash where nobody knows."""
        owners = (owner for pair in self.purchases(part) for owner in pair if hasattr(owner, self.figure))
        return ", ".join(dict.fromkeys(value_text(getattr(owner, self.figure)) for owner in owners))

    def is_met(self, trip: Trip) -> bool:
        """Whether all parts are as asked for."""
        items = self.items(trip)
        return bool(items or not self.needs_some) and all(self.holds(item, trip) for item in items)

    def feasible_choices(self, candidates: Candidates) -> frozenset[Choice]:
        """The choices that pass."""
        if self.depends_on_others:
            return super().feasible_choices(candidates)
        return frozenset(choice_of(*pair) for pair in self.pool(candidates) if self.passes(*pair, candidates))


class OfVisits(OfEach[Visit, Attraction, Admission]):
    """Said of each attraction."""

    def items(self, trip: Trip) -> list[Visit]:
        """All attractions."""
        return trip.visits

    def purchases(self, part: Visit) -> list[tuple[Attraction, Admission | None]]:
        """The attraction."""
        return [(part.place, None)]

    @classmethod
    def pool(cls, candidates: Candidates) -> Sequence[tuple[Attraction, Admission | None]]:
        """Attractions of the destinations."""
        return [(place, None) for place in candidates.attractions]


class OfMeals(OfEach[Meal, Restaurant, Menu]):
    """Said of each meal."""

    def items(self, trip: Trip) -> list[Meal]:
        """All meals."""
        return trip.meals

    def purchases(self, part: Meal) -> list[tuple[Restaurant, Menu | None]]:
        """The restaurant."""
        return [(part.place, None)]

    @classmethod
    def pool(cls, candidates: Candidates) -> Sequence[tuple[Restaurant, Menu | None]]:
        """Restaurants of the destinations."""
        return candidates.meals


class OfLegs(OfEach[Leg, Service, Ticket]):
    """Said of each leg, and of each ticket for it."""

    needs_some = True

    def items(self, trip: Trip) -> list[Leg]:
        """All legs."""
        return trip.legs

    def purchases(self, part: Leg) -> list[tuple[Service, Ticket | None]]:
        """The service with each of its tickets."""
        return [(part.service, ticket) for ticket in (*(one for one, _ in part.tickets), None)]

    @classmethod
    def pool(cls, candidates: Candidates) -> Sequence[tuple[Service, Ticket | None]]:
        """Services of the legs."""
        return candidates.tickets


class OfNights(OfEach[Night, Hotel, Room]):
    """Said of each night in a hotel, and of each room."""

    needs_some = True

    def items(self, trip: Trip) -> list[Night]:
        """All nights."""
        return trip.nights

    def purchases(self, part: Night) -> list[tuple[Hotel, Room | None]]:
        """The hotel with each of its rooms."""
        return [(part.hotel, room) for room, _ in part.rooms]

    @classmethod
    def pool(cls, candidates: Candidates) -> Sequence[tuple[Hotel, Room | None]]:
        """Hotels of the destinations."""
        return candidates.rooms


def covers(visited: Collection[str], wanted: Collection[str], mode: Any) -> bool:
    """Whether `all` or `any` of the wanted names are there."""
    hits = [name in visited for name in wanted]
    return all(hits) if mode == "all" else any(hits)


def sample_names(random: Random, names: Iterable[str], most: int) -> list[str]:
    """One to so many different names, or none where there are none; sorted first, so that a seed gives the same."""
    known = sorted({*names})
    return random.sample(known, min(len(known), random.randint(1, most)))
