"""The form of a set of tasks."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.formats import localize
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites import suite_named
from benchmark.suites.base import OrderForm
from benchmark.synthesis import EARLIEST, LATEST, MOST_TASKS
from webapp.catalogue.models import World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.forms import ChoiceRefused, TextField, UploadField
from webapp.optionfields import WithOptions
from webapp.pages import SynthesisPage, pages_of
from webapp.synthesis.models import TaskSynthesis
from webapp.synthesis.services import TaskIds, next_number, next_prefix, refuse_taken, synthesis_of

LANGUAGES = [("zh", _("Chinese")), ("en", _("English"))]
_HEEDED_FIELDS = OrderForm().fields
"""Fields that not every benchmark has."""
_DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
_POSSIBLE = [MinValueValidator(EARLIEST), MaxValueValidator(LATEST)]


class SynthesisForm(WithOptions):
    """Which tasks, over which world, and what writes them. A new one begins like a set that was made before."""

    collection = TextField(max_length=100, label=_("Name of the set"))
    world = forms.ModelChoiceField(
        World.objects.none(), to_field_name="name", label=_("World"), empty_label=None
    )
    count = forms.IntegerField(
        min_value=1,
        max_value=MOST_TASKS,
        label=_("Tasks"),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        label=_("Seed"),
        help_text=_("The same seed gives the same tasks, another seed gives others."),
    )
    language = forms.ChoiceField(choices=LANGUAGES, label=_("Language of the tasks"))
    model = forms.ModelChoiceField(
        ModelEndpoint.objects.none(),
        to_field_name="name",
        required=False,
    )
    first = forms.DateField(
        required=False,
        widget=_DAY,
        validators=_POSSIBLE,
        label=_("First day of departure"),
    )
    last = forms.DateField(
        required=False, widget=_DAY, validators=_POSSIBLE, label=_("Last day of departure")
    )
    prove = forms.BooleanField(
        required=False,
        initial=True,
        label=_("Prove that each task can be solved"),
        help_text=_(
            "The planner of the reference agent must find a valid plan within the budgets of those "
            "who do not give way. This takes about half a second of a processor per task."
        ),
    )
    first_id = forms.IntegerField(
        min_value=1,
        max_value=10**9,
        label=_("Number of the first task"),
        help_text=_("In the ids of the tasks, such as task_000001."),
    )
    travellers = UploadField(
        required=False,
        accept=".jsonl,.gz",
        label=_("Own travellers"),
        help_text=_("A JSONL file of profiles, one per line. Without it the built-in pool is used."),
    )

    def __init__(
        self, suite: str, data: Any = None, files: Any = None, *, like: TaskSynthesis | None = None
    ) -> None:
        """suite: a benchmark that makes tasks."""
        self._form = suite_named(suite).making.order_form
        making = synthesis_of(suite)
        assert making is not None
        self._usual = making.days
        initial = _of(like) if like is not None else {}
        usual = {"first_id": next_number(), "prefix": next_prefix()}
        super().__init__(data, files, initial=usual | initial)
        for name in _HEEDED_FIELDS - self._form.fields:
            del self.fields[name]
        self.add_options(self._form.options)
        self.order_fields(["collection", "world", *self.options])
        self._say(pages_of(suite).task.synthesis)
        self._offer("world", World.objects.defer("report"))
        self._offer("model", offered_endpoints())

    def _say(self, words: SynthesisPage) -> None:
        """What the benchmark calls what it has of these fields."""
        model = self.fields["model"]
        assert isinstance(model, forms.ModelChoiceField)
        model.label, model.help_text = str(words.writer), str(words.writer_help)
        model.empty_label = str(words.by_rule)
        self.fields["first"].help_text = str(words.usual_days)
        if count := self.fields.get("count"):
            count.initial, count.help_text = words.count, str(words.count_help)

    def _offer(self, name: str, rows: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = rows

    def clean(self) -> dict[str, Any]:
        """Days in order, name and numbers free."""
        given = super().clean() or {}
        if "first" in given and "last" in given:
            self._in_order(given["first"] or self._usual[0], given["last"] or self._usual[1])
        if not self.errors:
            try:
                refuse_taken(collection=given["collection"], ids=self._ids())
            except ChoiceRefused as refused:
                self.add_error(refused.field, str(refused))
        return given

    def _ids(self) -> TaskIds:
        """Those that the set would take. Raises ChoiceRefused: it would have no tasks, or too many."""
        given, chosen = self.cleaned_data, self.chosen_options()
        count = self._form.count(chosen) if self._form.count else given["count"]
        if not 1 <= count <= MOST_TASKS:
            words = _now("%(count)s tasks can't be made; ask for 1 to %(most)s.")
            raise ChoiceRefused(words % {"count": count, "most": f"{MOST_TASKS:,}"}, next(iter(self.options)))
        return TaskIds(
            count, given.get("first_id") or 1, self._form.id_prefix and self._form.id_prefix(chosen)
        )

    def _in_order(self, first: date, last: date) -> None:
        if last < first:
            told = {"first": localize(first), "last": localize(last)}
            remark = _now("The last day, %(last)s, comes before the first, %(first)s; choose other days.")
            self.add_error("last", remark % told)

    def order_arguments(self) -> dict[str, Any]:
        """The arguments of `ask_for`."""
        given = self.cleaned_data
        days = {name: given[name].isoformat() if given[name] else None for name in ("first", "last")}
        ids = self._ids()
        kept = {
            "count": ids.total,
            "seed": given["seed"],
            "language": given.get("language", "zh"),
            "first_id": ids.first,
            "prove": given.get("prove", False),
            "options": self.chosen_options(),
        }
        return {
            "collection": given["collection"],
            "world": given["world"],
            "endpoint": given["model"],
            "order": {**kept, **days},
            "travellers": given.get("travellers"),
        }


def _of(row: TaskSynthesis) -> dict[str, Any]:
    """What a form begins with that is to be like another set: its name too, unless it is taken."""
    kept = {name: row.order[name] for name in ("count", "seed", "language", "first", "last", "prove")}
    own = {"collection": row.collection, "first_id": row.order["first_id"]} if not row.begun else {}
    options = {key: value for key, value in row.options.items() if not row.begun or key != "prefix"}
    return {**options, **kept, **own, "world": row.world and row.world.name, "model": row.order["model"]}
