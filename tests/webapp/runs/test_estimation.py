"""What a run is expected to take."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.model_use import ModelUse
from tests.webapp.runs.conftest import end
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import create_endpoint
from webapp.runs.estimation import Players, Sample, estimate_run, sum_range
from webapp.sessions.models import Run, Session

AMOUNTS = st.lists(st.integers(0, 10**6), min_size=3, max_size=30)


def samples_of(figures: list[int], difficulty: str = "easy") -> list[Sample]:
    return [Sample(difficulty, 0.0, figure, {}) for figure in figures]


@given(AMOUNTS, st.integers(1, 1000))
def test_the_expected_sum_is_the_mean_times_the_count_within_its_bounds(figures: list[int], n: int) -> None:
    expected = sum_range(samples_of(figures), {"easy": n}, lambda sample: sample.tokens)
    assert expected.mean == pytest.approx(n * sum(figures) / len(figures))
    assert 0 <= expected.low <= expected.mean <= expected.high
    if len(set(figures)) == 1:
        assert expected.low == pytest.approx(expected.high)


def test_each_difficulty_has_its_own_mean_and_one_without_samples_that_of_all() -> None:
    samples = samples_of([10, 10, 10]) + samples_of([100, 100, 100], "hard")
    tokens = {
        level: sum_range(samples, {level: 2}, lambda s: s.tokens).mean for level in ("easy", "hard", "odd")
    }
    assert tokens == {"easy": 20, "hard": 200, "odd": 110}


@pytest.fixture
def models(db: None) -> list[ModelEndpoint]:
    """A model with a price, and another one."""
    prices = {"input_price": 1.0, "output_price": 10.0, "currency": "EUR"}
    return [
        create_endpoint(name=name, base_url="http://127.0.0.1:9/v1", model=name, **prices)
        for name in ("first", "second")
    ]


def play(run: Run, model: ModelEndpoint, seconds: int = 60, tokens: int = 1_000_000) -> None:
    """End all sessions of a run, one after another, with an agent of this model."""
    for place, session in enumerate(run.sessions.order_by("task__position")):
        used = ModelUse(model.name, "agent", prompt=tokens, completion=tokens // 10, counted=1)
        end(session, models=[used])
        began = timezone.now() - timedelta(hours=1) + place * timedelta(seconds=seconds)
        finished = began + timedelta(seconds=seconds)
        Session.objects.filter(pk=session.pk).update(started_at=began, finished_at=finished)


def test_a_run_is_expected_to_take_what_like_sessions_took_at_todays_prices(
    make_run: Callable[..., Run], models: list[ModelEndpoint]
) -> None:
    first, second = models
    play(make_run(agent="llm", agent_model=first), first)
    ModelEndpoint.objects.filter(pk=first.pk).update(output_price=20.0)
    first.refresh_from_db()
    players = Players("grouptravel", "llm", "scripted", agent_model=first)
    estimate = estimate_run(players, {"easy": 10})
    assert estimate is not None and estimate.same_players and estimate.sessions == 3
    assert estimate.tokens.mean == 11_000_000
    assert estimate.costs["EUR"].mean == pytest.approx(10 * (1 + 2))
    assert estimate.seconds is not None and estimate.seconds.mean == pytest.approx(600)
    other = estimate_run(Players("grouptravel", "llm", "scripted", agent_model=second), {"easy": 10})
    assert other is not None and not other.same_players and other.costs["EUR"].mean == pytest.approx(20)
    assert estimate_run(Players("grouptravel", "react", "scripted", agent_model=first), {"easy": 1}) is None


def test_sessions_at_once_share_the_time(make_run: Callable[..., Run], models: list[ModelEndpoint]) -> None:
    run = make_run(agent="llm", agent_model=models[0])
    play(run, models[0])
    began = timezone.now() - timedelta(minutes=10)
    run.sessions.update(started_at=began, finished_at=began + timedelta(minutes=1))
    players = Players("grouptravel", "llm", "scripted", agent_model=models[0])
    taken = {n: estimate_run(players, {"easy": 30}, at_once=n) for n in (None, 1, 2)}
    assert {n: round(found.seconds.mean) for n, found in taken.items() if found and found.seconds} == {
        None: 600,
        1: 1800,
        2: 900,
    }


def test_the_form_tells_what_the_run_is_expected_to_take(
    as_researcher: Client, make_run: Callable[..., Run], models: list[ModelEndpoint]
) -> None:
    chosen = {
        "collection": "starter",
        "trials": "2",
        "agent": "llm",
        "agent_model": "first",
        "users": "scripted",
    }
    assert "Expected:" not in as_researcher.get("/runs/new/", chosen).content.decode()
    play(make_run(agent="llm", agent_model=models[0]), models[0])
    page = unescape(as_researcher.get("/runs/new/", chosen).content.decode())
    sessions = 2 * Task.objects.filter(collection__name="starter").count()
    assert f"Expected: {float(f'{sessions * 1_100_000:.3g}'):,.0f} tokens; {sessions * 2:.2f} EUR" in page
    assert "From the last 3 sessions of these participants and models." in page
    odd = as_researcher.get("/runs/new/", {**chosen, "trials": "²", "at_once": "x", "agent_model": "\0"})
    assert odd.status_code == 200


def test_the_command_tells_it_and_starts_nothing(
    make_run: Callable[..., Run],
    models: list[ModelEndpoint],
    starter_world: World,
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(make_run(agent="llm", agent_model=models[0]), models[0])
    order = [
        "run",
        "x",
        "--collection",
        "starter",
        "--agent",
        "llm",
        "--model",
        "first",
        "--users",
        "scripted",
    ]
    call_command(*order, "--estimate", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["estimate"]["tokens"]["mean"] == told["sessions"] * 1_100_000
    assert Run.objects.count() == 1
