"""Answers to calls that no cache holds, made from the most similar cached ones (paper appendix B.3)."""

from sandbox.simulation.model import ModelSimulator, WrittenAnswer
from sandbox.simulation.nearest import NearestSimulator, Simulator

__all__ = ["ModelSimulator", "NearestSimulator", "Simulator", "WrittenAnswer"]
