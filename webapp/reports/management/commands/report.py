"""`manage.py report RUN…`: the report of runs as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext, override

from benchmark.inputs import MB, open_unpacked, read_whole
from benchmark.outputs import open_output, refuse_own_input
from benchmark.reports import Report
from benchmark.reports.parts import judge_and_people
from benchmark.suites import suite_named
from benchmark.text.spelling import FieldSpellings
from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.reports.archive import report_archive
from webapp.reports.files import FORMATS
from webapp.reports.folding import catch_up
from webapp.reports.judges import JudgeFilter
from webapp.reports.labels import BadLabel, Label, read_labels
from webapp.reports.selectors import MOST_RUNS, report_of
from webapp.reports.wording import Words
from webapp.sessions.models import Run
from webapp.sessions.options import run_named
from webapp.terminal import progress_bar
from webapp.wording.remarks import remark_words

PAPER = "paper"
"""The format that is no text."""
LARGEST_LABELS = 32 * MB
"""Bytes of a file of labels; each has about 100."""


class Command(DatabaseCommand):
    help = "Write the report of one run or several, the first being what the others are compared with."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="RUN", help="Ids or names of runs")
        parser.add_argument(
            "--format",
            default="md",
            choices=[*FORMATS, PAPER],
            help="paper: a zip with every table as LaTeX, CSV and Markdown, and every chart as SVG, PNG and PDF",
        )
        parser.add_argument("--out", type=Path, help="By default it is printed; a zip needs it")
        parser.add_argument(
            "--language",
            default=settings.LANGUAGE_CODE,
            choices=dict(settings.LANGUAGES),
            help="Of its words",
        )
        parser.add_argument("--profile", default="", help="By default the first that the runs' benchmark has")
        parser.add_argument(
            "--judge",
            default="",
            metavar="NAME",
            help="As in “wise”, “wise (some/model)” or “wise on caravan input”; by default whoever judged the most",
        )
        parser.add_argument("--meta-judge", default="", metavar="NAME", help="The same of the meta-judge")
        parser.add_argument(
            "--labels",
            type=Path,
            metavar="FILE",
            help="Human ratings in place of those of studies: a JSON object a line with session, dimension, score "
            "(1 to 5, or as the dimension's scale is) and annotator",
        )

        parser.add_argument(
            "--published",
            action="store_true",
            help="Set the results of the benchmark's paper beside the runs",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["format"] == PAPER and options["out"] is None:
            raise CommandError(
                "a zip is not printed: name its file with --out FILE.zip", returncode=BAD_INPUT
            )
        _refuse_own_labels(options["out"], options["labels"])
        runs = _runs(options["runs"])
        names = FieldSpellings()
        profile, labels = _profile(runs, options["profile"]), _labels(options["labels"], runs, names)
        wanted = JudgeFilter(options["judge"], options["meta_judge"])
        with progress_bar() as progress:
            catch_up(runs, progress=lambda done, whole: progress(done, whole, "sessions counted"))
        report = report_of(runs, profile, wanted, labels, options["published"])
        if not wanted.is_met_by(report.pair):
            raise CommandError(_no_judge(report), returncode=BAD_INPUT)
        joined = map(remark_words, names.remarks)
        for sentence in (*joined, *(_left_out(report) if options["labels"] else ())):
            self.stderr.write(sentence, self.style.WARNING)
        with override(options["language"]):
            content = self._content(report, options["format"])
        if options["out"] is None:
            self.stdout.write(content.decode(), ending="")
            return
        _write(options["out"], content)
        sessions = sum(len(run.sessions) for run in report.runs)
        counted = ngettext("%(n)s run", "%(n)s runs", len(runs)) % {"n": len(runs)}
        played = ngettext("%(n)s session", "%(n)s sessions", sessions) % {"n": sessions}
        self.stdout.write(f"{counted}, {played}: {options['out']}")

    def _content(self, report: Report, format_: str) -> bytes:
        if format_ != PAPER:
            return FORMATS[format_][1](report).encode()
        with progress_bar() as progress:
            content, notes = report_archive(report, lambda done, of: progress(done, of, "figures drawn"))
        for warning in notes.warnings:
            self.stderr.write(warning, self.style.WARNING)
        return content


def _refuse_own_labels(out: Path | None, labels: Path | None) -> None:
    if out and labels:
        try:
            refuse_own_input(out, labels)
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error


def _left_out(report: Report) -> list[str]:
    """What the report says of labels that it could not use."""
    return [
        Words(report.measures).of(judge_and_people.PART).note(note)
        for note in judge_and_people.PART.table(report).notes
    ]


def _write(out: Path, content: bytes) -> None:
    try:
        with open_output(out) as file:
            file.write(content)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", returncode=BAD_INPUT) from error


def _profile(runs: list[Run], name: str) -> str:
    suite = suite_named(runs[0].suite)
    if name and name not in suite.scoring.profiles:
        raise CommandError(
            f"there is no profile {name}; {suite.name} has {', '.join(suite.scoring.profiles)}",
            returncode=BAD_INPUT,
        )
    return name or suite.scoring.profile


def _labels(path: Path | None, runs: list[Run], names: FieldSpellings) -> list[Label] | None:
    """Those of a file; None without one, so that those of studies count."""
    if path is None:
        return None
    dimensions = suite_named(runs[0].suite).rating.dimensions
    try:
        with open_unpacked(path) as file:
            text = read_whole(file, LARGEST_LABELS).decode()
            return read_labels(text, dimensions, names)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
    except (BadLabel, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}", returncode=BAD_INPUT) from error
    except ValueError as error:  # too large, or can't be unpacked
        raise CommandError(str(error), returncode=BAD_INPUT) from error


def _no_judge(report: Report) -> str:
    pairs = [report.pair, *report.others] if report.pair else []
    judges = ", ".join(
        f"{pair.judge} with {pair.meta_judge or pair.meta_label} ({pair.sessions} sessions)" for pair in pairs
    )
    return f"nobody of this name has judged these runs; {judges or 'no one'} has"


def _runs(ids: list[str]) -> list[Run]:
    runs = list({run.pk: run for run in map(run_named, ids)}.values())
    if len(runs) > MOST_RUNS:
        raise CommandError(f"{len(runs)} runs; a report holds at most {MOST_RUNS}", returncode=BAD_INPUT)
    if len(suites := {run.suite for run in runs}) > 1:
        raise CommandError(
            f"these runs are of several benchmarks ({', '.join(sorted(suites))}); a report is of one",
            returncode=BAD_INPUT,
        )
    return runs
