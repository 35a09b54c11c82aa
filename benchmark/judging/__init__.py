"""Judging sessions with language models: what a judge sees, what it is asked, and what its answer says."""

from benchmark.judging.answers import read_calibration, read_judgement
from benchmark.judging.forms import CARAVAN, FORMS, PUBLISHED, InputForm
from benchmark.judging.judges import Judge, MetaJudge, judge_request, meta_request
from benchmark.judging.published import crashed_without_conversation
from benchmark.judging.transcript import RESULT_LIMIT, Transcript
from benchmark.judging.verdict import (
    DIMENSIONS,
    Calibration,
    Dimension,
    Fault,
    FaultKind,
    Judgement,
    Rating,
    judge_score,
    points,
    uncalibrated_score,
)
from benchmark.judging.wording import FormName, prompt_version

__all__ = [
    "CARAVAN",
    "DIMENSIONS",
    "FORMS",
    "PUBLISHED",
    "RESULT_LIMIT",
    "Calibration",
    "Dimension",
    "Fault",
    "FaultKind",
    "FormName",
    "InputForm",
    "Judge",
    "Judgement",
    "MetaJudge",
    "Rating",
    "Transcript",
    "crashed_without_conversation",
    "judge_request",
    "judge_score",
    "meta_request",
    "points",
    "prompt_version",
    "read_calibration",
    "read_judgement",
    "uncalibrated_score",
]
