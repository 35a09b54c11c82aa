"""Figures against those of golden files."""

from __future__ import annotations

from typing import Any


def differences(expected: Any, told: Any, at: str = "") -> list[str]:
    """What two JSON values differ in beyond 1e-6; keys that `expected` lacks do not count."""
    if isinstance(expected, dict) and isinstance(told, dict):
        return [
            d for key in expected for d in differences(expected[key], told.get(key, "absent"), f"{at}.{key}")
        ]
    if isinstance(expected, list) and isinstance(told, list) and len(expected) == len(told):
        return [
            d
            for n, pair in enumerate(zip(expected, told, strict=True))
            for d in differences(*pair, f"{at}.{n}")
        ]
    numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in (expected, told)]
    same = abs(expected - told) <= 1e-6 if all(numbers) else type(expected) is type(told) and expected == told
    return [] if same else [f"{at}: {told} in place of {expected}"]
