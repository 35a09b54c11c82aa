"""Benchmarks as environments: a policy that is trained sits at the agent's seat, and steps through sessions."""

from environments.environment import Environment
from environments.episode import Episode, EpisodeOver, Observation, StepResult
