"""What a seat shows of GroupTravelBench."""

from __future__ import annotations

from webapp.pages import SeatPage
from webapp.suites.grouptravel.seat.agent import AGENT_PAGE
from webapp.suites.grouptravel.seat.ending import ending_context
from webapp.suites.grouptravel.seat.table import card, check, compose, turn, words_in
from webapp.suites.grouptravel.seat.wishes import WishesForm

SEAT = SeatPage(
    card=card,
    turn=turn,
    check=check,
    compose=compose,
    words=words_in,
    ending_context=ending_context,
    wishes=WishesForm,
    agent=AGENT_PAGE,
)
