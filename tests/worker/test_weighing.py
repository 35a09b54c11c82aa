"""Searches for weights as jobs: progress, stopping, and workers that die of them."""

from __future__ import annotations

import json
import random
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from benchmark.labelling.weights import LearnedWeights, read_grid
from tests.threads import start_in_thread
from webapp.jobs import services as jobs
from webapp.jobs.models import Job, State
from webapp.labelling import weights
from webapp.labelling.jobs import WEIGHTS
from webapp.labelling.models import LabelStudy, WeightSearch
from worker.steppers import STEPPERS, weight_searches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
METRICS = [f"m{number}" for number in range(10)]


@pytest.fixture
def study() -> LabelStudy:
    return LabelStudy.objects.create(name="pairs")


def start_made_up_search(study: LabelStudy, steps: int, pairs: int = 300) -> WeightSearch:
    """A search over made-up pairs, with so many weights a metric."""
    draw = random.Random(3)
    rows = [
        {
            "id": str(number),
            "stratum": "",
            "label": draw.choice(["A", "B", "neither"]),
            "a": {name: draw.random() for name in METRICS},
            "b": {name: draw.random() for name in METRICS},
        }
        for number in range(pairs)
    ]
    grid = read_grid(json.dumps({name: [step / steps for step in range(1, steps + 1)] for name in METRICS}))
    search = WeightSearch.objects.create(
        study=study,
        grid=grid.as_json(),
        options={"folds": 0, "bootstrap": 0, "unit": False, "relearn": False},
        pairs=rows,
    )
    jobs.add(kind=WEIGHTS, subjects=[search.pk], group=study.pk)
    return search


def job() -> Job:
    return Job.objects.get(kind=WEIGHTS.name)


def test_progress_is_kept_while_it_searches(study: LabelStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    search, told = start_made_up_search(study, 3), list[tuple[float, str]]()
    tell = weights.tell_progress

    def telling(**given: object) -> None:
        tell(**given)  # type: ignore[arg-type]
        search.refresh_from_db()
        told.append((search.done, search.status))

    monkeypatch.setattr(weight_searches, "tell_progress", telling)
    monkeypatch.setattr(weight_searches, "TELL_S", 0.0)
    assert STEPPERS[WEIGHTS.name](search.pk)
    search.refresh_from_db()
    assert search.status == "done" and search.result["landscape"]["points"] == 3**10
    shares = [share for share, _status in told]
    assert len(shares) > 1 and shares == sorted(shares) and {status for _share, status in told} == {"running"}
    assert 0 < shares[0] <= 1 and job().state == State.DONE


def test_a_search_that_is_stopped_ends_within_seconds_without_a_result(study: LabelStudy) -> None:
    search = start_made_up_search(study, 5)
    stopping = start_in_thread(lambda: weights.stop_search(search=search), after_s=1.5)
    since = time.monotonic()
    assert weight_searches.weight_search(search.pk)
    stopping.join()
    assert time.monotonic() - since < 20
    search.refresh_from_db()
    assert (search.status, search.result, search.problem) == ("stopped", None, "")
    assert search.ended_at is not None and job().state == State.CANCELLED


def test_a_search_that_is_stopped_before_it_begins_never_does(study: LabelStudy) -> None:
    search = start_made_up_search(study, 5)
    weights.stop_search(search=search)
    assert weight_searches.weight_search(search.pk)
    search.refresh_from_db()
    assert search.status == "stopped" and search.result is None


def test_the_search_of_a_worker_that_was_killed_is_claimed_again(study: LabelStudy) -> None:
    search = start_made_up_search(study, 2)
    dead = jobs.claim(kind=WEIGHTS, subject=search.pk)
    assert dead is not None and not weight_searches.weight_search(search.pk)
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert jobs.due(kind=WEIGHTS) == [search.pk]
    assert weight_searches.weight_search(search.pk)
    search.refresh_from_db()
    assert search.status == "done"
    stored = search.result
    with pytest.raises(jobs.LeaseLost):
        weights.run_search(claimed=dead, report=lambda done, total: None)
    search.refresh_from_db()
    assert search.result == stored


def test_a_search_that_fails_says_why(study: LabelStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    search = start_made_up_search(study, 2)

    def fail_learning(*_given: object) -> LearnedWeights:
        raise ValueError("no such thing")

    monkeypatch.setattr(weights, "learn", fail_learning)
    assert weight_searches.weight_search(search.pk)
    search.refresh_from_db()
    assert (search.status, search.problem) == ("failed", "no such thing")
    assert job().state == State.FAILED
