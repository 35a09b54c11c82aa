"""Requests with the profiles of other users, which makes more multi-turn tasks of them (appendix A)."""

from __future__ import annotations

import random
from collections.abc import Sequence


def other_profiles(own: str, profiles: Sequence[str], each: int, seed: int, key: str) -> list[str]:
    """Profiles for one request, none of them its own, drawn by its key: other requests change nothing in it.

    profiles: different ones.

    Raises:
        ValueError: there are fewer than `each` others.
    """
    others = [profile for profile in profiles if profile != own]
    if not 1 <= each <= len(others):
        raise ValueError(
            f"{each} other profiles are asked for, and there are {len(others)}; ask for 1 to that"
        )
    return random.Random(f"{seed}/{key}").sample(others, each)
