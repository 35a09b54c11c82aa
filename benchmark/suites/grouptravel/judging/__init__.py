"""Judging sessions of GroupTravelBench: the rubric, and the two inputs that a judge may be shown."""
