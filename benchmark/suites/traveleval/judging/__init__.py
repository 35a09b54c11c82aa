"""Judging TravelEval's sessions: what a judge is shown and asked."""
