"""`manage.py score RECORDS --catalogue POI --out OUT --profile PROFILE`: run records into figures with evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.metrics import PLACES, Metric, Values, aggregate, column_metrics
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import AnySuite
from webapp.catalogue.options import add_suite
from webapp.commands import UncheckedCommand, add_json, print_result
from webapp.pages import pages_of
from webapp.terminal import progress_bar
from webapp.wording.metrics import mean_words

PUBLISHED_DIGITS = 2


class Command(UncheckedCommand):
    help = "Score published run records (JSONL, .gz too) without touching the database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("records", type=Path, help="Run records, one JSON object a line; .gz is unpacked")
        parser.add_argument(
            "--catalogue", type=Path, required=True, help="The places, {city: [place, …]} or a world's pack"
        )
        parser.add_argument("--out", type=Path, required=True, help="Where the scores go, one line a record")
        add_suite(parser)
        profiles = dict.fromkeys(name for suite in SUITES for name in suite_named(suite).scoring.profiles)
        parser.add_argument("--profile", choices=list(profiles), help="By default the benchmark's first")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        suite = suite_named(options["suite"])
        out, profile = options["out"], options["profile"] or suite.scoring.profile
        tally = _score_records(suite, options["records"], options["catalogue"], out, profile)
        summary, warnings = pages_of(suite.name).figures.tally(tally, options["catalogue"])
        lines = [_outcome(suite, tally.records, out, profile), f"  {summary}"]
        if out.is_file():
            means = aggregate(_scores(out), suite.scoring.metrics, suite.scoring.profiles[profile], PLACES)
            result = {
                "records": tally.records,
                "out": str(out),
                "profile": profile,
                "code_version": suite.scoring.code_version,
                "means": means,
                "warnings": warnings,
            }
            print_result(self, options, result, "\n".join([*lines, f"  {_means_words(suite, means)}"]))
        else:  # a pipe or device, perhaps this very output: it holds scores alone, read once
            self.stderr.write("\n".join(lines), self.style.SUCCESS)
        for warning in warnings:
            self.stderr.write(warning, self.style.WARNING)


def _score_records(suite: AnySuite, records: Path, catalogue: Path, out: Path, profile: str) -> Any:
    scoring = suite.scoring
    if scoring.file is None or profile not in scoring.profiles:
        raise CommandError(f"{suite.name} scores no files by {profile}", returncode=2)
    try:
        with progress_bar() as report:
            return scoring.file(records, catalogue, out, lambda done: report(done, None, "records"), profile)
    except ValueError as error:
        raise CommandError(f"{error}\nnothing was written", returncode=2) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error


def _outcome(suite: AnySuite, records: int, out: Path, profile: str) -> str:
    counted = ngettext("%(n)s record", "%(n)s records", records) % {"n": records}
    version = suite.scoring.code_version
    given = {"records": counted, "out": out, "profile": profile, "version": version}
    return _("%(records)s scored into %(out)s by %(profile)s, code version %(version)s") % given


def _means_words(suite: AnySuite, means: Values) -> str:
    """Shares as the pages write them, numbers with the decimals of the published aggregation."""
    return ", ".join(_mean(metric, means[metric.key]) for metric in column_metrics(suite.scoring.metrics))


def _mean(metric: Metric, value: float | None) -> str:
    digits = metric.digits if metric.in_percent else PUBLISHED_DIGITS
    return mean_words(replace(metric, digits=digits), value)


def _scores(path: Path) -> Iterator[dict[str, Any]]:
    """Line by line, so that a long file is never held whole."""
    with path.open("rb") as lines:
        yield from map(json.loads, lines)
