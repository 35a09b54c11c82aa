"""The three subtasks, and what judges rate in each."""

from __future__ import annotations

from typing import Literal

Subtask = Literal["single", "multi", "unsolved"]
SUBTASKS: tuple[Subtask, ...] = ("single", "multi", "unsolved")
Mode = Literal["single_turn", "multi_turn"]
"""How a run record names the way a conversation was held; unsolvable tasks are held as single turns."""

MOST_TURNS = 10
MODEL_STEPS = 20
"""Of one turn; each may make any number of calls."""
UNSOLVED_MARK = "[Unsolved]"
END_MARK = "[Finish Conversation]"

_SINGLE = ("reasoning_planning", "summarization_extraction", "presentation")
DIMENSIONS: dict[Mode, tuple[str, ...]] = {
    "single_turn": _SINGLE,
    "multi_turn": (*_SINGLE, "user_interaction"),
}


def mode_of(subtask: Subtask) -> Mode:
    """The way in which the conversations of a subtask are held."""
    return "multi_turn" if subtask == "multi" else "single_turn"
