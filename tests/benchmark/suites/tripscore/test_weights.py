"""The grid of weights that TripScore brings, and what its multipliers leave as it is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.labelling.weights import Options, Pair, learn
from benchmark.labelling.weights.comparison import Comparison
from benchmark.labelling.weights.components import classes_of
from benchmark.labelling.weights.scoring import Scores
from benchmark.suites import weight_grids
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.weights import paper_grid
from tests.properties import examples

TABLE_5 = paper_grid().defaults
VALUES = st.integers(0, 100).map(lambda percent: percent / 100)
SIDES = st.fixed_dictionaries({}, optional=dict.fromkeys(paper_grid().metrics, VALUES))


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=20))
def test_scaling_both_multipliers_of_the_paper_leaves_every_sign(
    sides: list[tuple[dict[str, float], dict[str, float]]],
) -> None:
    """(w3, w4) = (0.5, 0.05) · {1, 2, 3, 4}."""
    grid = paper_grid()
    assert TABLE_5
    inner = grid.values_of(TABLE_5)[2:]
    pairs = [Pair(str(number), "", "A", a, b) for number, (a, b) in enumerate(sides)]
    choices = [grid.weights_of([0.5 * times, 0.05 * times, *inner]) for times in (1, 2, 3, 4)]
    signs = Scores(Comparison(pairs, grid), choices).signs
    assert (signs == signs[0]).all()


def test_the_grid_of_the_paper_has_its_size() -> None:
    grid = paper_grid()
    assert grid.points == 3_720_087 == 3**7 * 3**4 * 3 * 7
    assert classes_of(grid.without_metrics(["user"]) or grid).count == 2_185 * 79 * 18


def test_the_papers_grid_takes_pairs_of_both_kinds_of_queries() -> None:
    """Synthetic queries have four preferences, real ones the user's request alone; here with few points."""
    grid = paper_grid().without_metrics(
        [
            "schedule_density",
            "daytime_utilization",
            "unique_attractions",
            "iconic_landmarks",
            "attraction_diversity",
        ]
    )
    assert grid
    soft = {"hotel_consistency": 0.5, "location_clustering": 0.5}
    pairs = [
        Pair(
            "synthetic",
            "",
            "A",
            {**soft, "budget": 1.0, "pacing": 0.2, "attraction": 0.1, "effort": 0.0},
            soft,
        ),
        Pair("real", "", "B", {**soft, "user": 0.2}, {**soft, "user": 0.8}),
    ]
    found = learn(pairs, grid, Options(folds=0, bootstrap=0, relearn=False))
    assert (found.agreement.right, found.landscape.best_points) == (2, grid.points)


def test_its_defaults_are_the_weights_of_the_reward() -> None:
    soft, wishes = (paper_grid().defaults or paper_grid().weights_at(0)).groups
    assert (soft.metrics, wishes.metrics) == (DEFAULTS.w1, DEFAULTS.w2)
    assert (soft.weight, wishes.weight) == (DEFAULTS.w3, DEFAULTS.w4["synthetic"])
    assert DEFAULTS.w4["real"] in paper_grid().groups[1].weights and [*weight_grids()] == ["tripscore"]
