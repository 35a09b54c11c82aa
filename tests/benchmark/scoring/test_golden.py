"""All golden records come out equal in every field."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmark.scoring import load_catalogue, read_records, score_file, score_record

pytestmark = pytest.mark.reference


@pytest.fixture(scope="module")
def golden(reference):
    return reference / "golden"


def expected(golden):
    return [json.loads(line) for line in (golden / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


def comparable(score):
    """Each figure as JSON, which shows the order of issues and of their counts, and the sign of a zero.

    Fractions to nine places; the fields of one issue in any order.
    """
    rounded = {k: round(v, 9) if isinstance(v, float) else v for k, v in score.items()}
    if issues := score.get("pv_issues"):
        rounded["pv_issues"] = [sorted(issue.items()) for issue in issues]
    return {k: json.dumps(v, ensure_ascii=False) for k, v in rounded.items()}


def test_every_figure_is_the_published_one(golden):
    catalogue = load_catalogue(golden / "poi_catalog.json")
    scores = [score_record(record, catalogue) for _, record in read_records(golden / "records.jsonl")]
    assert len(scores) == 120
    for score, wanted in zip(scores, expected(golden), strict=True):
        score.pop("evidence")
        assert set(score) == set(wanted)
        assert comparable(score) == comparable(wanted)


def test_evidence_adds_up(golden):
    catalogue = load_catalogue(golden / "poi_catalog.json")
    for _, record in read_records(golden / "records.jsonl"):
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
    assert [row["pc"] for row in rows] == [row["pc"] for row in expected(golden)]
