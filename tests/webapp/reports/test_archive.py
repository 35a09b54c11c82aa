"""The zip of a report for a paper: tables, a way to make it again, and figures where matplotlib is."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from webapp.reports import archive
from webapp.reports.archive import report_archive
from webapp.reports.files import table_csv
from webapp.reports.page import parts_of
from webapp.reports.selectors import report_of
from webapp.sessions.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "matplotlib_is_here", lambda: False)


def files_of(packed: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(packed)) as file:
        assert file.testzip() is None
        return {name: file.read(name).decode() for name in file.namelist()}


@pytest.mark.usefixtures("without_matplotlib")
def test_without_matplotlib_it_has_the_tables_and_says_how_to_install_it(played_run: Run) -> None:
    report = report_of([played_run], "published")
    packed, notes = report_archive(report)
    files = files_of(packed)
    filled = [part for part in parts_of(report) if part.table(report).rows]
    assert {name for name in files if name.startswith("tables/")} == {
        f"tables/{part.name}.{ending}" for part in filled for ending in ("tex", "csv", "md")
    }
    assert not any(name.startswith("figures/") for name in files)
    assert notes.undrawn > 0 and notes.figures == 0
    [warning] = notes.warnings
    assert "pip install -r requirements-figures.txt" in warning and warning in files["README.md"]
    for part in filled:
        assert files[f"tables/{part.name}.csv"] == table_csv(part.table(report))
    assert json.loads(files["report.json"])["runs"][0]["id"] == played_run.pk
    assert r"\begin{tabular}" in files["tables/main_results.tex"]
    assert f"report {played_run.pk} --format paper --out paper.zip" in files["README.md"]


@pytest.mark.usefixtures("without_matplotlib")
def test_the_same_report_is_the_same_zip_by_the_command_too(
    played_run: Run, make_run: Callable[..., Run], tmp_path: Path
) -> None:
    other = make_run(tasks=3, trials=1, name="模型 乙")
    for language in ("en", "zh-hans"):
        path = tmp_path / f"{language}.zip"
        ids = played_run.pk, other.pk
        call_command("report", *ids, "--format", "paper", "--out", path, "--language", language)
        with override(language):
            [first, second] = (
                report_archive(report_of([played_run, other], "published"))[0] for _ in range(2)
            )
        assert path.read_bytes() == first == second
    assert "运行" in files_of(first)["tables/runs.md"]


def test_a_zip_is_not_printed(played_run: Run) -> None:
    with pytest.raises(CommandError, match=r"--out FILE\.zip"):
        call_command("report", played_run.pk, "--format", "paper")


@pytest.mark.usefixtures("without_matplotlib")
def test_what_was_run_tells_tasks_tools_and_the_code_of_scores(played_run: Run) -> None:
    packed, _notes = report_archive(report_of([played_run], "published"))
    told = files_of(packed)["tables/conditions.csv"]
    for key in ("agent", "collection", "tasks_digest", "world", "toolset", "seed", "trials", "scoring"):
        assert f"\r\n{key}," in told
