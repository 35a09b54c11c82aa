from __future__ import annotations

from benchmark.core.sheets import Missing, Sheet


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
