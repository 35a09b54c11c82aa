"""Judging sessions with language models: a benchmark's rubric, what a judge is asked, and what its answer says."""

from benchmark.judging.answers import read_calibration, read_judgement
from benchmark.judging.judges import Judge, MetaJudge, judge_request, meta_request
from benchmark.judging.pair import Pair, prompts_apart
from benchmark.judging.rubric import (
    PUBLISHED,
    Dimension,
    InputForm,
    Reading,
    Rubric,
    Transcript,
    crashed_without_conversation,
)
from benchmark.judging.verdict import Calibration, Fault, FaultKind, Judgement, Rating
