"""`manage.py score RECORDS --catalogue POI --out OUT --profile PROFILE`: run records into figures with evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.metrics import Metric, listed
from benchmark.suites.grouptravel.scoring import CODE_VERSION, PROFILES, Tally, aggregate, score_file
from benchmark.suites.grouptravel.scoring.tally import Warned
from benchmark.suites.metrics import metrics_of
from webapp.progress import progress_bar
from webapp.runs.figures import PLACES
from webapp.suites.grouptravel.wording.issues import fault_words
from webapp.wording.metrics import mean_words

MOST_CITIES = 10
"""Cities that a warning names."""
MOST_FAULTS = 3
"""Fields of a record that a warning names."""
PUBLISHED_DIGITS = 2


class Command(BaseCommand):
    help = "Score published run records (JSONL, .gz too) without touching the database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("records", type=Path, help="Run records, one JSON object a line; .gz is unpacked")
        parser.add_argument(
            "--catalogue", type=Path, required=True, help="The places, {city: [place, …]} or a world's pack"
        )
        parser.add_argument("--out", type=Path, required=True, help="Where the scores go, one line a record")
        parser.add_argument("--profile", choices=list(PROFILES), default="published")

    def handle(self, *args: Any, **options: Any) -> None:
        out, profile = options["out"], options["profile"]
        tally = _scored(options["records"], options["catalogue"], out, profile)
        told = [_outcome(tally, out, profile), f"  {_without_figures(tally)}"]
        if out.is_file():
            self.stdout.write("\n".join([*told, f"  {_means(out, profile)}"]))
        else:  # a pipe or device, perhaps this very output: it holds scores alone, read once
            self.stderr.write("\n".join(told), self.style.SUCCESS)
        if tally.warned:
            self.stderr.write(_warned(tally), self.style.WARNING)
        if tally.unknown_cities:
            self.stderr.write(_unknown(tally, options["catalogue"]), self.style.WARNING)


def _scored(records: Path, catalogue: Path, out: Path, profile: str) -> Tally:
    try:
        with progress_bar() as report:
            return score_file(records, catalogue, out, lambda done: report(done, None, "records"), profile)
    except ValueError as error:  # BadRecords among them
        raise CommandError(f"{error}\nnothing was written", returncode=2) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from error


def _outcome(tally: Tally, out: Path, profile: str) -> str:
    counted = ngettext("%(n)s record", "%(n)s records", tally.records) % {"n": tally.records}
    given = {"records": counted, "out": out, "profile": profile, "version": CODE_VERSION}
    return _("%(records)s scored into %(out)s by %(profile)s, code version %(version)s") % given


def _without_figures(tally: Tally) -> str:
    """The records that lack figures, or score nothing, for a reason that is no score of theirs."""
    given = {
        "crashed": tally.crashed,
        "plan": tally.without_plan,
        "table": tally.without_table,
        "belief": tally.without_belief,
    }
    return (
        _(
            "%(crashed)s crashed, %(plan)s without a plan, %(table)s without a reference table, "
            "%(belief)s without a table of the agent's"
        )
        % given
    )


def _means(out: Path, profile: str) -> str:
    """Shares as the pages write them, numbers with the decimals of the published aggregation."""
    metrics = metrics_of()
    means = aggregate(_scores(out), PLACES, profile, metrics)
    return ", ".join(_mean(metric, means[metric.key]) for metric in listed(metrics))


def _mean(metric: Metric, value: float | None) -> str:
    digits = metric.digits if metric.in_percent else PUBLISHED_DIGITS
    return mean_words(replace(metric, digits=digits), value)


def _warned(tally: Tally) -> str:
    """The first records that the published scorer can't read, with their fields."""
    told = ngettext(
        "warning: the published scorer may fail on %(n)s record and give no figure, so that none compares with the "
        "figures given here (see `warnings` in its line):",
        "warning: the published scorer may fail on %(n)s records and give no figure, so that none compares with the "
        "figures given here (see `warnings` in their lines):",
        tally.warned,
    )
    lines = [told % {"n": tally.warned}]
    lines += [f"  {_faults(record)}" for record in tally.warnings]
    if (left := tally.warned - len(tally.warnings)) > 0:
        lines.append("  " + ngettext("%(n)s record more", "%(n)s records more", left) % {"n": left})
    return "\n".join(lines)


def _faults(record: Warned) -> str:
    words = [fault_words(fault) for fault in record.faults[:MOST_FAULTS]]
    if (left := len(record.faults) - MOST_FAULTS) > 0:
        words.append(ngettext("%(n)s field more", "%(n)s fields more", left) % {"n": left})
    given = {"task": record.task_id, "trial": record.trial_id, "faults": "; ".join(words)}
    return _("task %(task)s, trial %(trial)s: %(faults)s") % given


def _unknown(tally: Tally, catalogue: Path) -> str:
    """Which cities the catalogue lacks, in how many records each, and what to do."""
    cities = tally.unknown_cities.most_common(MOST_CITIES)
    told = [
        ngettext("%(city)s in %(n)s record", "%(city)s in %(n)s records", n) % {"city": city, "n": n}
        for city, n in cities
    ]
    if left := len(tally.unknown_cities) - len(cities):
        told.append(ngettext("%(n)s more city", "%(n)s more cities", left) % {"n": left})
    return _(
        "warning: %(catalogue)s has no place in these cities of plans: %(cities)s. What is planned there earned "
        "nothing by its category, as a meal or as a hotel, and was never closed. If the catalogue is of other "
        "cities, score again with the right one; if a plan only writes a city otherwise, its figures stand, since "
        "scoring asks for equal names."
    ) % {"catalogue": catalogue, "cities": ", ".join(told)}


def _scores(path: Path) -> Iterator[dict[str, Any]]:
    """Line by line, so that a long file is never held whole."""
    with path.open("rb") as lines:
        yield from map(json.loads, lines)
