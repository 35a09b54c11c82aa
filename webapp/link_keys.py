"""Tokens that are derived from the installation's key: links of seats and annotators, and what programs show.

After the key was changed, those of the keys in CARAVAN_OLD_SECRET_KEYS are accepted too; new ones are of the new key.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


def derive(purpose: str, value: str, key: str) -> bytes:
    """The 32 bytes that a key gives for a purpose and a value, by HMAC-SHA-256."""
    return salted_hmac(purpose, value, secret=key, algorithm="sha256").digest()


def is_accepted(given: str, token_under: Callable[[str], str]) -> bool:
    """Whether somebody shows the token of the key, or of an earlier one. token_under: makes it of a key."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(constant_time_compare(token_under(key), given) for key in keys)
