"""The table of sentences: which expression a requirement has, and which values its sentence takes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.rubrics.figures import COMPARISONS, FigureRubric
from benchmark.suites.tripbench.rubrics.transport import PERIODS
from benchmark.text import guarded
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

TABLE: Final = Prompts(Path(__file__).parent / "tables")
_NAME: Final = "requests"
LISTS: Final = ("cats", "ids", "types", "names")
FIGURE, WHEN, OP, PERCENT = "figure", "when", "op", "_percent"
MARK: Final = "\0"
"""Round the name of a value, where a sentence is turned into an expression."""
MARKS: Final = guarded.compile("\0([a-z_]+)\0")
TIMES: Final = ("period", "window", "before", "after")
_VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "attraction.include_categories": ("mode",),
    "attraction.distance": ("of",),
    "attraction.sight_level": ("op", "quant"),
    "hotel.cost": ("level",),
    "hotel.hotel_type": ("op",),
    "hotel.aspect_rating": ("aspect",),
    "hotel.breakfast_number": ("op",),
    "hotel.location": ("op",),
    "restaurant.include_cuisine": ("mode",),
    "restaurant.open": ("op",),
    "transport.time_depart": ("event",),
    "transport.time_return": ("event",),
    "transport.cost": ("level",),
    "transport.platform": ("op",),
}
"""Arguments that have a sentence for each of their values."""
_OPTIONAL: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "transport.ontime": (("rate",), ("delay",), ("rate", "delay")),
    "general.daily_attractions": (("min",), ("max",), ("min", "max")),
}
"""Arguments that have a sentence for each way in which some are left out."""
_FREE: Final = "attraction.price.free"


class Expression(NamedTuple):
    """A way to ask for something. key: in the table. rubric: its key. arguments: that the sentence itself says."""

    key: str
    rubric: str
    arguments: Mapping[str, str]


def line(language: Language, key: str, **fields: object) -> str:
    """A sentence of the table, filled."""
    return TABLE.line(language, _NAME, key, **fields)


def _expressions() -> dict[str, Expression]:
    found = [Expression(_FREE, "attraction.price", {OP: "free"})]
    for key, rubric in RUBRICS.items():
        if key in _OPTIONAL:
            found += [Expression(".".join((key, *given)), key, {}) for given in _OPTIONAL[key]]
            continue
        names = _VARIANTS.get(key, ())
        for values in product(*(get_args(rubric.model_fields[name].annotation) for name in names)):
            found.append(Expression(".".join((key, *values)), key, dict(zip(names, values, strict=True))))
    return {expression.key: expression for expression in found}


EXPRESSIONS: Final = _expressions()
"""All of the table; those of figures and times have a form for each comparison beside."""


def expression_of(rubric: Rubric) -> Expression:
    """How a requirement is asked for."""
    told = rubric.arguments
    if rubric.key == "attraction.price" and told[OP] == "free":
        return EXPRESSIONS[_FREE]
    if rubric.key in _OPTIONAL:
        parts = [name for name in _OPTIONAL[rubric.key][-1] if name in told]
    else:
        parts = [str(told[name]) for name in _VARIANTS.get(rubric.key, ())]
    return EXPRESSIONS[".".join((rubric.key, *parts))]


def fields_of(rubric: Rubric, language: Language, names: Mapping[str, str]) -> dict[str, str]:
    """What the sentence takes. names: of places by their ids."""
    told = dict(rubric.arguments)
    if rubric.key == "hotel.location":
        told.setdefault("hub_km", told.get("km"))
    fields = {key: _value(value, language, names) for key, value in told.items()}
    fields |= {f"{key}{PERCENT}": number_text(told[key] * 100) for key in ("min", "rate") if key in told}
    comparison = told.get(OP)
    if isinstance(rubric, FigureRubric) and comparison in COMPARISONS:
        fields[FIGURE] = line(language, f"{FIGURE}.{comparison}", **fields)
    elif comparison in TIMES:
        fields[WHEN] = line(language, f"{WHEN}.{comparison}", **fields)
    return fields


def _value(value: Any, language: Language, names: Mapping[str, str]) -> str:
    if not isinstance(value, list):
        return value if isinstance(value, str) else number_text(value)
    if all(name in PERIODS for name in value):
        return line(language, "or").join(line(language, f"period.{name}") for name in value)
    return line(language, "list").join(f"“{names.get(name, name)}”" for name in value)


def number_text(value: float | None) -> str:
    """Without an exponent and without zeros behind; 28.999999999999996 is 29."""
    if value is None:
        return ""
    text = format(Decimal(repr(round(value, 9))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
