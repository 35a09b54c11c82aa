"""The grid among which the paper chose the reward's weights (appendix C.2), with those of Table 5 as defaults.

Its default for the weight of preferences is that of synthetic queries; the grid has that of real ones too, 1.4.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmark.suites.base import WeightGrid

if TYPE_CHECKING:
    from benchmark.labelling.weights import Grid

_JUDGE_METRICS: Final = {
    "judge_iconic": "iconic_landmarks",
    "judge_diversity": "attraction_diversity",
    "judge_user": "user",
}
WEIGHT_GRIDS: Final = {"tripscore": WeightGrid(Path(__file__).with_name("grid.json"), _JUDGE_METRICS)}


def paper_grid() -> Grid:
    """The grid itself: 3,720,087 points."""
    from benchmark.labelling.weights import read_grid  # with numpy, which few commands need

    return read_grid(WEIGHT_GRIDS["tripscore"].file.read_bytes())
