"""Pairs and grids that people wrote: what is read, and what is refused with line, field and remedy."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmark.labelling.weights import (
    GridError,
    Pair,
    PairsError,
    grid_of,
    pairs_of,
    read_grid,
    read_pairs,
)
from benchmark.suites.tripscore.weights import paper_grid

GOOD: dict[str, Any] = {"id": "p", "stratum": "s", "label": "A", "a": {"m": 1, "n": None}, "b": {"m": 0.5}}


def refusal(*lines: str | bytes | None) -> str:
    with pytest.raises(PairsError) as caught:
        read_pairs(lines)
    return str(caught.value)


def test_a_pair_has_the_values_that_there_are() -> None:
    lines: list[bytes | str] = [
        b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
        "",
        json.dumps(GOOD | {"id": 7, "stratum": None, "x": 1}),
    ]
    first, second = read_pairs(lines)
    assert first == Pair("p", "s", "A", {"m": 1.0}, {"m": 0.5})
    assert (second.id, second.stratum) == ("7", "")
    assert pairs_of([first.as_json(), second.as_json()]) == [first, second]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"label": "a"}, "line 1, label: expected one of A, B, tie, neither, found 'a'"),
        ({"label": None}, "line 1, label: expected one of A, B, tie, neither, found None"),
        ({"label": ["A"]}, "line 1, label: expected one of"),
        ({"id": ""}, "line 1, id: is missing; give each pair an id of its own"),
        ({"id": "a\0b"}, "line 1, id: holds the character NUL"),
        ({"id": 1.5}, "line 1, id: expected a text or a whole number, found 1.5"),
        ({"stratum": "\ud800"}, "line 1, stratum: holds half a character"),
        ({"a": [1]}, "line 1, a: expected an object with a number for each metric, found [1]"),
        ({"a": {"m": "1"}}, "line 1, a.m: expected a number, found '1'; write null where there is no value"),
        ({"a": {"m": True}}, "line 1, a.m: expected a number, found True"),
        ({"b": {"m": 2e9}}, "line 1, b.m: 2e+09 is beyond 1e+09; use a larger unit"),
        ({"b": {"m\0": 1}}, "line 1, b.'m\\x00': holds the character NUL"),
    ],
)
def test_what_is_wrong_with_a_field_is_told_with_its_remedy(changed: dict[str, Any], told: str) -> None:
    assert refusal(json.dumps(GOOD | changed)).startswith(told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "line 1: expected an object with a, b, id, label, stratum, found []"),
        ("{", "line 1: not valid JSON at character 2"),
        (b"\xff", "line 1: not UTF-8 at byte 1; save the file as UTF-8"),
        ('{"a": {"m": NaN}}', "line 1: NaN is not a number in JSON; write a finite figure, or null"),
        ('{"a": {"m": 1, "m": 2}}', "line 1: 'm' stands twice in one object; leave one out"),
        ("[" * 100_000, "line 1: nested too deeply"),
        (None, "line 1: longer than 1 MB"),
        ("", "line 1: the file holds no pair; expected one JSON object a line"),
    ],
)
def test_a_line_that_is_no_pair_is_told(line: str | bytes | None, told: str) -> None:
    assert refusal(line).startswith(told)


def test_a_number_that_is_infinite_or_endless_is_refused() -> None:
    line = json.dumps(GOOD).replace("0.5", "1e999")
    assert (
        refusal(line)
        == "line 1, b.m: expected a finite number, found inf; write null where there is no value"
    )
    assert refusal(line.replace("1e999", "9" * 400)).startswith("line 1: a figure has 400 digits")


def test_an_id_that_stands_twice_names_the_first_line_and_all_problems_are_told() -> None:
    told = refusal(json.dumps(GOOD), json.dumps(GOOD | {"label": "X"}), json.dumps(GOOD))
    assert [line.split(":")[0] for line in told.splitlines()] == ["line 2, label", "line 3, id"]
    assert "stands on line 1 already; give each pair its own id" in told


def test_a_flat_grid_may_have_a_metric_called_groups() -> None:
    grid = grid_of({"groups": [1, 2], "m": [0.5]})
    assert (grid.flat, grid.metrics, grid.points) == (True, ["groups", "m"], 2)
    assert grid.as_json() == {"groups": [1, 2], "m": [0.5]}
    assert grid.weights_at(1).as_json() == {"groups": 2, "m": 0.5}


def test_points_stand_in_the_order_of_their_lists_and_the_last_changes_fastest() -> None:
    grid = paper_grid()
    assert grid_of(grid.as_json()) == grid
    last = grid.weights_at(grid.points - 1).as_json()["groups"]
    assert [group["weight"] for group in last] == [1.2, 1.4]
    second = grid.weights_at(1).as_json()["groups"]
    assert second[1] == {
        "name": "preference",
        "weight": 0.1,
        "metrics": {"attraction": 0.2, "pacing": 0.2, "budget": 0.2, "effort": 0.6, "user": 1},
    }
    assert grid.values_of(grid.weights_at(77)) == [
        *(group["weight"] for group in grid.weights_at(77).as_json()["groups"]),
        *(w for group in grid.weights_at(77).as_json()["groups"] for w in group["metrics"].values()),
    ]


def test_a_grid_without_metrics_loses_groups_that_are_empty_and_their_defaults() -> None:
    grid = paper_grid().without_metrics(["attraction", "pacing", "budget", "effort", "user", "budget"])
    assert grid and grid.defaults
    assert [group.name for group in grid.groups] == [group.name for group in grid.defaults.groups] == ["soft"]
    assert grid_of({"m": [1]}).without_metrics(["m"]) is None


GROUP = {"name": "g", "weights": [1], "metrics": {"m": [1]}}


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ([], "expected metrics with weights, as"),
        ({}, "expected metrics with weights, as"),
        ({"m": []}, "m: expected a list of at least one weight, found []"),
        ({"m": 1}, "m: expected a list of at least one weight, found 1"),
        (
            {"m": [1, -0.5]},
            "m[1]: a weight can't be negative, found -0.5; turn the metric round (1 − m) instead",
        ),
        ({"m": ["1"]}, "m[0]: expected a number, found '1'"),
        ({"m": [1e-9]}, "m[0]: a weight is 0 or between 1e-06 and 1e+06, found 1e-09"),
        ({"m": [1, 1.0]}, "m[1]: 1 stands in this list already; leave one out"),
        ({"groups": [GROUP, 5]}, "groups[1]: expected an object with name, weights, metrics, found 5"),
        ({"groups": [GROUP | {"name": ""}]}, "groups[0].name: expected a name, found ''"),
        ({"groups": [GROUP | {"weights": []}]}, "groups[0].weights: expected a list of at least one weight"),
        ({"groups": [GROUP | {"metrics": {}}]}, "groups[0].metrics: expected metrics with weights"),
        ({"groups": [GROUP, GROUP | {"name": "h"}]}, "groups[1].metrics.m: 'm' stands in the grid twice"),
        (
            {"groups": [GROUP, GROUP | {"metrics": {"n": [1]}}]},
            "groups[1].name: 'g' stands in the grid twice",
        ),
        (
            {"groups": [GROUP], "n": [1]},
            "n: is not read beside groups; put the metric into the metrics of a group",
        ),
        ({"groups": [GROUP], "defaults": 3}, "defaults.groups: expected a list of groups"),
        (
            {"groups": [GROUP], "defaults": {"groups": []}},
            "defaults.groups: expected the groups g, each once",
        ),
        (
            {"groups": [GROUP], "defaults": {"groups": [{"name": "g", "weight": -1, "metrics": {}}]}},
            "defaults.g.weight: a weight can't be negative",
        ),
        (
            {"groups": [GROUP], "defaults": {"groups": [{"name": "g", "weight": 1, "metrics": {"n": 1}}]}},
            "defaults.g.metrics: expected one weight for each of m",
        ),
        (
            {"groups": [GROUP], "defaults": {"groups": [{"name": "g", "weight": 1, "metrics": {"m": "x"}}]}},
            "defaults.g.metrics.m: expected a number, found 'x'",
        ),
    ],
)
def test_what_is_wrong_with_a_grid_is_told_with_its_remedy(raw: Any, told: str) -> None:
    with pytest.raises(GridError) as caught:
        read_grid(json.dumps(raw))
    assert str(caught.value).startswith(told)


def test_a_grid_that_is_no_json_or_endless_is_refused() -> None:
    for text, told in (("{", "not valid JSON at character 2"), (" " * 2_000_000, "larger than 1 MB")):
        with pytest.raises(GridError, match=told):
            read_grid(text)


@pytest.mark.parametrize(
    "grid", [{"m": [0], "n": [0]}, {"groups": [{"name": "g", "weights": [0], "metrics": {"m": [1]}}]}]
)
def test_a_grid_whose_weights_are_all_0_is_refused(grid: dict[str, Any]) -> None:
    with pytest.raises(GridError, match="every weight is 0"):
        grid_of(grid)


def test_a_metric_is_the_same_however_its_name_is_composed() -> None:
    [pair] = read_pairs([json.dumps(GOOD | {"a": {"cafe\u0301": 1}, "b": {"caf\u00e9\u200b": 0}})])
    assert set(pair.a) == set(pair.b) == set(read_grid('{"cafe\u0301": [1]}').metrics) == {"caf\u00e9"}
    assert "stands twice in one object" in refusal(
        json.dumps(GOOD | {"a": {"cafe\u0301": 1, "caf\u00e9": 2}})
    )
