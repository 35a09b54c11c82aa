"""`manage.py learn_weights`: the same functions as the pages, over files."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from benchmark.labelling.weights import Options, grid_of, learn, read_pairs
from tests.benchmark.labelling.weights.synthetic_pairs import noisy_pairs
from webapp.labelling.management.commands import learn_weights as command

GRID = {
    "groups": [
        {"name": "soft", "weights": [1, 2], "metrics": {"m": [0.1, 0.7], "n": [0.1, 0.4], "o": [1]}},
        {"name": "wish", "weights": [0.5], "metrics": {"p": [0.2, 1]}},
    ]
}
QUICK = ("--folds", "3", "--bootstrap", "20")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """pairs.jsonl and grid.json."""
    grid = grid_of(GRID)
    pairs = noisy_pairs(grid, grid.weights_at(5), 40, 0.2, np.random.default_rng(1))
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair.as_json()) + "\n" for pair in pairs))
    (tmp_path / "grid.json").write_text(json.dumps(GRID))
    return tmp_path


def run(folder: Path, *options: str, pairs: str = "pairs.jsonl", grid: str = "grid.json") -> str:
    out = StringIO()
    named = grid if grid == "tripscore" else str(folder / grid)
    call_command("learn_weights", str(folder / pairs), "--grid", named, *QUICK, *options, stdout=out)
    return out.getvalue()


def refusal(folder: Path, *options: str, **names: str) -> str:
    with pytest.raises(CommandError) as caught:
        run(folder, *options, **names)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_json_is_what_the_function_finds(files: Path) -> None:
    found: dict[str, Any] = json.loads(run(files, "--json", "--seed", "4", "--without-neither"))
    pairs = read_pairs((files / "pairs.jsonl").read_bytes().splitlines())
    wanted = learn(pairs, grid_of(GRID), Options(folds=3, bootstrap=20, seed=4, drop_neither=True))
    assert found == json.loads(json.dumps(wanted.as_json()))


def test_packed_pairs_are_read_too(files: Path) -> None:
    (files / "packed.gz").write_bytes(gzip.compress((files / "pairs.jsonl").read_bytes()))
    assert run(files, "--json", pairs="packed.gz") == run(files, "--json")


def test_words_tell_the_weights_and_which_figures_are_optimistic(files: Path) -> None:
    with translation.override("en"):
        told = run(files)
    rows = [" ".join(line.split()[:3]) for line in told.splitlines()]
    assert "40 pairs (A" in rows
    assert {"soft / m", "wish / p"} <= {" ".join(row.split()[:3]) for row in rows}
    for name in (
        "validation pairs",
        "sample, weights fixed",
        "sample, weights chosen",
        "out of bag",
        "simplex weights",
    ):
        assert any(row.startswith(name) for row in rows), name
    assert "All rows but validation and out of bag are optimistic" in told
    brief = run(files, "--folds", "0", "--bootstrap", "0", "--no-relearning")
    assert "cross_validation: it was not asked for" in brief


def test_a_shipped_grid_has_a_name_and_metrics_can_be_left_out(files: Path) -> None:
    assert "no pair has a value of this metric" in refusal(files, grid="tripscore")
    found = json.loads(run(files, "--json", "--leave-out", "m", "--leave-out", "p"))
    assert found["grid"] == {"groups": [{**GRID["groups"][0], "metrics": {"n": [0.1, 0.4], "o": [1]}}]}
    assert found["ignored_metrics"] == ["m", "p"]
    told = refusal(files, "--leave-out", "x")
    assert told == "--leave-out: the grid has no x; it has m, n, o, p"
    everything = [word for metric in "mnop" for word in ("--leave-out", metric)]
    assert refusal(files, *everything) == "--leave-out: no metric of the grid is left"


def test_bad_files_are_told_by_name_line_field_and_remedy(files: Path) -> None:
    (files / "bad.jsonl").write_text('{"id": 1, "label": "C", "a": {}, "b": {}}\n')
    told = refusal(files, pairs="bad.jsonl")
    assert told == f"{files / 'bad.jsonl'}: line 1, label: expected one of A, B, tie, neither, found 'C'"
    (files / "bad.json").write_text('{"m": []}')
    told = refusal(files, grid="bad.json")
    assert told == f"{files / 'bad.json'}: m: expected a list of at least one weight, found []"
    assert refusal(files, grid="none.json") == f"{files / 'none.json'}: No such file or directory"
    assert refusal(files, pairs=".") == f"{files}: Is a directory"


def test_options_out_of_range_and_grids_beyond_the_bound_are_refused(files: Path) -> None:
    assert refusal(files, "--folds", "1").startswith("folds: expected 0 for none, or 2 to 100, found 1")
    assert refusal(files, "--seed", "-1") == "--seed: expected a whole number from 0, found -1"
    assert "the grid has 16 points, 9 are admitted" in refusal(files, "--most-points", "9")


def test_who_stops_it_is_told_that_nothing_was_learned(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "learn", raise_interrupt)
    with pytest.raises(CommandError, match="stopped; nothing was learned") as caught:
        run(files)
    assert caught.value.returncode == 130


def test_the_table_of_weights_says_which_others_are_as_good(files: Path) -> None:
    (files / "tied.jsonl").write_text(
        json.dumps({"id": "1", "label": "A", "a": {"m": 1, "n": 0.5}, "b": {"m": 0, "n": 0.5}}) + "\n"
    )
    (files / "tied.json").write_text('{"m": [0, 1], "n": [0, 1, 3]}')
    with translation.override("en"):
        told = run(files, "--folds", "0", "--bootstrap", "0", pairs="tied.jsonl", grid="tied.json")
    [row] = [line.split() for line in told.splitlines() if "0, 3" in line]
    assert row[0] == "n" and "1" in row


def test_spellings_that_were_joined_are_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(files, "--json", "--seed", "4")
    lines = (files / "pairs.jsonl").read_text().splitlines()
    lines[0] = lines[0].replace('"p"', '"p\u200b"')
    for at in (0, 1):
        pair = json.loads(lines[at]) | {"stratum": "caf\u00e9" if at else "cafe\u0301"}
        lines[at] = json.dumps(pair)
    label = json.loads(lines[2])["label"]
    lines[2] = lines[2].replace(f'"label": "{label}"', f'"label": "{label} "')
    (files / "pairs.jsonl").write_text("\n".join(lines))
    capsys.readouterr()
    found = json.loads(run(files, "--json", "--seed", "4"))
    told = capsys.readouterr().err
    assert found["weights"] == json.loads(plain)["weights"]
    joined = "written in several ways and counted as one:"
    assert rf"name, {joined} 'p', 'p\u200b'" in told
    assert rf"stratum, {joined} 'cafe\u0301', 'caf\xe9'" in told
    assert f"label, {joined}" in told and f"'{label} '" in told
