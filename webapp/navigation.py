"""The places of the product that every page of a researcher leads to."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class NavigationPlace(NamedTuple):
    """view: the name of its address. letter: the key that goes there after `g`."""

    view: str
    label: str | Promise
    letter: str


HOME = NavigationPlace("home", _("Home"), "h")
PLACES = (
    NavigationPlace("sessions", _("Sessions"), "s"),
    NavigationPlace("search", _("Search"), "f"),
    NavigationPlace("runs", _("Runs"), "r"),
    NavigationPlace("reports", _("Reports"), "e"),
    NavigationPlace("studies", _("User studies"), "u"),
    NavigationPlace("judging", _("Judging"), "j"),
    NavigationPlace("label_studies", _("Labelling"), "l"),
    NavigationPlace("tasks", _("Tasks"), "t"),
    NavigationPlace("worlds", _("Worlds"), "w"),
    NavigationPlace("caches", _("Caches"), "c"),
    NavigationPlace("endpoints", _("Models"), "m"),
    NavigationPlace("prompt_sets", _("Prompts"), "p"),
    NavigationPlace("jobs", _("Jobs"), "b"),
)
