"""What is in a benchmark's room belongs to that benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark.suites import SUITES, suite_named
from tests import ROOT
from webapp.sessions.panels import panels_of


def names_in(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*") if path.stem.strip("_") not in ("init", "pycache")}


def test_each_room_bears_the_name_of_a_benchmark() -> None:
    assert names_in(ROOT / "webapp" / "suites") <= set(SUITES)
    assert names_in(ROOT / "templates" / "suites") <= set(SUITES)


@pytest.mark.parametrize("suite", SUITES)
def test_templates_and_refreshes_name_what_there_is(suite: str) -> None:
    kinds, panels = set(suite_named(suite).play.kinds), panels_of(suite)
    templates = ROOT / "templates" / "suites" / suite
    assert names_in(templates / "events") <= kinds
    assert names_in(templates / "panels") <= set(panels)
    assert {type_ for panel in panels.values() for type_ in panel.refresh.split()} <= kinds
