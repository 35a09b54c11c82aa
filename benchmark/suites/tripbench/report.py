"""The reports of TRIP-Bench: those of every benchmark, with the words for how its sessions end."""

from __future__ import annotations

from typing import Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports import PartWords, Reporting
from benchmark.suites.tripbench.conversation.rules import ALL_SAID, TURNS_SPENT, USER_LEFT

ENDINGS: Final = {ALL_SAID: _("all said"), TURNS_SPENT: _("last turn over"), USER_LEFT: _("user silent")}
REPORTING: Final = Reporting(endings=tuple(ENDINGS), words=PartWords(values={"reason": ENDINGS}))
