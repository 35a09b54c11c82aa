"""One line that two pieces of evidence share exactly when they say the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import orjson


def evidence_digest(evidence: Any) -> str:
    """SHA-256, in hexadecimal, of the evidence as JSON with sorted keys; the order of lists counts."""
    try:
        text = orjson.dumps(evidence, option=orjson.OPT_SORT_KEYS)
    except (TypeError, ValueError):  # lone surrogates and huge integers
        text = json.dumps(evidence, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()
