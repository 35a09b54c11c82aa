"""Forms of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from benchmark.suites import SUITES, suite_named
from webapp.catalogue.models import TaskCollection
from webapp.catalogue.selectors import TaskFilter

DIFFICULTIES = [("", _("any")), ("easy", _("easy")), ("medium", _("medium")), ("hard", _("hard"))]


def collection_choices() -> list[tuple[str, Any]]:
    """Any collection, or one of those that are complete."""
    names = TaskCollection.objects.filter(complete=True).order_by("name").values_list("name", flat=True)
    return [("", _("any")), *((name, name) for name in names)]


def _choice(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, choices=[("", _("any")), *choices], label=label)


class TaskFilterForm(forms.Form):
    """What the list of tasks is narrowed to. What is not understood narrows nothing."""

    find = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("city, date, group or id")}),
    )
    size = forms.IntegerField(required=False, min_value=1, max_value=99, label=_("Travellers"))
    difficulty = forms.ChoiceField(required=False, choices=DIFFICULTIES, label=_("Difficulty"))
    collection = forms.ChoiceField(required=False, choices=collection_choices, label=_("Collection"))
    conflicts = _choice(_("Conflicts"), [("yes", _("some")), ("no", _("none"))])
    children = forms.BooleanField(required=False, label=_("With young children"))

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        suites = [suite_named(name) for name in SUITES]
        if len(suites) > 1:
            named = [(suite.name, suite.title) for suite in suites]
            self.fields["suite"] = _choice(_("Benchmark"), named)
        self.facets = {
            f"{suite.name}-{facet.key}": (suite.name, facet) for suite in suites for facet in suite.facets
        }
        for name, (_suite, facet) in self.facets.items():
            self.fields[name] = _choice(
                now(facet.label), [(key, now(words)) for key, words in facet.values.items()]
            )

    def wanted(self) -> TaskFilter:
        """The filters that can be understood. A facet is of one benchmark; of two benchmarks no task is."""
        self.is_valid()
        given = {key: value for key, value in self.cleaned_data.items() if value}
        asked = [(*self.facets[name], given.pop(name)) for name in self.facets if name in given]
        suites = {given.pop("suite", ""), *(suite for suite, *_rest in asked)} - {""}
        facets = {facet.key: value for _suite, facet, value in asked}
        return TaskFilter(**given, suite=" ".join(sorted(suites)), facets=facets)

    def query(self) -> str:
        """The same filters as the end of an address."""
        given = {key: value for key, value in self.cleaned_data.items() if value}
        return urlencode({**given, "children": "on"} if given.get("children") else given)
