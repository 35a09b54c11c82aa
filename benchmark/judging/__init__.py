"""Judging sessions with language models: what a judge sees, what it is asked, and what its answer says."""

from benchmark.judging.answers import read_calibration, read_judgement
from benchmark.judging.judges import TEMPERATURE, Judge, MetaJudge, judge_request, meta_request
from benchmark.judging.transcript import RESULT_LIMIT, Transcript, transcript_of
from benchmark.judging.verdict import (
    DIMENSIONS,
    Calibration,
    Dimension,
    Fault,
    FaultKind,
    Judgement,
    Rating,
    judge_score,
)
from benchmark.judging.wording import prompt_version

__all__ = [
    "DIMENSIONS",
    "RESULT_LIMIT",
    "TEMPERATURE",
    "Calibration",
    "Dimension",
    "Fault",
    "FaultKind",
    "Judge",
    "Judgement",
    "MetaJudge",
    "Rating",
    "Transcript",
    "judge_request",
    "judge_score",
    "meta_request",
    "prompt_version",
    "read_calibration",
    "read_judgement",
    "transcript_of",
]
