"""Pages on which two files of run records become a study of pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.inputs import LineProblem
from webapp.accounts.access import researcher_of, researchers_only
from webapp.exchange.forms import ImportForm
from webapp.exchange.imports import Choice
from webapp.exchange.label_files import StudyRequest, pair_of, start_pair
from webapp.fields import plain_name
from webapp.forms import TextField, UploadField, gone_to
from webapp.labelling.models import LabelStudy
from webapp.sessions.models import RecordImport


@researchers_only
def new_pair(request: HttpRequest) -> HttpResponse:
    """Choose two files, and have them brought in."""
    form = LabelFilesForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        made = start_pair(**form.pair(), user=researcher_of(request))
        return gone_to(request, reverse("label_files_pair", args=[made.first.pk, made.second.pk]))
    return render(request, "exchange/new_label_files.html", {"form": form})


@researchers_only
def pair(request: HttpRequest, first: int, second: int) -> HttpResponse:
    """How far both imports are, the study that they became, or what is wrong with a file."""
    return render(request, "exchange/label_files.html", _pair_summary(first, second))


@researchers_only
def pair_live(request: HttpRequest, first: int, second: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "exchange/label_files_live.html", _pair_summary(first, second))


def _pair_summary(first: int, second: int) -> dict[str, Any]:
    pair = pair_of(first, second)
    if pair is None:
        raise Http404
    pairs = pair.study.items.count() if pair.study else 0
    return {"pair": pair, "files": [_file(file) for file in pair.files], "pairs": pairs}


def _file(incoming: RecordImport) -> dict[str, Any]:
    problems = [LineProblem(*problem) for problem in incoming.problems]
    more = incoming.problem_count - len(problems)
    return {"incoming": incoming, "problems": problems, "more": more}


# The form that sends in two files of run records for a study of pairs.


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
