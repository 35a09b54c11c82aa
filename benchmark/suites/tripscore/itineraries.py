"""TripScore's plans: found in an answer."""

from __future__ import annotations

from benchmark.plans.finding import FENCE, decode_object, outermost_braces
from benchmark.plans.view import Plan


def find_plan(text: str, _before: Plan | None = None) -> Plan | None:
    """The first closed fence that is a JSON object, whatever its info string says, else the outermost braces."""
    for body in text.split(FENCE)[1:-1:2]:
        info, _, rest = body.partition("\n")
        for words in (rest, body[body.find("{") :] if "{" in info else ""):
            if words and (plan := decode_object(words)) is not None:
                return plan
    return decode_object(outermost_braces(text))
