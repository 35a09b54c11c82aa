"""What a plan has to keep, and what it should be like, as statements of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from benchmark.suites.tripscore.methods.nesy.concepts import CONCEPTS, Draft
from benchmark.suites.tripscore.methods.nesy.language import PLAN, StatementFault, Value, read_expression
from benchmark.suites.tripscore.methods.requests import Request, Unreadable, read_request
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, Parameters
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.names import fold_name

On = Literal["step", "night", "day", "plan"]
ONS: Final[tuple[On, ...]] = ("step", "night", "day", "plan")
"""When a statement is looked at: after each sight, after the choice of a hotel, at the end of a day or the plan."""
_DAY: Final = "day"
_HARD, _PREFER, _CITIES = "hard", "prefer", "cities"
_MOST: Final = 40
_FAULTS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Of statements that ask for what a plan does not have, such as the stars of no hotel."""


@dataclass
class Statement:
    """on: when it is looked at. is_wish: whether it may be given up. broken, faulty: how often it did not hold, and
    could not be worked out.
    """

    text: str
    on: On
    value: Value
    is_wish: bool = False
    broken: int = 0
    faulty: int = 0

    def holds(self, plan: Draft, day: int) -> bool:
        """Whether a plan keeps it; one that can't be worked out is not kept."""
        try:
            kept = bool(self.value({PLAN: plan, _DAY: day}))
        except _FAULTS:
            kept = False
            self.faulty += 1
        self.broken += not kept
        return kept


@dataclass
class Program:
    """What a request says. prefer: expressions of which more is better. order: of the cities, where it is told."""

    request: Request
    hard: list[Statement]
    prefer: list[Statement] = field(default_factory=list)
    order: Sequence[str] = ()

    def keeps(self, on: On, plan: Draft, day: int, *, with_wishes: bool) -> bool:
        """Whether a plan keeps what is looked at now."""
        wanted = (one for one in self.hard if one.on == on and (with_wishes or not one.is_wish))
        return all(statement.holds(plan, day) for statement in wanted)

    def worth(self, plan: Draft) -> float:
        """The mean of what is preferred, each from 0 to 1."""
        return sum(map(_share, self.prefer, [plan] * len(self.prefer))) / max(1, len(self.prefer))

    def obstacles(self, most: int) -> list[Statement]:
        """The statements that were broken most often."""
        counts = Counter({at: one.broken for at, one in enumerate(self.hard) if one.broken})
        return [self.hard[at] for at, _ in counts.most_common(most)]


def _share(statement: Statement, plan: Draft) -> float:
    try:
        return max(0.0, min(1.0, float(statement.value({PLAN: plan}))))
    except _FAULTS:
        statement.faulty += 1
        return 0.0


def _statement(text: str, on: On, *, is_wish: bool = False) -> Statement:
    return Statement(text, on, read_expression(text, CONCEPTS, _DAY), is_wish)


def common_sense(parameters: Parameters) -> list[Statement]:
    """What holds for every request (constraints 5 to 13)."""
    (low, high), (_, most) = parameters.density_full, parameters.density_transfer
    return [
        _statement("all(times_visited(s) == 1 for s in visits_on(day))", "step"),
        _statement("all(city(s) in cities_on(day) for s in visits_on(day))", "step"),
        *(
            _statement(f"all(open_at(s, day, '{period}') for s in visits_at(day, '{period}'))", "step")
            for period in ("Morning", "Afternoon", "Evening")
        ),
        _statement(
            "not needs_hotel(day) or hotel_on(day) != none and city(hotel_on(day)) == city_on(day)", "night"
        ),
        _statement(
            "all(hotel_on(d) == hotel_on(day) for d in days() if hotel_on(d) != none and hotel_on(day) != none and"
            " city(hotel_on(d)) == city(hotel_on(day)))",
            "night",
        ),
        _statement("len(visits_on(day)) + len(legs_on(day)) > 0", "day"),
        _statement("all(len(visits_in(c)) > 0 for c in cities_left(day))", "day"),
        _statement(
            f"hours_on(day) <= {high} and (len(legs_on(day)) == 0 or hours_on(day) <= {most})",
            "step",
            is_wish=True,
        ),
        _statement(f"len(legs_on(day)) > 0 or hours_on(day) >= {low}", "day", is_wish=True),
        _statement("all(len(visits_in(c)) > 0 for c in cities())", "plan"),
    ]


def _of_wishes(task: Task, parameters: Parameters) -> Iterator[Statement]:
    wishes = task.query.preferences
    if wishes.pacing:
        low, high = parameters.span(wishes.pacing)
        yield _statement(f"hours_on(day) <= {high}", "step", is_wish=True)
        yield _statement(f"len(legs_on(day)) > 0 or hours_on(day) >= {low}", "day", is_wish=True)
    if wishes.budget and (band := parameters.band(wishes.budget)):
        below = f" and stars(hotel_on(day)) < {band[1]}" if band[1] is not None else ""
        fits = f"stars(hotel_on(day)) >= {band[0]}{below}"
        yield _statement(f"hotel_on(day) == none or {fits}", "night", is_wish=True)


def _goals(task: Task, parameters: Parameters) -> Iterator[Statement]:
    wishes = task.query.preferences
    yield _statement("50 / (50 + sum(way_on(d) for d in days()))", "plan")
    used = "len(legs_on(d)) > 0 or any(len(visits_at(d, p)) > 0 for p in ['Morning', 'Afternoon'])"
    yield _statement(f"len([d for d in days() if {used}]) / day_count()", "plan")
    yield _statement(
        "len([d for d in days() if not any(opens_late(s, d) for s in visits_on(d))]) / day_count()", "plan"
    )
    if wishes.pacing:
        low, high = parameters.span(wishes.pacing)
        fits = f"{low} <= hours_on(d) <= {high} or len(legs_on(d)) > 0 and hours_on(d) <= {high}"
        yield _statement(f"len([d for d in days() if {fits}]) / day_count()", "plan")
    if wishes.budget and (band := parameters.band(wishes.budget)):
        below = f" and stars(h) < {band[1]}" if band[1] is not None else ""
        yield _statement(
            f"len([h for h in hotels() if stars(h) >= {band[0]}{below}]) / len(hotels())", "plan"
        )
    if wishes.attraction:
        tags = [fold_name(tag) for tag in wishes.attraction]
        yield _statement(
            f"len([s for s in visits() if any(t in tags(s) for t in {tags!r})]) / len(visits())", "plan"
        )
    if wishes.effort:
        label = fold_name(wishes.effort)
        yield _statement(f"len([d for d in days() if effort_on(d) == '{label}']) / day_count()", "plan")


def program_of(task: Task, parameters: Parameters = DEFAULTS) -> Program:
    """What the fields of a query say, without a model."""
    return _program(Request(task, parameters=parameters), (), ())


def _program(request: Request, hard: Iterable[Statement], prefer: Iterable[Statement]) -> Program:
    """With what a request has in fields, and what holds for all."""
    asked = [
        _statement(f"any(id(s) == {id_!r} for s in visits())", "plan") for id_ in sorted(request.must_ids)
    ]
    own = [
        *common_sense(request.parameters),
        *_of_wishes(request.task, request.parameters),
        *asked,
        *hard,
    ]
    return Program(request, own, [*prefer, *_goals(request.task, request.parameters)])


def read_program(task: Task, told: Mapping[str, Any], parameters: Parameters = DEFAULTS) -> Program:
    """A model's translation: `hard` [{on, must}], `prefer` [expression], `cities` in order, and fields of the query.

    Raises:
        Unreadable: with a line for each fault.
    """
    faults: list[str] = []
    request, own = Request(task), {key: told[key] for key in told if key not in (_HARD, _PREFER)}
    try:
        request = read_request(task, own, parameters)
    except Unreadable as error:
        faults += str(error).splitlines()
    hard = [_read(one, f"{_HARD}[{at}]", faults) for at, one in _entries(told, _HARD, faults)]
    prefer = [
        _read({"on": "plan", "must": one}, f"{_PREFER}[{at}]", faults)
        for at, one in _entries(told, _PREFER, faults)
    ]
    if faults:
        raise Unreadable("\n".join(faults))
    program = _program(request, filter(None, hard), filter(None, prefer))
    program.order = request.task.query.folded_cities if _CITIES in told else ()
    return program


def _entries(told: Mapping[str, Any], key: str, faults: list[str]) -> list[tuple[int, Any]]:
    given = told.get(key, [])
    if not isinstance(given, list) or len(given) > _MOST:
        faults.append(f"{key}: not a list of at most {_MOST}")
        return []
    return list(enumerate(given))


def _read(given: Any, where: str, faults: list[str]) -> Statement | None:
    on, text = (given.get("on"), given.get("must")) if isinstance(given, dict) else (None, None)
    if on not in ONS or not isinstance(text, str):
        faults.append(f"{where}: not an object with on ({', '.join(ONS)}) and must (an expression)")
        return None
    try:
        return _statement(text, on, is_wish=True)
    except StatementFault as fault:
        faults.append(f"{where}: {fault}")
        return None
