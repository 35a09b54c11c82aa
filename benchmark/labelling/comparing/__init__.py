"""Comparing two plans of one request by a model: plan by plan (0 to 100), or pair by pair in both orders."""

from benchmark.labelling.comparing.answers import Chosen, Pointed, read_choice, read_points
from benchmark.labelling.comparing.case import Case, Told, told_case
from benchmark.labelling.comparing.outcome import LEFT, NEITHER, RIGHT, Outcome, by_orders, by_points
from benchmark.labelling.comparing.requests import (
    PROMPTS,
    TRIES,
    Method,
    pair_request,
    plan_request,
    prompts_version,
)

__all__ = [
    "LEFT",
    "NEITHER",
    "PROMPTS",
    "RIGHT",
    "TRIES",
    "Case",
    "Chosen",
    "Method",
    "Outcome",
    "Pointed",
    "Told",
    "by_orders",
    "by_points",
    "pair_request",
    "plan_request",
    "prompts_version",
    "read_choice",
    "read_points",
    "told_case",
]
