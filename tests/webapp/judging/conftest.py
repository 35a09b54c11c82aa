"""A judge, and judgements with every kind of answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmark.core.events import ModelCalled
from benchmark.judging import Judgement as Judged
from benchmark.judging import read_calibration, read_judgement
from benchmark.models import Usage
from benchmark.suites.grouptravel.judging.rubric import CARAVAN, DIMENSIONS, RUBRIC
from webapp.endpoints.models import ModelEndpoint
from webapp.judging import services
from webapp.judging.models import JudgeBatch, Judgement
from webapp.sessions.models import Session

HOSTILE = "<script>alert(1)</script>"
TURNS = range(1, 60)


@pytest.fixture
def judge(db: None) -> ModelEndpoint:
    return ModelEndpoint.objects.create(name="wise", base_url="http://127.0.0.1:9/v1", model="some/judge")


@pytest.fixture
def batch(judge: ModelEndpoint, eventful: Session) -> JudgeBatch:
    """A batch of one session, twice, nothing asked yet; an unusable answer is not asked for again."""
    return services.start_batch(sessions=[eventful], judge=judge, repeats=2, form=CARAVAN)


def judge_answer(score: Any = 4, turns: Any = (12, 999), **changes: Any) -> str:
    """A judge's answer with hostile rationales, one invented citation in each."""
    rating = {"score": 4, "rationale": f"{HOSTILE} saw [12] and [999].", "turns": list(turns)}
    return json.dumps(
        {**dict.fromkeys(DIMENSIONS, rating), "hallucination": {**rating, "score": score}, **changes}
    )


def judge_call(seat: str = "judge") -> ModelCalled:
    tokens = Usage(prompt=1200, completion=80)
    return ModelCalled(seat=seat, endpoint="wise", tokens=tokens, cost=0.0125, currency="USD", latency_ms=900)


Answers = Callable[..., Judgement]


@pytest.fixture
def answers(batch: JudgeBatch) -> Answers:
    """Stores a judge's answer, and where it can be a meta-judge's, for the n-th judgement of the batch."""

    def store_judgement(
        repeat: int, judge: str, meta: str | None = '{"reasoning": "Sound [12].", "score": 5}'
    ) -> Judgement:
        row = batch.judgements.get(repeat=repeat)
        judged = read_judgement(judge, RUBRIC.dimensions, TURNS)
        services.store_judged(
            claimed=claim_of(row), judged=judged, prompts="1-abc", key="", calls=[judge_call()]
        )
        if judged.complete and meta is not None:
            _calibrate(row, judged, meta)
        row.refresh_from_db()
        return row

    return store_judgement


def claim_of(row: Judgement) -> services.Claim:
    claimed = services.claim(judgement_id=row.pk)
    assert claimed is not None
    return claimed


def _calibrate(row: Judgement, judged: Judged, meta: str) -> None:
    calibration = read_calibration(meta, TURNS)
    services.store_calibration(
        claimed=claim_of(row), calibration=calibration, judged=judged, calls=[judge_call("meta_judge")]
    )
