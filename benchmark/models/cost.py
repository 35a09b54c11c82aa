"""What an answer costs."""

from __future__ import annotations

from benchmark.models.chat import Usage
from benchmark.models.setup import ModelSetup

_PER = 1_000_000


def cost(setup: ModelSetup, usage: Usage | None) -> float | None:
    """In the endpoint's currency; None where the tokens or a price are not known.

    (prompt - cached) x input + cached x cached price + completion x output, over a million; thoughts are part of
    the completion.
    """
    if usage is None or setup.input_price is None or setup.output_price is None:
        return None
    cached_price = setup.input_price if setup.cached_price is None else setup.cached_price
    cached = min(usage.cached, usage.prompt)
    paid = (usage.prompt - cached) * setup.input_price + cached * cached_price
    return (paid + usage.completion * setup.output_price) / _PER
