"""All golden records come out equal in every field that the published scorer gives; a suite may have more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import pytest

from benchmark.suites.grouptravel.metrics import METRICS
from benchmark.suites.grouptravel.scoring import (
    load_catalogue,
    read_records,
    score_file,
    score_record,
)
from tests.benchmark.suites.grouptravel.scoring.build import averages

pytestmark = pytest.mark.reference
FURTHER = {"evidence", *(metric.key for metric in METRICS)}
"""What a record may have beside the published figures."""


@pytest.fixture(scope="module")
def golden(reference):
    return reference / "golden"


@pytest.fixture(scope="module")
def rare(reference):
    return reference / "golden-rare"


@pytest.fixture(scope="module")
def catalogue(golden):
    return load_catalogue(golden / "poi_catalog.json")


@pytest.fixture(scope="module")
def rare_scores(rare, catalogue):
    return [score_record(record, catalogue) for _, record in read_records(rare / "records.jsonl")]


def expected_scores(folder):
    return [json.loads(line) for line in (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


def comparable(score):
    """Each figure as JSON, which shows the order of issues and of their counts, and the sign of a zero.

    Fractions to nine places; the fields of one issue in any order.
    """
    rounded = {k: round(v, 9) if isinstance(v, float) else v for k, v in score.items()}
    if issues := score.get("pv_issues"):
        rounded["pv_issues"] = [sorted(issue.items()) for issue in issues]
    return {k: json.dumps(v, ensure_ascii=False) for k, v in rounded.items()}


def test_every_figure_is_the_published_one(golden, catalogue):
    scores = [score_record(record, catalogue) for _, record in read_records(golden / "records.jsonl")]
    assert len(scores) == 120
    for score, wanted in zip(scores, expected_scores(golden), strict=True):
        assert set(score) - set(wanted) <= FURTHER
        assert comparable({key: score[key] for key in wanted}) == comparable(wanted)


def test_every_figure_of_a_rare_record_is_the_published_one(rare, rare_scores):
    """Those on which the published scorer fails have any figures, and a warning."""
    assert len(rare_scores) == 250
    for score, wanted in zip(rare_scores, expected_scores(rare), strict=True):
        del wanted["kinds"]
        assert (score["task_id"], score["trial_id"]) == (wanted["task_id"], wanted["trial_id"])
        if "error" in wanted:
            assert score["warnings"]
        else:
            assert set(score) - set(wanted) <= {*FURTHER, "warnings"}
            made = {key: score[key] for key in wanted}
            assert comparable(made) == comparable(wanted), wanted["task_id"]


_FIGURES = {
    "preference_completeness_ratio": "pc",
    "group_utility_per_user_average_score": "gu",
    "group_fairness_score": "gf",
    "plan_validity_valid_ratio": "pv",
}


def test_the_averages_of_rare_records_are_the_published_ones(rare, rare_scores):
    wanted = json.loads((rare / "expected_aggregate.json").read_text(encoding="utf-8"))
    counted = [s for s, e in zip(rare_scores, expected_scores(rare), strict=True) if "error" not in e]
    assert _published_means(averages(counted)) == {figure: wanted[figure] for figure in _FIGURES.values()}
    for task, means in wanted["tasks"].items():
        found = averages([score for score in counted if score["task_id"] == task])
        assert _published_means(found) == {figure: means[name] for name, figure in _FIGURES.items()}


def _published_means(means: Mapping[str, float | None]) -> dict[str, float | None]:
    """The means that the published program gives too; the suite may have more metrics."""
    return {figure: means[figure] for figure in _FIGURES.values()}


def test_a_file_of_rare_records_is_scored_whole(rare, golden, tmp_path):
    out = tmp_path / "out.jsonl"
    tally = score_file(rare / "records.jsonl", golden / "poi_catalog.json", out)
    failed = {(e["task_id"], e["trial_id"]) for e in expected_scores(rare) if "error" in e}
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert tally.records == len(rows) == 250
    assert failed <= {(row["task_id"], row["trial_id"]) for row in rows if row.get("warnings")}
    assert tally.warned == sum("warnings" in row for row in rows)


@pytest.mark.parametrize("folder", ["golden", "rare"])
def test_evidence_adds_up(folder, request, catalogue):
    for _, record in read_records(request.getfixturevalue(folder) / "records.jsonl"):
        score = score_record(record, catalogue)
        evidence = score["evidence"]
        if score["gu"] is not None:
            sums = Counter(dict.fromkeys(score["per_user_utility"], 0))
            for point in evidence["utility"]:
                sums[point["user"]] += point["points"]
            assert sums == score["per_user_utility"]
            assert sum(split["penalty"] for split in evidence["splits"]) == score["split_penalty"]
            assert Counter(i["type"] for i in evidence["validity"]) == score["pv_issue_counts"]


def test_a_whole_file(golden, tmp_path):
    out = tmp_path / "out.jsonl"
    tally = score_file(golden / "records.jsonl", golden / "poi_catalog.json", out)
    counted = tally.records, tally.crashed, tally.without_table, tally.without_plan, tally.without_belief
    assert counted == (120, 5, 0, 13, 0)
    assert tally.unknown_cities == {
        "苏州": 4,
        "北京": 2,
        "成都": 1,
    }  # those that a plan writes without their 市
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["pc"] for row in rows] == [row["pc"] for row in expected_scores(golden)]
