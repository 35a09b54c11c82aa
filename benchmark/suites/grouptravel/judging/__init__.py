"""Judging sessions of GroupTravelBench: the rubric, and what a judge may be shown."""
