"""How what a theme colours on a screen looks in print: told apart by the colour-blind, and in grey too.

Colours of runs are Paul Tol's scheme of twelve (SRON technical note 09-002, issue 2.1, 2012), those of ratings go
from dark to light (cividis of Nuñez, Anderton and Renslow, 2018). Bars also differ by hatches, points by markers and
lines by dashes, since no twelve colours differ in grey.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Look(NamedTuple):
    """colour: of a face or line. hatch: of bars, "" for none. marker, dash: as matplotlib names them."""

    colour: str
    hatch: str = ""
    marker: str = "o"
    dash: str | tuple[float, tuple[float, ...]] = "-"

    @property
    def hatch_colour(self) -> str:
        """Black on a light face, white on a dark one."""
        return "black" if luminance(self.colour) > 0.35 else "white"


def luminance(colour: str) -> float:
    """How light `#rrggbb` is, from 0 to 1: relative luminance as WCAG 2 defines it."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


_TWELVE = (
    *("#332288", "#88ccee", "#cc6677", "#117733", "#ddcc77", "#aa4499"),
    *("#44aa99", "#661100", "#6699cc", "#999933", "#882255", "#aa4466"),
)
_HATCHES = ("", "///", "\\\\\\", "xxx", "...", "---", "|||", "+++", "ooo", "//..", "\\\\..", "**")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
_DASHES: tuple[str | tuple[float, tuple[float, ...]], ...] = (
    *("-", "--", "-.", ":"),
    *((0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))),
    *((0, (8, 2, 2, 2)), (0, (3, 3)), (0, (5, 1, 1, 1, 1, 1)), (0, (2, 2, 6, 2))),
)
_RATINGS = ("#00224e", "#434e6c", "#7d7c78", "#bcaf6f", "#fee838")
_REASONS = ("#117733", "#ddcc77", "#cc6677", "#661100", "#aa4499", "#6699cc", "#44aa99", "#332288")

LOOKS: Final[Mapping[str, Look]] = {
    **{
        f"run{place}": Look(*look)
        for place, look in enumerate(zip(_TWELVE, _HATCHES, _MARKERS, _DASHES, strict=True), 1)
    },
    **{f"rating{place}": Look(colour) for place, colour in enumerate(_RATINGS, 1)},
    **{
        f"reason{place}": Look(colour, hatch)
        for place, (colour, hatch) in enumerate(zip(_REASONS, _HATCHES[:8], strict=True), 1)
    },
    "accent": Look("#332288"),
    "muted": Look("#8c8c8c", "", "s", ":"),
    "together": Look("#2166ac"),
    "opposed": Look("#d6604d", "////"),
    "line": Look("#c8c8c8"),
}
"""By the name that charts give a colour (`var(--NAME)`)."""
