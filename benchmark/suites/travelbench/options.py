"""What is chosen for a session of TravelBench."""

from __future__ import annotations

from benchmark.remarks import gettext_noop
from benchmark.suites.base import Option

PROTOCOL = Option(
    key="protocol",
    label=gettext_noop("Protocol"),
    default="published",
    values={"published": gettext_noop("published"), "paper": gettext_noop("paper (stricter)")},
    name=gettext_noop("protocol"),
    line=gettext_noop("%(value)s protocol"),
    usual=False,
)
OPTIONS = (PROTOCOL,)
