"""What runs were played under: whatever figures depend on, by key, as words that need no translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

AGENT = ("agent", "agent_model", "agent_prompts")
"""What a comparison of runs is about, so that it may differ."""
SETTING = (
    *("users", "user_model", "user_prompts", "seats", "simulator_model", "simulator_prompts"),
    *("world", "pack_hash", "mode", "cache"),
)
"""What must be alike for a difference to be the agent's; so must the options of the benchmark."""
_BEFORE_OPTIONS = (
    *(*AGENT, "users", "user_model", "user_prompts", "seats", "simulator_model", "simulator_prompts"),
    *("collection", "tasks_digest", "world", "pack_hash", "toolset", "mode", "cache", "seed", "trials"),
)
_AFTER_OPTIONS = ("prompts", "scoring", *("created", "started", "finished", "commit", "cost", "tokens"))
Conditions = Mapping[str, str]
"""A condition by its key, absent or "" where it is not known or there is none. Keys that are not named above are of
options."""


def option_condition(key: str) -> str:
    """The key of an option among the conditions: its own, unless a condition has it."""
    return f"option_{key}" if key in (*_BEFORE_OPTIONS, *_AFTER_OPTIONS) else key


def _options_in(conditions: Sequence[Conditions]) -> list[str]:
    keys = dict.fromkeys(key for condition in conditions for key in condition)
    return [key for key in keys if key not in (*_BEFORE_OPTIONS, *_AFTER_OPTIONS)]


def conditions_in(conditions: Sequence[Conditions]) -> list[str]:
    """The keys of all that some of these runs may tell, in the order in which a report does."""
    return [*_BEFORE_OPTIONS, *_options_in(conditions), *_AFTER_OPTIONS]


def unlike(conditions: Sequence[Conditions]) -> list[str]:
    """The keys of what must be alike in which some differ."""
    keys = [*SETTING, *_options_in(conditions)]
    return [key for key in keys if len({condition.get(key, "") for condition in conditions}) > 1]
