"""What runs were played under: whatever figures depend on, by key, as words that need no translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

AGENT = ("agent", "agent_model")
"""What a comparison of runs is about, so that it may differ."""
SETTING = (
    *("users", "user_model", "seats", "simulator_model"),
    *("world", "pack_hash", "mode", "cache", "protocol", "contract"),
)
"""What must be alike for a difference to be the agent's."""
CONDITIONS = (
    *(*AGENT, "users", "user_model", "seats", "simulator_model"),
    *(
        "collection",
        "world",
        "pack_hash",
        "mode",
        "cache",
        "seed",
        "trials",
        "protocol",
        "contract",
        "prompts",
    ),
    *("created", "started", "finished", "commit", "cost", "tokens"),
)
"""All that a report tells, in its order."""
Conditions = Mapping[str, str]
"""A condition by its key, absent or "" where it is not known or there is none."""


def unlike(conditions: Sequence[Conditions]) -> list[str]:
    """The keys of `SETTING` in which some differ."""
    return [key for key in SETTING if len({condition.get(key, "") for condition in conditions}) > 1]
