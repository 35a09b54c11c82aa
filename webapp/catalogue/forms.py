"""Forms of the catalogue."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.catalogue.models import TaskCollection
from webapp.catalogue.selectors import TaskFilter


class TaskFilterForm(forms.Form):
    """What the list of tasks is narrowed to. What is not understood narrows nothing."""

    find = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("city, date, group or id")}),
    )
    size = forms.IntegerField(required=False, min_value=1, max_value=99, label=_("Travellers"))
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
        names = TaskCollection.objects.filter(complete=True).order_by("name").values_list("name", flat=True)
        collection = self.fields["collection"]
        assert isinstance(collection, forms.ChoiceField)
        collection.choices = [("", _("any")), *((name, name) for name in names)]

    def wanted(self) -> TaskFilter:
        """The filters that can be understood."""
        self.is_valid()
        return TaskFilter(**{key: value for key, value in self.cleaned_data.items() if value})

    def query(self) -> str:
        """The same filters as the end of an address."""
        given = {key: value for key, value in self.cleaned_data.items() if value}
        return urlencode({**given, "children": "on"} if given.get("children") else given)
