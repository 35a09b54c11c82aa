"""What a model that compares plans is shown of a session of GroupTravelBench."""

from __future__ import annotations

import json
from collections.abc import Iterable

from benchmark.core.events import Event, PlanProposed
from benchmark.labelling.comparing import Case
from benchmark.suites.grouptravel.judging.published_input import original_tables
from benchmark.suites.grouptravel.judging.transcript import opening_of


def compared_case(events: Iterable[Event]) -> Case:
    """The task with what each traveller wants, and the plan that the session ended with, as JSON.

    The wishes are those before all compromises, as in the published judge's input. The plan is written anew from what
    was read of it, so that nothing of the message around it tells whose it is.

    Raises:
        ValueError: the log does not begin with its opening.
    """
    log = list(events)
    opened = opening_of(log)
    group = ", ".join(f"{member.name} ({member.role})" for member in (*opened.travellers, *opened.companions))
    parts = (opened.query, opened.context, group, _json(original_tables(log)))
    plans = [event.body.plan for event in log if isinstance(event.body, PlanProposed)]
    return Case(opened.language, "\n".join(filter(None, parts)), _json(plans[-1]) if plans else "")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
