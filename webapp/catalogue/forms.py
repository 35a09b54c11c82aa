"""Forms of the catalogue."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.catalogue.models import Task, TaskCollection
from webapp.catalogue.selectors import TaskFilter, known_cities


class TaskFilterForm(forms.Form):
    """What the list of tasks is narrowed to. What is not understood narrows nothing."""

    size = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label=_("Travellers"))
    city = forms.ChoiceField(required=False, label=_("City"))
    difficulty = forms.ChoiceField(
        required=False,
        choices=[("", _("any")), ("easy", _("easy")), ("medium", _("medium")), ("hard", _("hard"))],
        label=_("Difficulty"),
    )
    collection = forms.ChoiceField(required=False, label=_("Collection"))
    conflicts = forms.ChoiceField(
        required=False, choices=[("", _("any")), ("yes", _("some")), ("no", _("none"))], label=_("Conflicts")
    )
    children = forms.BooleanField(required=False, label=_("With young children"))

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        sizes = Task.objects.order_by("size").values_list("size", flat=True).distinct()
        self._choose("size", [(str(size), str(size)) for size in sizes])
        self._choose("city", [(city, city) for city in known_cities()])
        names = TaskCollection.objects.filter(complete=True).order_by("name").values_list("name", flat=True)
        self._choose("collection", [(name, name) for name in names])

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("any")), *choices]

    def wanted(self) -> TaskFilter:
        """The filters that can be understood."""
        self.is_valid()
        return TaskFilter(**{key: value for key, value in self.cleaned_data.items() if value})

    def query(self) -> str:
        """The same filters as the end of an address."""
        given = {key: value for key, value in self.cleaned_data.items() if value}
        return urlencode({**given, "children": "on"} if given.get("children") else given)
