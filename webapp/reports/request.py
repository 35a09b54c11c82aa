"""What the address of a report names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import QueryDict

from benchmark.judging import Pair
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp.fields import NUL
from webapp.reports.judges import JudgeFilter
from webapp.reports.selectors import MOST_RUNS
from webapp.reports.wording import other_benchmark_words, too_many_words, unknown_words
from webapp.runs.comparison import ids_led_by
from webapp.runs.selectors import runs_named
from webapp.sessions.models import Run


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The runs, profile and judges of a report. problems: in words, what else was named and is not in it.

    suite: the benchmark of the runs. profiles: those that it has. published: whether the paper's results are asked
    for.
    """

    runs: list[Run]
    suite: str
    profile: str
    profiles: Sequence[str]
    judges: JudgeFilter
    problems: list[str] = field(default_factory=list)
    published: bool = False

    def query(self, profile: str) -> str:
        """The address of the same under a profile."""
        return self._query(self.runs[0], profile, self.published)

    @property
    def other_way(self) -> str:
        """The address of the same with the paper's results, or without them."""
        return self._query(self.runs[0], self.profile, not self.published)

    def led_by(self, first: Run) -> str:
        """The address of the same with this run as the one that others are compared with."""
        return self._query(first, self.profile, self.published)

    def _query(self, first: Run, profile: str, published: bool) -> str:
        given = {"runs": ids_led_by(first, self.runs), "profile": profile}
        judges = str(self.judges)
        asked = ({"judge": judges} if judges else {}) | ({"published": "yes"} if published else {})
        return urlencode(given | asked, safe=",")

    def lacking_judge(self, pair: Pair | None) -> list[str]:
        """That nobody has judged who was asked for. pair: who has instead."""
        if self.judges.is_met_by(pair):
            return []
        return [unknown_words("judge", " · ".join(self.judges.names))]


def asked_by(query: QueryDict) -> ReportRequest:
    """What `?runs=a,b` or `?runs=a&runs=b`, `&profile=`, `&judge=` and `&published=yes` name."""
    ids = [pk for given in query.getlist("runs") for pk in given.replace(NUL, "").split(",") if pk]
    runs = runs_named(ids)
    known_ids = {run.pk for run in runs}
    problems = [unknown_words("run", pk) for pk in dict.fromkeys(ids) if pk not in known_ids]
    suite = runs[0].suite if runs else DEFAULT_SUITE
    if others := [run.name for run in runs if run.suite != suite]:
        problems.append(other_benchmark_words(others))
    runs = [run for run in runs if run.suite == suite]
    profiles = list(suite_named(suite).scoring.profiles)
    profile = query.get("profile") or profiles[0]
    if profile not in profiles:
        problems.append(unknown_words("profile", profile))
        profile = profiles[0]
    if len(runs) > MOST_RUNS:
        problems.append(too_many_words([run.name for run in runs[MOST_RUNS:]], MOST_RUNS))
    wanted = JudgeFilter.of(query.get("judge", "").replace(NUL, ""))
    published = query.get("published") == "yes"
    return ReportRequest(runs[:MOST_RUNS], suite, profile, profiles, wanted, problems, published)
