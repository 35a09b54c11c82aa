"""Judging sessions of TravelBench: the rubric, what a judge is shown, and how its XML is read."""
