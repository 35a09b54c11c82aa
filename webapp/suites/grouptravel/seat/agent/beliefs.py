"""What a person in the agent's seat believes of the travellers: a table each, as the rules read it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    FIELDS,
    GLOBAL_FIELDS,
    PreferenceField,
    read,
    table_of,
)
from webapp.pages import Desk, DeskResult
from webapp.suites.grouptravel.seat.wishes import NamesField, WishesForm, _key
from webapp.suites.grouptravel.wording.fields import field_label


class BeliefForm(WishesForm):
    """The preference table of one traveller, as far as the agent knows it. It completes no names: the world's own are
    for those to find out who have the agent's seat.
    """

    def __init__(self, desk: Desk, user: str, belief: Any, data: Any = None) -> None:
        super().__init__(desk.session, user, desk.language, data)
        self.user, self.prefix = user, f"of-{user}"
        del self.fields["compromisable"]
        for field, city, name in self._places():
            self.fields[name].label = field_label(field)  # a wish of somebody else's
            self._fill(self.fields[name], read(belief, field, city))

    def _empty_fields(self, city: str) -> dict[str, list[str]]:
        return {field.topic: [] for field in FIELDS}

    def _places(self) -> Iterator[tuple[PreferenceField, str, str]]:
        yield from ((field, "", _key(field)) for field in GLOBAL_FIELDS)
        for number, city in enumerate(self.cities):
            yield from ((field, city, _key(field, number)) for field in CITY_FIELDS)

    def _fill(self, field: forms.Field, value: Any) -> None:
        """What was believed last; a mode or class that the form does not offer is one of its choices then."""
        if isinstance(field, NamesField):
            field.initial = "\n".join(map(str, value)) if isinstance(value, list) else ""
            return
        field.initial = value
        if isinstance(field, forms.MultipleChoiceField) and isinstance(value, list):
            choices: list[Any] = list(cast(Any, field.choices))
            offered = [name for name, _label in choices]
            field.choices = [*choices, *((name, name) for name in value if name not in offered)]

    def clean(self) -> dict[str, Any]:
        """Nothing need be known; and what is believed may contradict itself."""
        return forms.Form.clean(self) or {}

    def table(self) -> dict[str, Any]:
        """In the published shape, without fields of which nothing is believed."""
        names = {(field, city): name for field, city, name in self._places()}
        return table_of(self.cities, lambda field, city: self.cleaned_data[names[field, city]] or None)

    @property
    def filled(self) -> int:
        """How many fields hold something."""
        return sum(1 for field in self.fields.values() if field.initial)


def context(desk: Desk, asked: Mapping[str, str]) -> dict[str, Any]:
    """A form a traveller, filled with the last belief."""
    return {
        "forms": _forms(desk),
        "due": _due(desk),
        "first": not desk.fold.table,
        "travellers": _roles(desk),
    }


def _forms(desk: Desk, data: Any = None) -> list[BeliefForm]:
    return [BeliefForm(desk, user, desk.fold.table.get(user), data) for user in _roles(desk)]


def _roles(desk: Desk) -> dict[str, str]:
    return {member.name: member.role for member in desk.fold.opening.travellers}


def _due(desk: Desk) -> bool:
    turn = desk.fold.turn
    return desk.yours and turn is not None and turn.kind == "summary"


def act(desk: Desk, given: Any) -> DeskResult:
    """Send what was written, or the last belief as it is.

    Raises:
        ValueError: it is not asked for now.
    """
    if not _due(desk):
        raise ValueError(_("Beliefs are asked for in turns of their own, and this is not one of them."))
    if "leave" in given:
        return DeskResult(send=_text(desk.fold.table or {user: {} for user in _roles(desk)}))
    filled = _forms(desk, given)
    wrong = [form for form in filled if not form.is_valid()]  # all of them, so that each says what is wrong
    if wrong:
        return DeskResult({"forms": filled, "refusal": _("Something below is wrong, so nothing was sent.")})
    return DeskResult(send=_text({form.user: form.table() for form in filled}))


def _text(table: Mapping[str, Any]) -> str:
    return json.dumps(table, ensure_ascii=False)
