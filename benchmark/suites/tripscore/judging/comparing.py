"""What a model that compares plans is shown of a session, and asked (TripScore, appendices C.5, H.5 and H.6)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmark.core.events import Event, PlanProposed
from benchmark.labelling.comparing import Case, Questions
from benchmark.suites.tripscore.events import SessionOpened
from benchmark.text.prompts import Prompts

QUESTIONS: Final = Questions(Prompts(Path(__file__).parent / "prompts" / "comparing"), json_object=False)
"""The paper's: points or a route alone, without a word of reason."""


def compared_case(events: Iterable[Event]) -> Case:
    """The request in its language and the last plan as JSON, without the message around it.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    if not log or not isinstance(opened := log[0].body, SessionOpened):
        raise ValueError("a log without its opening event can't be judged")
    plans = [event.body.plan for event in log if isinstance(event.body, PlanProposed)]
    answer = json.dumps(plans[-1], ensure_ascii=False, indent=1) if plans else ""
    return Case(opened.language, opened.query, answer)
