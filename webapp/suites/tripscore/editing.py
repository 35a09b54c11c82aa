"""A person's request as a task, made and changed in a form; its data are drawn from a world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from benchmark.suites.tripscore.making.queries import why_dropped
from benchmark.suites.tripscore.making.reference import Limits
from benchmark.suites.tripscore.making.requests import (
    FEWEST_CHARACTERS,
    FEWEST_WORDS,
    MOST_DAYS,
    city_named,
    is_long_enough,
    query_over,
)
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.listing import SPLIT_WORDS
from benchmark.suites.tripscore.tasks.task import REAL
from benchmark.text import guarded
from sandbox.worlds import World as Pack
from webapp.catalogue.models import World
from webapp.catalogue.packs import pack_of
from webapp.forms import TextField
from webapp.pages import TaskEditor

_COMMAS = guarded.compile(r"[,，、;；\n→]+")
_PLACE_WORLD = "place-world"
"""The choice of a world among the fields of where a new task goes."""


class RequestForm(forms.Form):
    """A request. definition: the stored task, whose other keys are kept, or what a new one begins with."""

    task_id = TextField(max_length=200, label=gettext_lazy("Id"))
    user_request = forms.CharField(
        max_length=4_000,
        label=gettext_lazy("Request"),
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("In the person's own words: at least 10 words, or 15 characters in Chinese."),
    )
    departure_city = TextField(
        max_length=60,
        required=False,
        label=gettext_lazy("Departure city"),
        help_text=gettext_lazy("Leave empty where the journey begins in its first city."),
    )
    cities = TextField(
        max_length=400,
        label=gettext_lazy("Cities"),
        help_text=gettext_lazy("Separated by commas, each as the world calls it."),
    )
    start_date = forms.DateField(
        label=gettext_lazy("First day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=3, label=gettext_lazy("Days"))
    return_required = forms.BooleanField(required=False, initial=True, label=gettext_lazy("And back"))
    fixed_order = forms.BooleanField(required=False, label=gettext_lazy("In this order"))
    split = forms.ChoiceField(required=False, label=gettext_lazy("Split"))
    world = forms.ModelChoiceField(
        World.objects.defer("report"),
        to_field_name="name",
        required=False,
        label=gettext_lazy("Draw the data anew from"),
        empty_label=gettext_lazy("keep those of the task"),
    )

    def __init__(self, definition: Mapping[str, Any] | None, data: Any = None, *, new: bool = False) -> None:
        self.new = new
        self.base: Mapping[str, Any] = definition or {}
        query = self.base.get("query", {})
        known = {**query, "cities": ", ".join(query["cities"])} if query else {}
        super().__init__(data, initial={**known, "split": self.base.get("split", "")})
        own = str(self.base.get("split") or "")
        choices = {"": _("none"), own: own or _("none")} | {
            name: _(word) for name, word in SPLIT_WORDS.items()
        }
        self.fields["split"].choices = list(choices.items())  # type: ignore[attr-defined]
        del self.fields["world" if new else "task_id"]
        self._data: dict[str, Any] = {}

    def clean_user_request(self) -> str:
        """Refuses words that say too little."""
        words = str(self.cleaned_data["user_request"])
        if not is_long_enough(words):
            told = _(
                "Say more: a request has at least %(words)s words, or %(characters)s characters in Chinese."
            )
            raise forms.ValidationError(told % {"words": FEWEST_WORDS, "characters": FEWEST_CHARACTERS})
        return words

    def clean(self) -> dict[str, Any]:
        """Refuses cities that the world lacks, and whatever is dropped of sets as well."""
        given = super().clean() or {}
        pack = self._pack()
        if pack is None and not self.base.get("reference"):
            self.add_error(None, _("Choose a world: sights, hotels and transport are drawn from it."))
        names = [name.strip() for name in _COMMAS.split(given.get("cities") or "") if name.strip()]
        given["cities"] = [self._city("cities", name, pack) for name in names]
        departure = given.get("departure_city") or ""
        given["departure_city"] = self._city("departure_city", departure, pack) if departure else None
        if len({*given["cities"]}) < len(names):
            self.add_error("cities", _("A city is there twice; name each once."))
        if not self.errors:
            self._draw(given, pack)
        return given

    def _pack(self) -> Pack | None:
        named = self.data.get(_PLACE_WORLD if self.new else "world")
        world = World.objects.filter(name=named).first() if named else None
        return pack_of(world) if world else None

    def _city(self, field: str, name: str, pack: Pack | None) -> str:
        found = city_named(pack, name) if pack else name
        if found is None and pack:
            cities = ", ".join(city.name for city in pack.cities())
            told = _("The world has no city “%(name)s”; it has: %(cities)s.")
            self.add_error(field, told % {"name": name, "cities": cities})
        return found or name

    def _draw(self, given: Mapping[str, Any], pack: Pack | None) -> None:
        self._data = query_over(pack, self._journey(given), given["user_request"], Limits()) if pack else {}
        try:
            task = Task.model_validate(self._definition(given))
        except ValidationError:
            return  # what is wrong is told as of a line of a file
        if why := why_dropped(task):
            told = _(
                "No plan could answer this request: it is %(why)s. Change the cities, the days or the world."
            )
            self.add_error(None, told % {"why": _(why)})

    @staticmethod
    def _journey(given: Mapping[str, Any]) -> dict[str, Any]:
        names = ("departure_city", "cities", "days", "return_required", "fixed_order")
        first = given["start_date"].isoformat()
        journey = {**{name: given[name] for name in names}, "start_date": first}
        return {**journey, "return_required": bool(journey["departure_city"] and given["return_required"])}

    def _definition(self, given: Mapping[str, Any]) -> dict[str, Any]:
        known = self.base.get("query", {})
        query = {"type": REAL, **known, **self._journey(given), "user_request": given["user_request"]}
        made = {**self.base, "id": given.get("task_id") or self.base.get("id", ""), "query": query}
        made["reference"] = self._data.get("reference") or self.base.get("reference", {})
        split = given.get("split")
        return {**made, "split": split} if split else {key: made[key] for key in made if key != "split"}

    def definition(self) -> dict[str, Any]:
        """The task as it was filled in; what it was before where something is wrong."""
        return self._definition(self.cleaned_data) if self.is_bound and self.is_valid() else dict(self.base)

    def reshape(self, do: str) -> RequestForm:
        """The same: the form has no parts that can be more or less."""
        return self


def _check_context(definition: Mapping[str, Any]) -> dict[str, Any]:
    reference = definition.get("reference") or {}
    names = {"attractions": _("sights"), "hotels": _("hotels"), "transportation": _("transport")}
    return {"counts": [(label, len(reference.get(key) or ())) for key, label in names.items()]}


EDITOR = TaskEditor(form=RequestForm, check_context=_check_context)
