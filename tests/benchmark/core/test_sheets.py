from __future__ import annotations

from benchmark.core.sheets import Missing, Sheet
from benchmark.metrics import Metric, values_of


def test_a_sheet_without_reasons_is_stored_as_its_figures_and_evidence() -> None:
    assert Sheet({"pc": 0.5, "gu": None}, {"seen": []}).as_json() == {
        "pc": 0.5,
        "gu": None,
        "evidence": {"seen": []},
    }


def test_reasons_are_stored_beside_the_figures() -> None:
    sheet = Sheet({"dav": None}, {}, {"dav": Missing("undefined", "days")})
    assert sheet.as_json() == {
        "dav": None,
        "missing": {"dav": {"reason": "undefined", "field": "days"}},
        "evidence": {},
    }


def test_a_figure_that_does_not_count_is_stored_and_gives_runs_no_value() -> None:
    metrics = [Metric(key=key, label=key, name=key) for key in ("pc", "gu")]
    figures = Sheet({"pc": 0.5, "gu": 0.7}, {}, uncounted_keys=["gu"]).as_json()
    assert figures["gu"] == 0.7
    assert values_of(metrics, figures) == {"pc": 0.5}
