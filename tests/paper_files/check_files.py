"""Figures and tables for papers, drawn and compiled, and read by the libraries that they are for."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import distributions
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pandas
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override
from matplotlib import font_manager
from PIL import Image
from pypdf import PdfReader

from benchmark.exports.charts import ENDINGS, chart_files, fonts, read_chart
from benchmark.reports import Report
from tests.drawn_tables import DrawnPart, drawn_parts
from tests.licences import declared_licences, is_allowed
from tests.webapp.conftest import as_researcher, researcher
from tests.webapp.reports.conftest import make_run, played_run
from webapp.reports.archive import report_archive
from webapp.reports.latex import report_latex
from webapp.reports.selectors import report_of
from webapp.sessions.models import Run

__all__ = ["as_researcher", "make_run", "played_run", "researcher"]
pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"
CHINESE_FONT = len(fonts.families()) > 1
NAMES = [
    "50 % of $x_1$ & #2 {~^} \\",
    '<b>"quoted" -- it\'s</b> | a_name/with.a/very_long/path/that.does/not_break',
    "third − ± × … “é”",
]


@pytest.mark.parametrize("drawn", [pytest.param(drawn, id=drawn.name) for drawn in drawn_parts()])
def test_every_chart_is_a_picture_in_three_formats(drawn: DrawnPart) -> None:
    drawing, *_others = drawn.drawings()
    chart = read_chart(drawing.plotly)
    files = chart_files(chart).files
    assert sorted(files) == sorted(ENDINGS)
    root = ElementTree.fromstring(files["svg"])
    assert root.tag == f"{SVG}svg" and len(list(root.iter(f"{SVG}path"))) > 5
    with Image.open(BytesIO(files["png"])) as picture:
        assert picture.width >= 1000 and picture.getextrema() != ((255, 255),) * 4
    [page] = PdfReader(BytesIO(files["pdf"])).pages
    assert embedded_fonts(page) == {"/CIDFontType2"}
    assert float(page.mediabox.width) in (pytest.approx(241, abs=1), pytest.approx(497, abs=1))


def embedded_fonts(page: object) -> set[str]:
    """The kinds of the fonts of a page, each of which has its letters in the file (`Type 42`: /FontFile2)."""
    kinds = set()
    for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
        for inner in font.get_object().get("/DescendantFonts", [font]):
            told = inner.get_object()
            assert "/FontFile2" in told["/FontDescriptor"].get_object()
            kinds.add(told["/Subtype"])
    return kinds


def test_the_same_chart_is_the_same_file() -> None:
    drawn = next(drawn_parts())
    first, second = (chart_files(read_chart(drawn.drawings()[0].plotly)).files for _ in range(2))
    assert first == second


def test_letters_that_no_font_has_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    [drawn] = [one for one in drawn_parts() if one.name == "grouptravel-completion"]
    chart = read_chart(drawn.drawings()[0].plotly)
    if CHINESE_FONT:
        assert chart_files(chart, ["svg"]).lacking == ""
    monkeypatch.setattr(fonts, "CHINESE", ())
    with pytest.warns(UserWarning, match="missing from font"):
        assert chart_files(chart, ["svg"]).lacking == "模型甲"


def test_what_a_machine_sets_for_matplotlib_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    drawn = next(drawn_parts())
    chart = read_chart(drawn.drawings()[0].plotly)
    usual = chart_files(chart, ["svg"]).files
    with matplotlib.rc_context({"axes.facecolor": "red", "font.size": 30}):
        assert chart_files(chart, ["svg"]).files == usual


def test_licences_of_what_it_needs_are_permissive() -> None:
    folder = os.environ.get("CARAVAN_FIGURES_PACKAGES")
    found = {
        package.metadata["Name"]: declared_licences(package)
        for package in distributions(path=[folder] if folder else None)  # type: ignore[arg-type]
    }
    assert "matplotlib" in found
    assert [name for name, licences in found.items() if not all(map(is_allowed, licences))] == []


@pytest.fixture
def report(played_run: Run, make_run: Callable[..., Run]) -> Report:
    """A run with sessions that ended and two without, all with odd names."""
    runs = [played_run, *(make_run(tasks=3, trials=1, name=name) for name in NAMES[1:])]
    Run.objects.filter(pk=played_run.pk).update(name=NAMES[0])
    return report_of([Run.objects.get(pk=run.pk) for run in runs], "published")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not here")
def test_latex_compiles_all_tables_and_figures(report: Report, tmp_path: Path) -> None:
    packed, notes = report_archive(report)
    assert notes.figures > 0 and notes.warnings == []
    with ZipFile(BytesIO(packed)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "report.tex").write_text(report_latex(report))
    for name in ("paper", "report"):
        text = compile_latex(tmp_path / f"{name}.tex")
        assert "50 % of $x_1$ & #2 {~^} \\" in text.replace("\n", " ")
        assert "Main results" in text


def compile_latex(path: Path) -> str:
    """The text of the document; any error of LaTeX fails."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
    for _ in range(2):
        told = subprocess.run(command, cwd=path.parent, capture_output=True, check=False)
        assert told.returncode == 0, told.stdout.decode("latin-1")[-3000:]
    return "\n".join(page.extract_text() for page in PdfReader(path.with_suffix(".pdf")).pages)


def test_pandas_reads_every_table(report: Report) -> None:
    packed, _notes = report_archive(report)
    with ZipFile(BytesIO(packed)) as archive:
        for name in archive.namelist():
            if name.endswith(".csv"):
                table = pandas.read_csv(BytesIO(archive.read(name)))
                assert len(table) > 0 and not table.columns.duplicated().any()
        results = pandas.read_csv(BytesIO(archive.read("tables/main_results.csv")))
    assert results.gu.dtype == float and (results.gu_low.dropna() <= results.gu_high.dropna()).all()


def test_page_and_command_give_the_same_figures(
    report: Report, as_researcher: Client, tmp_path: Path
) -> None:
    ids = [run.id for run in report.runs]
    call_command("report", *ids, "--format", "paper", "--out", tmp_path / "paper.zip")
    with override("en"):
        packed, _notes = report_archive(report)
    assert (tmp_path / "paper.zip").read_bytes() == packed
    with ZipFile(BytesIO(packed)) as archive:
        names = [name for name in archive.namelist() if name.startswith("figures/")]
        assert names
        for name in names[:3]:
            page = as_researcher.get(f"/reports/{name}?runs={','.join(ids)}")
            assert page.content == archive.read(name)


def test_fonts_are_looked_for_where_the_machine_has_them() -> None:
    assert fonts.families()[0] == "DejaVu Sans"
    assert set(fonts.families()) <= set(font_manager.fontManager.get_font_names())
