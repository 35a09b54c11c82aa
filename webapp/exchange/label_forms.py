"""The form that sends in two files of run records for a study of pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from webapp.exchange.forms import ImportForm
from webapp.exchange.imports import Choice
from webapp.exchange.label_files import StudyRequest
from webapp.fields import plain_name
from webapp.forms import TextField, UploadField
from webapp.labelling.models import LabelStudy


def _records(label: Any, help_text: Any) -> UploadField:
    return UploadField(label=label, help_text=help_text, accept=".jsonl,.json,.gz")


class LabelFilesForm(ImportForm):
    """Two files, what agent each is of, and where both were planned."""

    file = None  # type: ignore[assignment]  # as Django takes a field away
    agent = None  # type: ignore[assignment]
    collection = None  # type: ignore[assignment]
    name = TextField(label=_("Name of the study"), max_length=80)
    first = _records(
        _("First file"),
        _("Published run records, one JSON object per line. The two files must share at least one task."),
    )
    first_agent = TextField(label=_("Its agent"), max_length=60)
    second = _records(_("Second file"), _("If either file has a bad line, neither file is imported."))
    second_agent = TextField(label=_("Its agent"), max_length=60)
    alike = forms.BooleanField(label=_("Include pairs with the same plan on both sides"), required=False)
    size = forms.IntegerField(
        label=_("Maximum number of pairs"), min_value=1, max_value=20_000, required=False
    )
    field_order = ["name", "first", "first_agent", "second", "second_agent", "suite", "world", "places"]

    def clean_name(self) -> str:
        """A name that no study has."""
        name = plain_name(self.cleaned_data["name"], 80)
        if not name:
            raise forms.ValidationError(_now("Give the study a name."))
        if LabelStudy.objects.filter(name=name).exists():
            raise forms.ValidationError(_now("A study with this name already exists; choose another name."))
        return name

    def clean(self) -> dict[str, Any]:
        """Two agents have two names."""
        given = super().clean()
        agent = given.get("first_agent")
        if agent and agent == given.get("second_agent"):
            self.add_error(
                "second_agent", _now("Both files have the same agent; give the two different names.")
            )
        return given

    def _choice(self, places: str = "") -> Choice:
        return self._choice_of("first", places)

    def _choice_of(self, which: str, places: str) -> Choice:
        given = self.cleaned_data
        study, agent = given.get("name") or "", given.get(f"{which}_agent") or ""
        return Choice(
            run=f"{study}: {agent}"[:100],
            collection=study,
            world=given["world"].name if given.get("world") else "",
            places=places,
            agent=agent,
            suite=given["suite"],
        )

    def pair(self) -> dict[str, Any]:
        """What `start_pair` takes."""
        given = self.cleaned_data
        places = given.get("kept_places", "")
        return {
            "uploads": (given["first"], given["second"]),
            "choices": (self._choice_of("first", places), self._choice_of("second", places)),
            "asked": StudyRequest(given["name"], differing=not given["alike"], size=given["size"]),
        }
