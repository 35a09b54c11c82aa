"""What is chosen for a game; the first option is called as a field of the form is."""

from __future__ import annotations

from benchmark.suites.base import Option

MODE = Option(
    key="mode",
    label="Length of the game",
    default="single",
    values={"single": "as the task says", "double": "twice as long"},
    help="How many questions the agent has.",
    name="length of the game",
)
FREE = Option(key="free", label="Free questions", default=0, name="free questions", usual=False)
