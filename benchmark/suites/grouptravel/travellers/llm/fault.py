"""One way in which a reply breaks the contract."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """name: short, by which drafts are counted; a line of the prompts' `faults` says it in words.

    evidence: the offending text as it stands in the reply, cut where it is long.
    """

    name: str
    evidence: str = ""
