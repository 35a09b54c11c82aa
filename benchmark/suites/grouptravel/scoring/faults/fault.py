"""One value on which the published scorer fails."""

from __future__ import annotations

from typing import NamedTuple

FAULTS: dict[str, str] = {
    "no_table": "is null; give a table, {} where nothing is known",
    "no_object": "is no object; leave it out where there is nothing to say",
    "no_list": "is no list; give [] where there is nothing to say",
    "no_text": "holds an item that is no text",
    "no_number": "is no number",
    "null_beside": "is null beside a filled cap; give 0 where there is no limit",
    "no_cost": "is no number, and a traveller with a budget pays it",
    "no_place": "is no text; give the name of the place",
    "no_names": "is no list of names; leave it out where everyone takes part",
}
"""What is wrong, in English, by reason."""


class Fault(NamedTuple):
    """field: the path in the record, that of a part of the plan beginning with `plan`. reason: a key of FAULTS."""

    field: str
    reason: str
