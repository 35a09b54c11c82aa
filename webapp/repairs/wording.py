"""What pages and commands call outcomes and reasons."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from benchmark.exports.training import PERSON
from benchmark.repairing import DROPPED, REPAIRED, REPORTED, SOUND
from benchmark.repairing.loop import (
    CALLS,
    CUT_OFF,
    EMPTY,
    FAULTS,
    INVENTIONS,
    NO_ANSWER,
    NO_REPLY,
    NO_VERDICT,
    UNFIT,
    UNSAYABLE,
)
from webapp.repairs.services import UNREADABLE

REASON_WORDS: Mapping[str, Promise] = {
    FAULTS: _("still at fault after the last round"),
    INVENTIONS: _("the answer names what no result shows"),
    UNFIT: _("what was said next does not follow from the answer"),
    UNSAYABLE: _("the answer can't be said in the conversation"),
    CALLS: _("the answer calls tools"),
    EMPTY: _("the answer is empty"),
    CUT_OFF: _("the answer breaks off"),
    NO_ANSWER: _("the model gave no answer"),
    NO_REPLY: _("the agent said nothing"),
    NO_VERDICT: _("the replies can't be judged"),
    PERSON: _("a person was the agent"),
    UNREADABLE: _("the session can't be read"),
}
"""Why a session is dropped."""
_REPLY_WORDS: Mapping[str, Promise] = {
    SOUND: _("passes as it is"),
    REPAIRED: _("repaired"),
    REPORTED: _("stays, since its faults are reported next"),
    DROPPED: _("not repaired"),
}


def reason_words(reason: str) -> str:
    """Why a session is dropped."""
    return str(REASON_WORDS.get(reason, reason))


def reply_words(outcome: str) -> str:
    """What became of a reply."""
    return str(_REPLY_WORDS.get(outcome, outcome))


def rounds_words(count: int) -> str:
    """How many rounds of feedback."""
    return ngettext("%(n)s round", "%(n)s rounds", count) % {"n": count}
