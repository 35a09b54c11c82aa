"""What a benchmark's rubric may say that the first one does not: fewer dimensions, weights, no calibration, rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmark.judging import Calibration, Judgement, Rating
from tests.webapp.judging.conftest import claim_of
from webapp.catalogue.models import Task
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.judging import selectors, services
from webapp.judging.models import JudgeBatch, Status
from webapp.judging.models import Judgement as Row
from webapp.judging.wording import left_out_words
from webapp.sessions.models import Session

HALF = Judgement(
    "…", {"hallucination": Rating(5), "tool_use_reasoning": Rating(3)}, complete=True, weight=0.5
)
"""Two of five dimensions, which is all that was asked for; the session's score counts half."""
SILENT = Calibration("…")


def store_rating(row: Row, judged: Judgement = HALF) -> Row:
    services.store_judged(claimed=claim_of(row), judged=judged, prompts="1-abc", key="", calls=())
    row.refresh_from_db()
    return row


def store_meta_rating(row: Row, calibration: Calibration) -> Row:
    services.store_calibration(claimed=claim_of(row), calibration=calibration, judged=HALF, calls=())
    row.refresh_from_db()
    return row


@pytest.fixture
def by_rules(monkeypatch: pytest.MonkeyPatch, eventful: Session) -> Session:
    """A session whose benchmark has its task scored by rules alone."""
    monkeypatch.setattr(selectors, "_unrated_filter", lambda suite, rubric: {"subtask": "unsolved"})
    Task.staged_too.filter(pk=eventful.task_id).update(facets={"subtask": "unsolved", "intent": "discovery"})
    return eventful


def test_the_weight_of_a_session_is_part_of_its_score(batch: JudgeBatch) -> None:
    row = store_meta_rating(store_rating(batch.judgements.get(repeat=1)), Calibration("…", 5, "sound"))
    assert (row.status, row.score) == (Status.JUDGED, 37.5)


def test_figures_are_of_the_dimensions_that_were_rated(batch: JudgeBatch) -> None:
    store_meta_rating(store_rating(batch.judgements.get(repeat=1)), Calibration("…", 5, "sound"))
    found = selectors.figures_of(batch)
    means = {name: one and one.mean for name, one in found.dimensions.items()}
    assert (means["hallucination"], means["tool_use_reasoning"]) == (5, 3)
    assert [means[name] for name in batch.criteria.names[2:]] == [None] * 3


def test_ratings_without_a_calibration_count_only_where_the_input_says_so(
    batch: JudgeBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = store_meta_rating(store_rating(batch.judgements.get(repeat=1)), SILENT)
    assert (dropped.status, dropped.score) == (Status.BROKEN, None)
    form = replace(batch.input, calibration_optional=True)
    monkeypatch.setattr(JudgeBatch, "input", property(lambda _: form))
    kept = store_meta_rating(store_rating(batch.judgements.get(repeat=2)), SILENT)
    assert (kept.status, kept.score, kept.meta_score) == (Status.JUDGED, 37.5, None)


def test_a_session_scored_by_rules_alone_can_not_be_judged(by_rules: Session, judge: ModelEndpoint) -> None:
    with pytest.raises(ChoiceRefused, match=f"scored by rules alone.*{by_rules.pk}"):
        services.start_batch(sessions=[by_rules], judge=judge)


def test_a_run_is_judged_without_them_and_says_how_many_that_are(by_rules: Session) -> None:
    assert selectors.scored_by_rules([by_rules]) == {by_rules.pk}
    Task.staged_too.filter(pk=by_rules.task_id).update(facets={"subtask": "multi"})
    assert selectors.scored_by_rules([by_rules]) == set()
    words = left_out_words(selectors.LeftOut(stopped=0, going=0, by_rules=2))
    assert words == "2 sessions are left out, since their tasks are scored by rules alone"
