"""Answers with what a run record tells of them, and the sentences that stand for answers that could not be had."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core.actions import Say

OUT_OF_STEPS = (
    "I'm sorry, I could not finish this within the steps that I have. Please ask again in other words."
)
"""The agent's answer where it still calls tools after its last step."""
FALLBACKS = (
    "Sorry, could you say that again?",
    "I didn't quite get that. Could you explain it once more?",
    "Please go on with what you were saying.",
    "Let's carry on from there, please.",
)
"""The user's words where their model gives none."""


@dataclass(frozen=True, slots=True)
class Answer(Say):
    """absent, failed: as `MessagePosted` has them."""

    absent: bool = False
    failed: bool = False


def apology(error: str) -> Answer:
    """The agent's answer where its model gives none; the run goes on, and counts as a success."""
    return Answer(f"I apologize, but I encountered an error: {error}. Please try again.", failed=True)


def fallback(number: int) -> Answer:
    """One of the user's stock sentences."""
    return Answer(FALLBACKS[number % len(FALLBACKS)], failed=True)
