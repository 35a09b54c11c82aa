"""What the address of a report names."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import QueryDict

from benchmark.reports import Pair
from benchmark.suites import FIRST, first_profile
from benchmark.suites.grouptravel.scoring import PROFILES
from webapp.fields import NUL
from webapp.reports.judges import Wanted
from webapp.reports.selectors import MOST_RUNS
from webapp.reports.wording import too_many_words, unknown_words
from webapp.runs.comparison import ids_led_by
from webapp.runs.selectors import runs_named
from webapp.sessions.models import Run


@dataclass(frozen=True, slots=True)
class Asked:
    """The runs, profile and judges of a report. problems: in words, what else was named and is not in it."""

    runs: list[Run]
    profile: str
    judges: Wanted
    problems: list[str] = field(default_factory=list)

    def query(self, profile: str) -> str:
        """The address of the same under a profile."""
        return self._query(self.runs[0], profile)

    def led_by(self, first: Run) -> str:
        """The address of the same with this run as the one that others are compared with."""
        return self._query(first, self.profile)

    def _query(self, first: Run, profile: str) -> str:
        given = {"runs": ids_led_by(first, self.runs), "profile": profile}
        judges = str(self.judges)
        return urlencode(given | ({"judge": judges} if judges else {}), safe=",")

    def lacking_judge(self, pair: Pair | None) -> list[str]:
        """That nobody has judged who was asked for. pair: who has instead."""
        if self.judges.is_met_by(pair):
            return []
        return [unknown_words("judge", " · ".join(self.judges.named))]


def asked_by(query: QueryDict) -> Asked:
    """What `?runs=a,b` or `?runs=a&runs=b`, `&profile=` and `&judge=` name."""
    ids = [pk for given in query.getlist("runs") for pk in given.replace(NUL, "").split(",") if pk]
    runs, named = runs_named(ids), query.get("profile", first_profile(FIRST))
    found = {run.pk for run in runs}
    problems = [unknown_words("run", pk) for pk in dict.fromkeys(ids) if pk not in found]
    if named not in PROFILES:
        problems.append(unknown_words("profile", named))
    if len(runs) > MOST_RUNS:
        problems.append(too_many_words([run.name for run in runs[MOST_RUNS:]], MOST_RUNS))
    profile = named if named in PROFILES else first_profile(FIRST)
    return Asked(runs[:MOST_RUNS], profile, Wanted.of(query.get("judge", "").replace(NUL, "")), problems)
