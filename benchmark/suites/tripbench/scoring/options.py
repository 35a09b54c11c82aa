"""What a run may have otherwise than the profile `published`: an option for each tolerance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import ValidationError

from benchmark.core.options import Options, Value
from benchmark.metrics import gettext_noop as _
from benchmark.plans.clock import hour_text
from benchmark.plans.hours import DAY
from benchmark.remarks import Remark
from benchmark.suites.base import Option
from benchmark.suites.tripbench.plans.parameters import Parameters

DEFAULTS: Final = Parameters()
LABELS: Final[Mapping[str, str]] = {
    "gap_max": _("Longest gap in a full day, minutes"),
    "day_start": _("When a full day begins"),
    "day_end": _("When a full day ends"),
    "attraction_min": _("A visit is longer than, minutes"),
    "stay_slack": _("By which a visit may miss its recommended length, minutes"),
    "meal": _("Length of a meal, minutes"),
    "hours_slack": _("By which opening hours may be missed, minutes"),
    "checkin": _("Check-in before a flight, minutes"),
    "train_buffer": _("Time at the station before a train, minutes"),
    "leg_time_tol": _("By which a leg may miss its service, minutes"),
    "transfer_tol": _("A way misses its estimate by less than, minutes"),
    "same_place_km": _("Two places are one up to, km"),
    "meal_km": _("From a restaurant to what is before and after, km"),
    "route_ratio": _("A day goes to and fro from this multiple of its shortest way"),
    "route_extra_km": _("And if it is longer by, km"),
    "est_base": _("Estimate of a way: minutes at least"),
    "est_per_km": _("Estimate of a way: minutes a kilometre"),
    "around": _("Share by which “around” may miss"),
    "loose_sound": _("Violations of soundness that the loose verdict forgives"),
    "loose_user": _("Violations of the user's constraints that the loose verdict forgives"),
}
"""What forms and scores call the tolerances."""
_USUAL: Final = DEFAULTS.model_dump(by_alias=True)
_CLOCKS: Final = ("day_start", "day_end")


def words_of(key: str, value: Any) -> str:
    """A tolerance as its option has it: `120`, `45-90`, `06:00-11:00`."""
    if isinstance(value, tuple | list):
        return "-".join(_clock(int(part)) if key in _CLOCKS else f"{part:g}" for part in value)
    return f"{value:g}"


def _clock(minute: int) -> str:
    return "24:00" if minute == DAY else hour_text(minute)


def _read(key: str, text: Value) -> Any:
    if not isinstance(_USUAL[key], tuple):
        return text
    return tuple(part.strip() for part in str(text).replace("–", "-").split("-"))


def _check(key: str) -> Callable[[Value], Remark | None]:
    usual = _USUAL[key]

    def check(value: Value) -> Remark | None:
        try:
            Parameters.model_validate({key: _read(key, value)})
        except ValidationError:
            told = {"usual": words_of(key, usual)}
            if isinstance(usual, tuple):
                return Remark(_("write the least, - and the most, such as %(usual)s"), told)
            return Remark(_("write 0 or a number above, such as %(usual)s"), told)
        return None

    return check


def _option(key: str, label: str) -> Option:
    usual = _USUAL[key]
    default = words_of(key, usual) if isinstance(usual, tuple) else float(usual)
    return Option(key=key, label=label, default=default, check=_check(key), usual=False)


SCORING_OPTIONS: Final = tuple(_option(key, label) for key, label in LABELS.items())


def parameters_of(options: Options) -> Parameters:
    """The tolerances that a run has chosen; those of `published` where it has chosen nothing."""
    return _parameters(tuple((key, options[key]) for key in LABELS if key in options))


@lru_cache(maxsize=64)
def _parameters(chosen: tuple[tuple[str, Value], ...]) -> Parameters:
    return Parameters.model_validate({key: _read(key, value) for key, value in chosen})
