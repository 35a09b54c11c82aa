"""Worked examples of what the two profiles make of a plan."""

from benchmark.suites.traveleval.scoring.examples.examples import WorkedExample, worked_examples

__all__ = ["WorkedExample", "worked_examples"]
