"""Every threshold and weight of the rules, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from benchmark.suites.tripscore.tasks.calendars import Clock, clock_minutes
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.numbers import Number
from benchmark.suites.tripscore.tasks.task import BANDS, REAL

SOFT: Final = {
    "density": "schedule_density",
    "hotel": "hotel_consistency",
    "daytime": "daytime_utilization",
    "unique": "unique_attractions",
    "clustering": "location_clustering",
    "iconic": "iconic_landmarks",
    "diversity": "attraction_diversity",
}
"""The soft constraints by the short names of Table 5."""
WISHES: Final = ("budget", "pacing", "attraction", "effort")
USER: Final = "user"

Amount = Annotated[Number, Field(ge=0)]
Span = tuple[Amount, Amount]


def _refuse_turned(span: tuple[float, float | None]) -> tuple[float, float | None]:
    if span[1] is not None and span[0] > span[1]:
        raise PydanticCustomError("span", "the first figure is above the second; turn them")
    return span


def _refuse_zero(span: tuple[float, float]) -> tuple[float, float]:
    if span[1] == 0:
        raise PydanticCustomError("pace", "the second figure is 0, by which hours are divided; raise it")
    return span


OrderedSpan = Annotated[Span, AfterValidator(_refuse_turned)]
Band = Annotated[tuple[Amount, Amount | None], AfterValidator(_refuse_turned)]


def _whole_names(weights: Any) -> Any:
    return (
        {SOFT.get(name, name): weight for name, weight in weights.items()}
        if isinstance(weights, Mapping)
        else weights
    )


def _refuse_others(*names: str) -> AfterValidator:
    def check(weights: Mapping[str, float]) -> Mapping[str, float]:
        if strays := sorted({*weights} - {*names}):
            words = "“{name}” is none of {names}; leave it out"
            raise PydanticCustomError("weight", words, {"name": strays[0], "names": ", ".join(names)})
        return weights

    return AfterValidator(check)


Weights = dict[str, Amount]


class Parameters(BaseModel):
    """Of the rules; the defaults are those of the profile `published`. Lists and objects are replaced whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    allow_external: bool = True
    waive_missing_legs: bool = True
    period_slack_min: Amount = 30
    hotel_last: bool = True
    min_visit_min: Amount = 60
    default_visit_h: Amount = 2
    block_min_free: Amount = 30
    early_departure: Clock = "10:00"
    density_full: OrderedSpan = (4, 10)
    density_transfer: OrderedSpan = (0, 8)
    hotel_near_km: Amount = 100
    daytime_mode: Literal["both", "either"] = "both"
    late_open: Clock = "12:00"
    dup_weight: Amount = 0.05
    cluster_pairs: Literal["same_city", "all"] = "same_city"
    far_share: Annotated[Amount, Field(le=1)] = 0.2
    far_floor_km: Amount = 0
    pacing: dict[str, Annotated[OrderedSpan, AfterValidator(_refuse_zero)]] = Field(
        default_factory=lambda: {"relaxed": (2.0, 6.0), "moderate": (4.0, 8.0), "compact": (7.0, 12.0)}
    )
    star_bands: Annotated[dict[str, Band], _refuse_others(*dict.fromkeys(BANDS.values()))] = Field(
        default_factory=lambda: {
            "cost-effective": (0, 2.5),
            "comfortable": (2.5, 4.5),
            "high-end": (4.5, None),
        }
    )
    user_zero: Amount = 1
    missing: Literal["renormalise", "zero"] = "renormalise"
    w1: Annotated[Weights, BeforeValidator(_whole_names), _refuse_others(*SOFT.values())] = Field(
        default_factory=lambda: dict(zip(SOFT.values(), (0.7, 0.5, 0.4, 0.2, 0.7, 0.1, 0.2), strict=True))
    )
    w2: Annotated[Weights, _refuse_others(*WISHES, USER)] = Field(
        default_factory=lambda: {"budget": 0.6, "pacing": 0.6, "attraction": 0.2, "effort": 0.6, USER: 1.0}
    )
    w3: Amount = 1
    w4: Annotated[Weights, _refuse_others("synthetic", REAL)] = Field(
        default_factory=lambda: {"synthetic": 0.1, REAL: 1.4}
    )
    penalty_format: Number = -3
    penalty_com: Number = -1
    stop_reward: Number = 3.5
    stop_margin: Amount = 0.05

    @model_validator(mode="before")
    @classmethod
    def _leave_nothing_out(cls, given: Any) -> Any:
        """null is the default."""
        return (
            {key: value for key, value in given.items() if value is not None}
            if isinstance(given, dict)
            else given
        )

    @property
    def early_minutes(self) -> int:
        """`early_departure` in minutes since midnight."""
        return clock_minutes(self.early_departure) or 0

    @property
    def late_minutes(self) -> int:
        """`late_open` in minutes since midnight."""
        return clock_minutes(self.late_open) or 0

    def span(self, pace: str) -> tuple[float, float]:
        """The hours a day of a label of `pacing`, which must be in force."""
        return next(span for label, span in self.pacing.items() if fold_name(label) == fold_name(pace))

    def band(self, budget: str) -> tuple[float, float | None] | None:
        """The stars of a budget, the last excluded; None where `star_bands` lacks it."""
        return self.star_bands.get(BANDS[fold_name(budget)])


DEFAULTS: Final = Parameters()
