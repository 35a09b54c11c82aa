"""The built-in simulator: the nearest cached record with the call's arguments carried over."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.calls import Example
from sandbox.simulation.change import Change, change
from sandbox.simulation.checks import is_error, read_json
from sandbox.simulation.echoes import with_arguments, with_dates_moved
from sandbox.simulation.items import with_items_fitted
from sandbox.toolbox.validation import ValidCall
from sandbox.tools.language import Language, Says

_ARGUMENTS_SHOWN = 300


class NearestSimulator:
    """Changes what a result repeats of its call and what it lists, never what is a fact of the record: names, prices,
    hours. The answer says that it is simulated, and from which cached call. The same input gives the same bytes.
    """

    id = "nearest-1"

    def simulate(self, valid: ValidCall, examples: Sequence[Example], language: Language) -> str:
        """From the nearest record that is no error; where all are, the nearest error as it is.

        A JSON object gets a last field `simulated`, other JSON becomes `{"result": …, "simulated": …}`, and a plain
        text gets a last line.
        """
        nearest = next((example for example in examples if not _is_error(example.result)), None)
        if nearest is None:
            return examples[0].result
        says = _source(nearest.call.arguments).to(language)
        return _answer(nearest.result, change(nearest.call, valid), says)


def _is_error(result: str) -> bool:
    try:
        return is_error(read_json(result))
    except ValueError:
        return False


def _answer(result: str, difference: Change, says: str) -> str:
    try:
        value = with_items_fitted(with_arguments(read_json(result), difference), difference)
        fields = value if isinstance(value, dict) else {"result": value}
        return _written(
            {name: each for name, each in fields.items() if name != "simulated"} | {"simulated": says}
        )
    except (ValueError, RecursionError):
        return f"{with_dates_moved(result, difference.days_moved()).rstrip()}\n{says}"


def _source(arguments: Mapping[str, Any]) -> Says:
    text = _written(dict(sorted(arguments.items())))
    shown = text if len(text) <= _ARGUMENTS_SHOWN else text[:_ARGUMENTS_SHOWN] + "…"
    return Says(
        f"模拟结果：缓存中没有这次调用，内容取自最相近的已缓存调用 {shown}，并按本次参数调整。",
        f"Simulated: this call is not cached; taken from the most similar cached call {shown} and fitted to "
        "this call's arguments.",
    )


def _written(value: object) -> str:
    """Compact JSON; escaped where a record holds half of a surrogate pair, which is no text that could be stored."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return json.dumps(value, separators=(",", ":"))
