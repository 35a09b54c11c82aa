"""TripScore: one reward from 22 constraints (papers: TripScore)."""
