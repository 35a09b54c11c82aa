"""What a run may have otherwise than the profile `published`: an option for each of the parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import ValidationError

from benchmark.core.options import Options, Value
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark
from benchmark.suites.base import Option
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS, SOFT, Parameters
from benchmark.text import guarded

LABELS: Final[Mapping[str, str]] = {
    "allow_external": _("Sights from outside the data pass"),
    "waive_missing_legs": _("Legs that the data lacks are not asked for"),
    "period_slack_min": _("Slack of a period for departures, minutes"),
    "hotel_last": _("The day's hotel stands last"),
    "min_visit_min": _("Least visit while a sight is open, minutes"),
    "default_visit_h": _("Visit of unknown length, hours"),
    "block_min_free": _("Time left for a sight beside a leg, minutes"),
    "early_departure": _("No sight before legs that leave before"),
    "density_full": _("Hours of a full day"),
    "density_transfer": _("Hours of a day with a leg"),
    "hotel_near_km": _("Hotels are near each other up to, km"),
    "daytime_mode": _("A day counts as unused if this is empty"),
    "late_open": _("A sight opens late from"),
    "dup_weight": _("Weight of visiting a sight again and again"),
    "cluster_pairs": _("Pairs of sights whose ways are compared"),
    "far_share": _("Share of the ways that are long"),
    "far_floor_km": _("Ways are never long up to, km"),
    "pacing": _("Hours a day of each pace"),
    "star_bands": _("Stars of each class of hotels, the most excluded"),
    "user_zero": _("Worth of a request that asks for nothing special"),
    "missing": _("Values that are missing"),
    "w1": _("w1: weights of the soft constraints"),
    "w2": _("w2: weights of the preferences"),
    "w3": _("w3: weight of all soft constraints"),
    "w4": _("w4: weight of all preferences"),
    "penalty_format": _("Reward of a plan of the wrong form"),
    "penalty_com": _("Penalty of a plan against common sense"),
    "stop_reward": _("LLM-Modulo stops above this reward"),
    "stop_margin": _("LLM-Modulo stops so near to the highest reward"),
}
"""What forms and scores call the parameters."""
_CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "daytime_mode": {"both": _("morning and afternoon"), "either": _("morning or afternoon")},
    "cluster_pairs": {"same_city": _("of one city"), "all": _("all")},
    "missing": {"renormalise": _("are left out"), "zero": _("count 0")},
}
_COMMAS = guarded.compile("[,，;；]")
_SHARES: Final = ("far_share",)


def words_of(value: Any) -> str:
    """A parameter as its option has it: `30`, `4-10`, `4.5-`, `relaxed=2-6, moderate=4-8`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={words_of(part)}" for name, part in value.items())
    if isinstance(value, tuple | list):
        return "-".join("" if part is None else words_of(part) for part in value)
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _read(text: Value, usual: Any) -> Any:
    """Raises ValueError. Names that a text leaves out have their usual figures."""
    if isinstance(usual, Mapping):
        pairs = [part.partition("=") for part in _COMMAS.split(str(text)) if part.strip()]
        names = [SOFT.get(name.strip(), name.strip()) for name, _equals, _words in pairs]
        if len({*names}) < len(names) or {*names} - {*usual}:
            raise ValueError("a name is unknown, or there twice")
        one = next(iter(usual.values()))
        told = {name: _read(words, one) for name, (_name, _equals, words) in zip(names, pairs, strict=True)}
        return {**usual, **told}
    if isinstance(usual, tuple):
        least, dash, most = str(text).replace("–", "-").partition("-")
        if not dash:
            raise ValueError("there is no dash")
        return float(least), float(most) if most.strip() else None
    return float(text) if isinstance(usual, float | int) and not isinstance(usual, bool) else text


def _remedy(key: str, usual: Any) -> Remark:
    told = {"usual": words_of(usual)}
    if isinstance(usual, Mapping):
        names = {"names": ", ".join(usual)}
        words = _("write NAME=VALUE, parted by commas, for some of %(names)s, each once; usual is %(usual)s")
        return Remark(words, {**told, **names})
    if isinstance(usual, tuple):
        return Remark(_("write the least, - and the most, such as %(usual)s"), told)
    if isinstance(usual, str):
        return Remark(_("write a time of day, such as %(usual)s"), told)
    share = _("write a number from 0 to 1, such as %(usual)s")
    return Remark(share if key in _SHARES else _("write 0 or a number above, such as %(usual)s"), told)


def _check(key: str) -> Callable[[Value], Remark | None]:
    usual = getattr(DEFAULTS, key)

    def check(value: Value) -> Remark | None:
        try:
            Parameters.model_validate({key: _read(value, usual)})
        except (ValidationError, ValueError):
            return _remedy(key, usual)
        return None

    return check


def _option(key: str, label: str) -> Option:
    usual, values = getattr(DEFAULTS, key), _CHOICES.get(key, {})
    is_number = isinstance(usual, int | float) and not isinstance(usual, bool)
    return Option(
        key=key,
        label=label,
        default=float(usual) if is_number else usual if isinstance(usual, bool) else words_of(usual),
        values=values,
        check=None if values or isinstance(usual, bool) else _check(key),
        usual=False,
    )


SCORING_OPTIONS: Final = tuple(_option(key, label) for key, label in LABELS.items())


def parameters_of(options: Options) -> Parameters:
    """The parameters that a run has chosen; those of `published` where it has chosen nothing."""
    return _parameters(tuple((key, options[key]) for key in LABELS if key in options))


@lru_cache(maxsize=64)
def _parameters(chosen: tuple[tuple[str, Value], ...]) -> Parameters:
    told = {key: _read(value, getattr(DEFAULTS, key)) for key, value in chosen}
    changed = {key: value for key, value in told.items() if value != getattr(DEFAULTS, key)}
    return Parameters.model_validate(changed) if changed else DEFAULTS
