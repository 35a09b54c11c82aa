"""A report as one zip for a paper: figures, tables, what was run, and how to make the same again."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from benchmark.exports.charts import ENDINGS, chart_files, matplotlib_is_here, read_chart
from benchmark.reports import Report
from benchmark.text.latex import escape_latex
from webapp.commit import commit
from webapp.reports.charts import Drawing
from webapp.reports.files import part_markdown, report_json, table_csv
from webapp.reports.latex import part_latex, preamble
from webapp.reports.page import ShownPart, shown_parts
from webapp.reports.wording import no_matplotlib_words

CONFIGURATION = "conditions"
"""The part that tells what was run."""
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip knows: the same report is the same file
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ArchiveNotes:
    """What of an archive its maker has to know.

    figures: how many there are. undrawn: charts without one, since matplotlib is not here. lacking: letters that no
    font of this machine has.
    """

    figures: int = 0
    undrawn: int = 0
    lacking: str = ""

    @property
    def warnings(self) -> list[str]:
        """In words."""
        return [
            *([no_matplotlib_words()] if self.undrawn else []),
            *([lacking_words(self.lacking)] if self.lacking else []),
        ]


def lacking_words(letters: str) -> str:
    """That figures have letters which no font here has, and what helps."""
    return _(
        "No font of this machine has the letters %(letters)s, which figures show as empty boxes. Install a font that "
        "has them, such as WenQuanYi Micro Hei (fonts-wqy-microhei on Debian) or Noto Sans SC."
    ) % {"letters": letters}


def report_archive(report: Report, progress: Progress = lambda done, of: None) -> tuple[bytes, ArchiveNotes]:
    """The zip of a report in the language that is active, and what of it is to be known.

    The same report gives the same bytes with the same code, matplotlib and fonts. progress: is called with the number
    of drawn charts and of all.
    """
    parts = [part for part in shown_parts(report) if part.table.rows]
    figures, notes = _draw_figures(parts, progress)
    files = {**_tables(parts), **figures, "report.json": report_json(report).encode()}
    files["paper.tex"] = _paper(parts, figures).encode()
    files["README.md"] = _readme(report, parts, sorted(files), notes).encode()
    return _zip(files), notes


def _zip(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name in sorted(files):
            member = ZipInfo(name, _DATE)
            member.compress_type, member.external_attr, member.create_system = ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(member, files[name], compresslevel=9)
    return packed.getvalue()


def _draw_figures(parts: Sequence[ShownPart], progress: Progress) -> tuple[dict[str, bytes], ArchiveNotes]:
    drawings = [drawing for part in parts for drawing in part.charts]
    if not matplotlib_is_here():
        return {}, ArchiveNotes(undrawn=len(drawings))
    files: dict[str, bytes] = {}
    lacking: dict[str, None] = {}
    for done, drawing in enumerate(drawings):
        progress(done, len(drawings))
        drawn = chart_files(read_chart(drawing.plotly))
        files |= {f"figures/{drawing.id}.{ending}": file for ending, file in drawn.files.items()}
        lacking |= dict.fromkeys(drawn.lacking)
    return files, ArchiveNotes(len(drawings), 0, "".join(lacking))


def _tables(parts: Sequence[ShownPart]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for part in parts:
        name = f"tables/{part.part.name}"
        files[f"{name}.tex"] = part_latex(part).encode()
        files[f"{name}.csv"] = table_csv(part.table).encode()
        files[f"{name}.md"] = part_markdown(part).encode()
    return files


def _paper(parts: Sequence[ShownPart], figures: dict[str, bytes]) -> str:
    """A document with all of it, to look at."""
    body = "".join(_paper_part(part, figures) for part in parts)
    tables = "".join(part_latex(part) for part in parts)
    return f"{preamble(body + tables)}\\begin{{document}}\n{body}\\end{{document}}\n"


def _paper_part(part: ShownPart, figures: dict[str, bytes]) -> str:
    drawn = [drawing for drawing in part.charts if f"figures/{drawing.id}.pdf" in figures]
    shown = "".join(_paper_figure(part, drawing) for drawing in drawn)
    return f"\\input{{tables/{part.part.name}.tex}}\n{shown}\\clearpage\n"


def _paper_figure(part: ShownPart, drawing: Drawing) -> str:
    caption = escape_latex(figure_title(part, drawing))
    return (
        "\\begin{figure}[htbp]\n\\centering\n"
        f"\\includegraphics{{figures/{drawing.id}.pdf}}\n\\caption{{{caption}}}\n"
        f"\\label{{fig:{drawing.id.replace('_', '-')}}}\n\\end{{figure}}\n"
    )


def figure_title(part: ShownPart, drawing: Drawing) -> str:
    """What a chart shows."""
    return f"{part.title}: {drawing.title}" if drawing.title else part.title


def command_of(report: Report) -> str:
    """The command that makes the same archive."""
    pair = report.pair
    judge = ["--judge", pair.judge_label, "--meta-judge", pair.meta_label] if pair else []
    published = ["--published"] if report.paper_results else []
    words = [
        *(".venv/bin/python", "manage.py", "report", *(run.id for run in report.runs)),
        *("--format", "paper", "--out", "paper.zip", "--profile", report.measures.profile),
        *("--language", get_language() or settings.LANGUAGE_CODE, *judge, *published),
    ]
    return shlex.join(words)


def _readme(report: Report, parts: Sequence[ShownPart], names: Sequence[str], notes: ArchiveNotes) -> str:
    return "\n".join(_readme_lines(report, parts, names, notes)) + "\n"


def _readme_lines(
    report: Report, parts: Sequence[ShownPart], names: Sequence[str], notes: ArchiveNotes
) -> Iterator[str]:
    yield f"# {_('Report')}"
    yield ""
    yield from (f"- {run.name} ({run.id})" for run in report.runs)
    yield ""
    yield _("The same files, of the same sessions, code and fonts:")
    yield ""
    yield f"    {command_of(report)}"
    yield ""
    if report.from_file:
        yield _("People's ratings came from a file (--labels), which the command needs too.")
        yield ""
    yield from (f"{_('Warning')}: {warning}" for warning in notes.warnings)
    yield f"## {_('Versions')}"
    yield ""
    yield from (f"- {name}: {number}" for name, number in _versions(report))
    yield ""
    yield f"## {_('Files')}"
    yield ""
    yield f"- report.json: {_('all tables as data')}"
    yield f"- paper.tex: {_('all tables and figures in one document, to look at')}"
    for part in parts:
        yield f"- tables/{part.part.name}.tex, .csv, .md: {part.title}"
        for drawing in part.charts:
            if f"figures/{drawing.id}.pdf" in names:
                yield f"- figures/{drawing.id}.{', .'.join(ENDINGS)}: {figure_title(part, drawing)}"
    yield ""
    yield _(
        "Tables need booktabs, longtable and graphicx of LaTeX; a file with letters that pdfLaTeX lacks says so in "
        "its first lines. Figures are as wide as a column (85 mm) or a page (175 mm); their fonts are embedded. "
        "%(part)s tells the configuration of the runs."
    ) % {"part": f"tables/{CONFIGURATION}"}


def _versions(report: Report) -> Iterator[tuple[str, str]]:
    yield "Caravan", commit() or _("no checkout of git")
    yield _("scoring code"), report.measures.code_version
    yield _("profile"), report.measures.profile
    yield "Python", platform.python_version()
    for package in ("numpy", "plotly", *(["matplotlib"] if matplotlib_is_here() else [])):
        yield package, version(package)
