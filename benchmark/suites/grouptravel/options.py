"""What is chosen for a session of GroupTravelBench."""

from __future__ import annotations

from benchmark.remarks import gettext_noop
from benchmark.suites.base import PROTOCOL, Follows, Option

CONTRACT = Option(
    key="contract",
    label=gettext_noop("Travellers are asked again for"),
    default=Follows(
        "protocol", {"published": "markers", "paper": "strict"}, gettext_noop("as the protocol says")
    ),
    values={
        "markers": gettext_noop("only compromise markers (published)"),
        "strict": gettext_noop("every reply that breaks a rule (strict)"),
    },
    help=gettext_noop("The published runner asks again only for compromise markers."),
    name=gettext_noop("travellers asked again for"),
    line=gettext_noop("travellers’ contract %(value)s"),
    of_users=True,
)
OPTIONS = (PROTOCOL, CONTRACT)
