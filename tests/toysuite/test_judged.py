"""Games are judged by the batches and the worker of every benchmark, and the score is a metric's value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from benchmark.suites.base import Rating
from tests.markup import tight
from tests.model_server import model_server
from tests.seating import endpoint_at
from tests.toysuite.suite import SUITE
from tests.toysuite.test_pages import page_of
from webapp.forms import ChoiceRefused
from webapp.judging import selectors, services
from webapp.judging.models import Judgement
from webapp.sessions.models import Session
from worker.steppers.judgements import advance_judgement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


def test_a_game_is_judged_and_the_score_shows(client: Client, session: Session) -> None:
    with model_server() as server:
        judge = endpoint_at(server.url, "good-judge")
        batch = services.start_batch(sessions=[session], judge=judge)
        while due := selectors.due_in(batch):
            assert advance_judgement(due[0])
    found = Judgement.objects.get()
    assert (found.scores, found.meta_score, found.score) == ({"interaction_quality": 4}, 4, 80.0)
    (value,) = session.values.exclude(rater="")
    assert (value.profile, value.key, value.value) == ("", "judge", 80.0)
    judge_name = "good-judge (good-judge)"
    assert value.rater == f"{judge_name} on published input, {judge_name}, prompts {found.prompts}"
    assert "<b>80.0</b>" in page_of(client, f"/sessions/{session.pk}/")
    assert "politeness" in page_of(client, f"/sessions/{session.pk}/?tab=judge")
    page = tight(client.get(batch.get_absolute_url()).content.decode())
    assert "politeness" in page and "hallucination" not in page


def test_a_benchmark_without_questions_for_judges_is_refused(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.toysuite.suite.SUITE", replace(SUITE, rating=Rating()))
    with pytest.raises(ChoiceRefused, match="has no judge"):
        services.start_batch(sessions=[session], judge=endpoint_at("http://127.0.0.1:9", "wise"))
