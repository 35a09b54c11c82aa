"""Comparing two answers to one request by a model: one by one (0 to 100), or pair by pair in one order or both."""

from benchmark.labelling.comparing.answers import PlanChoice, PlanPoints, read_choice, read_points
from benchmark.labelling.comparing.case import CASES, Case, CaseReader, language_of, spoken_case, told_case
from benchmark.labelling.comparing.outcome import (
    LEFT,
    NEITHER,
    RIGHT,
    Outcome,
    by_order,
    by_orders,
    by_points,
)
from benchmark.labelling.comparing.requests import (
    QUESTIONS,
    TRIES,
    Method,
    Questions,
    pair_request,
    single_request,
)
