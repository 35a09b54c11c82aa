"""How the figures of runs are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.runs.figures import Figures
from webapp.wording.numbers import number_words


@dataclass(frozen=True, slots=True)
class Column:
    """How one figure is shown. places: decimals, of per cent where the figure is a share."""

    label: str | Promise
    title: str | Promise
    kind: Literal["number", "share"]
    places: int

    def words(self, value: float | None) -> str:
        """A figure; a dash for none."""
        return number_words(self._scaled(value), self.places)

    def change_words(self, value: float | None) -> str:
        """A difference with its sign, in points where the figure is a share."""
        return "" if value is None else number_words(self._scaled(value), self.places, signed=True)

    def _scaled(self, value: float | None) -> float | None:
        return 100 * value if value is not None and self.kind == "share" else value


COLUMNS: Mapping[str, Column] = {
    "gu": Column("GU", _("group utility"), "number", 2),
    "pc": Column("PC %", _("completeness"), "share", 1),
    "gf": Column("GF", _("fairness, 0 to 100"), "number", 1),
    "pv": Column("PV %", _("share of valid plans"), "share", 1),
    "judge": Column(
        "S", _("the judge's score, 0 to 100, calibrated by the meta-judge; over judged sessions"), "number", 1
    ),
    "plans": Column(_("plans %"), _("share of sessions with a plan"), "share", 1),
    "hit_rate": Column(_("hits %"), _("share of answered tool calls that the cache knew"), "share", 1),
    "calls": Column(_("calls"), _("tool calls a session"), "number", 2),
    "simulated": Column(_("simulated %"), _("share of answered tool calls that were simulated"), "share", 1),
    "errors": Column(_("errors"), _("tool errors a session"), "number", 2),
}
"""The figures of `webapp.runs.figures.COMPARED`."""


def figure_words(value: float | None, name: str) -> str:
    """One of them as every page and command shows it: PC and PV in per cent."""
    return COLUMNS[name].words(value)


OF_CACHES = ("hit_rate", "simulated")
"""Those that mean nothing where no cache answers."""
SCORES = ("pc", "gu", "gf", "pv", "judge", "plans")
"""Those of a run's own page."""


def words_of(figures: Figures, names: Iterable[str]) -> list[str]:
    """Some of the figures as they are shown."""
    return [COLUMNS[name].words(getattr(figures, name)) for name in names]
