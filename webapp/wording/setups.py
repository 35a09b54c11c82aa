"""What forms and reports call the rules that sessions are set up with."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PROTOCOL_WORDS: Mapping[str, Promise] = {"published": _("published"), "paper": _("paper (stricter)")}
"""Protocols by name."""
CONTRACT_WORDS: Mapping[str, Promise] = {
    "markers": _("only compromise markers (published)"),
    "strict": _("every reply that breaks a rule (strict)"),
}
"""What travellers over models are asked again for, by the name of the contract."""


def protocol_words(name: str) -> str:
    """A protocol; an unknown one as it is."""
    return str(PROTOCOL_WORDS.get(name, name))


def contract_words(name: str) -> str:
    """A contract; an unknown one as it is."""
    return str(CONTRACT_WORDS.get(name, name))
