"""The form that sends run records in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from webapp.catalogue.models import World
from webapp.exchange.imports import AGENT, Choice
from webapp.exchange.places import keep_places
from webapp.exchange.uploads import kept_upload
from webapp.forms import TextField, UploadField


def readable_suites() -> list[tuple[str, str]]:
    """The benchmarks whose run records can be imported, by name, each with its title."""
    suites = [suite_named(name) for name in SUITES]
    return [(suite.name, suite.title) for suite in suites if suite.records is not None]


class ImportForm(forms.Form):
    """A file of run records, and what is made of it."""

    file = UploadField(
        label=_("File"),
        help_text=_(
            "Published run records, one JSON object per line. A file with a bad line changes "
            "nothing. Use manage.py import_records for larger files."
        ),
        accept=".jsonl,.json,.gz",
    )
    suite = forms.ChoiceField(label=_("Benchmark"), initial=DEFAULT_SUITE)
    name = TextField(
        label=_("Name of the run"), max_length=100, required=False, help_text=_("By default the file's name.")
    )
    agent = TextField(
        label=_("Agent"),
        max_length=60,
        required=False,
        help_text=_("The name of these records' agent in lists and comparisons."),
    )
    collection = TextField(
        label=_("Collection"),
        max_length=100,
        required=False,
        help_text=_("For tasks that are known only from these records. By default the name of the run."),
    )
    world = forms.ModelChoiceField(
        World.objects.none(),
        to_field_name="name",
        required=False,
        label=_("World"),
        empty_label=_("the world of each task’s collection"),
        help_text=_("The world that the records were planned in. Scores look up places in it."),
    )
    places = UploadField(
        label=_("Catalogue of places"),
        required=False,
        help_text=_("Instead of a world: the published catalogue of places, as JSON."),
        accept=".json,.gz",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        suite, world = self.fields["suite"], self.fields["world"]
        assert isinstance(suite, forms.ChoiceField) and isinstance(world, forms.ModelChoiceField)
        suite.choices = readable_suites()
        world.queryset = World.objects.defer("report")

    def clean(self) -> dict[str, Any]:
        """Keep the file of places where there is one and it can be read."""
        given = super().clean() or {}
        if given.get("world") and given.get("places"):
            self.add_error("places", _now("Choose a world or a catalogue, not both."))
        elif given.get("places") and given.get("suite"):
            given["kept_places"] = self._keep_upload(given["places"])
        return given

    def _keep_upload(self, upload: UploadedFile[Any]) -> str:
        path = kept_upload(upload)
        try:
            return keep_places(path, self._choice())
        except ValueError as error:
            self.add_error("places", str(error).replace(f"{path}: ", ""))
            return ""
        finally:
            path.unlink(missing_ok=True)

    def _choice(self, places: str = "") -> Choice:
        given = self.cleaned_data
        file = Path(given["file"].name).name if given.get("file") else ""
        name = given.get("name") or file.removesuffix(".gz").removesuffix(".jsonl")[:100]
        return Choice(
            run=name,
            collection=given.get("collection") or name,
            world=given["world"].name if given.get("world") else "",
            places=places,
            agent=given.get("agent") or AGENT,
            suite=given["suite"],
        )

    def creation(self) -> dict[str, Any]:
        """What `start_import` takes."""
        choice = self._choice(self.cleaned_data.get("kept_places", ""))
        return {"upload": self.cleaned_data["file"], "choice": choice}
