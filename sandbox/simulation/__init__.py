"""Answers to calls that no cache holds, made from the most similar cached ones (paper appendix B.3)."""

from sandbox.simulation.model import Ask, ModelSimulator, Written
from sandbox.simulation.nearest import NearestSimulator
from sandbox.simulation.simulator import Simulator
from sandbox.toolsets.base import Question, Similar

__all__ = ["Ask", "ModelSimulator", "NearestSimulator", "Question", "Similar", "Simulator", "Written"]
