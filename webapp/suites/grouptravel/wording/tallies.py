"""What is said of a file of run records that was scored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.suites.grouptravel.scoring import Tally
from benchmark.suites.grouptravel.scoring.tally import FailedRecord
from webapp.suites.grouptravel.wording.issues import fault_words

MOST_CITIES = 10
"""Cities that a warning names."""
MOST_FAULTS = 3
"""Fields of a record that a warning names."""


def tally_words(tally: Tally, catalogue: Path) -> tuple[str, list[str]]:
    """The records without figures, and warnings."""
    return _without_figures(tally), list(_warnings(tally, catalogue))


def _warnings(tally: Tally, catalogue: Path) -> Iterator[str]:
    if tally.warned:
        yield _record_warnings(tally)
    if tally.unknown_cities:
        yield _unknown_cities(tally, catalogue)


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


def _record_warnings(tally: Tally) -> str:
    """The first records that the published scorer can't read, with their fields."""
    warning = ngettext(
        "warning: the published scorer may fail on %(n)s record and give no figure, so its figures "
        "can't be compared with those given here (see `warnings` in its line):",
        "warning: the published scorer may fail on %(n)s records and give no figure, so its figures "
        "can't be compared with those given here (see `warnings` in their lines):",
        tally.warned,
    )
    lines = [warning % {"n": tally.warned}]
    lines += [f"  {_faults(record)}" for record in tally.warnings]
    if (left := tally.warned - len(tally.warnings)) > 0:
        lines.append("  " + ngettext("%(n)s more record", "%(n)s more records", left) % {"n": left})
    return "\n".join(lines)


def _faults(record: FailedRecord) -> str:
    words = [fault_words(fault) for fault in record.faults[:MOST_FAULTS]]
    if (left := len(record.faults) - MOST_FAULTS) > 0:
        words.append(ngettext("%(n)s more field", "%(n)s more fields", left) % {"n": left})
    given = {"task": record.task_id, "trial": record.trial_id, "faults": "; ".join(words)}
    return _("task %(task)s, trial %(trial)s: %(faults)s") % given


def _unknown_cities(tally: Tally, catalogue: Path) -> str:
    """Which cities the catalogue lacks, in how many records each, and what to do."""
    cities = tally.unknown_cities.most_common(MOST_CITIES)
    counts = [
        ngettext("%(city)s in %(n)s record", "%(city)s in %(n)s records", n) % {"city": city, "n": n}
        for city, n in cities
    ]
    if left := len(tally.unknown_cities) - len(cities):
        counts.append(ngettext("%(n)s more city", "%(n)s more cities", left) % {"n": left})
    return _(
        "warning: %(catalogue)s has no place in these cities of plans: %(cities)s. Activities there "
        "earned nothing for their category, as a meal or as a hotel, and never counted as closed. If "
        "the catalogue covers other cities, score again with the right one. If a plan only spells a "
        "city differently, its figures stand, because scoring compares exact names."
    ) % {"catalogue": catalogue, "cities": ", ".join(counts)}
