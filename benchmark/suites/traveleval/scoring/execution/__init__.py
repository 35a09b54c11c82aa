"""What becomes of a plan in the world: read, then executed in time order."""

from benchmark.suites.traveleval.scoring.execution.journey import execute
from benchmark.suites.traveleval.scoring.execution.sessions import execute_with_options
from benchmark.suites.traveleval.scoring.execution.steps import Execution, Outcome, Period, Step, clock_words

__all__ = ["Execution", "Outcome", "Period", "Step", "clock_words", "execute", "execute_with_options"]
