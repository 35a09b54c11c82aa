"""Pages that belong to no single part."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.metrics import Metric, Values
from benchmark.suites import SUITES, metrics_of, suite_named
from webapp.accounts.access import researchers_only
from webapp.catalogue.models import Task, World
from webapp.jobs import selectors as jobs
from webapp.pages import pages_of
from webapp.runs.selectors import Progress, progress, runs
from webapp.sessions import selectors
from webapp.sessions.demo import demo_session, demo_task, play_demo
from webapp.sessions.models import Run, Session, Status
from webapp.wording.metrics import mean_digits, percent_label


@researchers_only
def home(request: HttpRequest) -> HttpResponse:
    """What Caravan is, what its figures mean, what goes on, and what failed."""
    context = {
        "now": home_status(),
        "guides": guides(),
        "demo": demo_session(),
        "can_play_demo": demo_task() is not None,
        "has_tasks": Task.objects.exists(),
        "has_worlds": World.objects.exists(),
    }
    return render(request, "home.html", context)


@researchers_only
def home_live(request: HttpRequest) -> HttpResponse:
    """The part of home that changes."""
    return render(request, "partials/home_live.html", {"now": home_status()})


@researchers_only
@require_POST
def demo(request: HttpRequest) -> HttpResponseBase:
    """Play the demo, or go to the one that was played already."""
    if demo_task() is None:
        raise Http404
    return redirect(demo_session() or play_demo())


# What the first page shows: what the figures mean, what goes on, and what failed.


RECENT = 12
RECENT_PERIOD = timedelta(days=7)
"""How long home names what failed."""
FAMILIAR = 20
"""Sessions of the reference agent after which nobody needs to be told what the figures mean at each visit."""
LOOKED_AT = 20
"""Runs that are looked at for those in progress: older ones that still go on are on their own page."""


@dataclass(frozen=True, slots=True)
class ExplainedMetric:
    """A metric for a first reader. reference: what the reference agent got here on average, "" where it has none."""

    label: str
    meaning: str
    reference: str


@dataclass(frozen=True, slots=True)
class Guide:
    """The metrics of one benchmark. good: how good is good; sessions: of the reference agent, which were averaged."""

    suite: str
    title: str
    metrics: list[ExplainedMetric]
    good: Promise | str
    reference: str
    sessions: int

    @property
    def open(self) -> bool:
        """Whether the reader has begun with this benchmark and is new to it: five open ones would hide sessions."""
        return 0 < self.sessions < FAMILIAR


@dataclass(frozen=True, slots=True)
class HomeStatus:
    """What changes while one looks. failed_sessions: sessions that crashed lately, and how many there are."""

    running: list[Session]
    recent: list[Session]
    runs: list[tuple[Run, Progress]]
    jobs: dict[str, int]
    failed_sessions: list[Session]
    failures: int


def guides() -> list[Guide]:
    """A guide to the figures of each benchmark that has tasks here."""
    known = set(Task.objects.order_by().values_list("suite", flat=True).distinct())
    return [_guide(suite) for suite in SUITES if suite in known]


def _guide(suite: str) -> Guide:
    baseline = selectors.baseline(suite)
    metrics = [metric for metric in metrics_of(suite) if metric.meaning]
    explained = [
        ExplainedMetric(percent_label(metric), _(metric.meaning), _reference(metric, baseline.values))
        for metric in metrics
    ]
    title = str(suite_named(suite).title)
    return Guide(suite, title, explained, pages_of(suite).figures.good, baseline.agent, baseline.sessions)


def _reference(metric: Metric, values: Values) -> str:
    return mean_digits(metric, values[metric.key]) if metric.key in values else ""


def home_status() -> HomeStatus:
    """What goes on, and how it went lately."""
    newest = list(runs()[:LOOKED_AT])
    how_far = progress(newest)
    going = [(run, how_far[run.pk]) for run in newest if how_far[run.pk].going]
    crashed = selectors.ended_sessions().filter(
        status=Status.CRASHED, created_at__gte=timezone.now() - RECENT_PERIOD, replay_of=None
    )
    failed = list(crashed[:RECENT])
    others = selectors.ended_sessions().exclude(pk__in=[session.pk for session in failed])
    return HomeStatus(
        running=list(selectors.running()[: RECENT * 2]),
        recent=list(others[:RECENT]),
        runs=going,
        jobs=jobs.counts(),
        failed_sessions=failed,
        failures=crashed.count(),
    )
