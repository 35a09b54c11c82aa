"""The form of a task: the trip, and the preference tables of its travellers side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.suites.grouptravel.preferences import CITY_FIELDS, GLOBAL_FIELDS, PreferenceField
from benchmark.suites.grouptravel.statistics.task import formula_score
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from webapp.catalogue.wording import difficulty_words
from webapp.forms import TextField
from webapp.suites.grouptravel.editing.draft import BLANK, Values, reshape, values_of, write_definition
from webapp.suites.grouptravel.wording.fields import field_label
from webapp.suites.grouptravel.wording.statistics import archetype_words

MOST_USERS, MOST_CITIES, MOST_DAYS = 12, 6, 30
"""What fits into the form; a file may have more."""
FOLLOWING = ("difficulty", "query", "context")
"""What follows from the other fields unless somebody has chosen it."""
LANGUAGES = [("zh", "中文"), ("en", "English")]
_LONGEST = 4_000


class LinesField(forms.CharField):
    """Texts, one a line."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=_LONGEST, strip=False, **options)
        self.widget.attrs |= {"rows": 2}

    def clean(self, value: Any) -> list[str]:
        """The lines that are not blank."""
        return lines(super().clean(value))


def lines(text: str) -> list[str]:
    """The lines of a text without blank ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


class Row(NamedTuple):
    """A field with a cell a traveller. city: its number, None for the whole trip; heading: its name."""

    city: int | None
    heading: str
    label: str
    cells: list[forms.BoundField]


class TaskForm(forms.Form):
    """A task. definition: the stored one, whose other keys are kept, or what a new one begins with. data: as sent."""

    task_id = TextField(max_length=200, label=gettext_lazy("Id"))
    language = forms.ChoiceField(choices=LANGUAGES, label=gettext_lazy("Language"))
    departure_city = TextField(max_length=60, label=gettext_lazy("Departure city"))
    time = forms.DateField(
        label=gettext_lazy("Departure date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, label=gettext_lazy("Days"))
    group_id = forms.ChoiceField(required=False, label=gettext_lazy("Archetype"))
    group_name = TextField(
        max_length=100,
        required=False,
        label=gettext_lazy("Name of the group"),
        help_text=gettext_lazy("Leave empty for the archetype's own."),
    )
    group_tags = LinesField(label=gettext_lazy("Tags"), help_text=gettext_lazy("One per line."))
    children = LinesField(
        label=gettext_lazy("Young children"),
        help_text=gettext_lazy("Without a preference table, one per line: User3: a toddler"),
    )
    difficulty = forms.ChoiceField(required=False, label=gettext_lazy("Difficulty"))
    query = TextField(
        max_length=_LONGEST,
        required=False,
        label=gettext_lazy("Query"),
        help_text=gettext_lazy("Leave empty to have it written from the fields above."),
    )
    context = TextField(
        max_length=_LONGEST,
        required=False,
        label=gettext_lazy("Context"),
        help_text=gettext_lazy("Leave empty to have it written from the fields above."),
    )

    _cut = False
    """Whether more was sent than the form takes."""

    def __init__(self, definition: Mapping[str, Any] | None, data: Any = None, *, new: bool = False) -> None:
        self.new = new
        self.base: Mapping[str, Any] = BLANK if definition is None else definition
        values = values_of(self.base)
        super().__init__(data, initial=values.flat)
        self.users, self.city_count = values.users, values.city_count
        if data is not None:
            self._shape(data)
        self._choices()
        if not self.new:
            del self.fields["task_id"]
        for number in range(self.city_count):
            self.fields[f"city{number}"] = TextField(max_length=60, label=_("City %(n)s") % {"n": number + 1})
        for at, user in enumerate(self.users):
            self._add_user(at, user)

    def _shape(self, data: Any) -> None:
        """How many cities and which travellers were sent: no more than the page makes, or than the task has."""
        users = [name for name in data.getlist("user") if name.strip()]
        sent = list(dict.fromkeys(users))
        cities = len([key for key in data if key.startswith("city") and key[4:].isdigit()])
        most_users, most_cities = max(MOST_USERS, len(self.users)), max(MOST_CITIES, self.city_count)
        self._cut = len(sent) > most_users or cities > most_cities
        self.users, self.city_count = sent[:most_users], min(cities, most_cities)

    def _choices(self) -> None:
        """Archetypes with that which the task has, and difficulties."""
        own = str(self.base.get("metadata", {}).get("group_id", ""))
        names = {"": _("none of these"), **{name: archetype_words(name) for name in ARCHETYPES}}
        field = self.fields["group_id"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(({own: own} | names).items())
        field = self.fields["difficulty"]
        assert isinstance(field, forms.ChoiceField)
        levels = [(level, difficulty_words(level)) for level in ("easy", "medium", "hard")]
        field.choices = [("", _("by the formula")), *levels]

    def _add_user(self, at: int, user: str) -> None:
        def label_for(what: str) -> str:
            return f"{user}: {what}"

        own: dict[str, forms.Field] = {
            "role": TextField(max_length=200, required=False, label=label_for(_("role"))),
            "compromisable": forms.BooleanField(required=False, label=label_for(_("may compromise"))),
            "opening": forms.CharField(
                required=False,
                max_length=_LONGEST,
                label=label_for(_("opening message")),
                widget=forms.Textarea(attrs={"rows": 4}),
            ),
        }
        for field in GLOBAL_FIELDS:
            own[key(field)] = _field(field, label_for(field_label(field)))
        for city in range(self.city_count):
            for field in CITY_FIELDS:
                label = f"{_('City %(n)s') % {'n': city + 1}}, {field_label(field)}"
                own[key(field, city)] = _field(field, label_for(label))
        for name, made in own.items():
            self.fields[f"u{at}-{name}"] = made

    # how the page shows it

    @property
    def trip(self) -> list[forms.BoundField]:
        """The fields of the trip and the group."""
        names = (
            "task_id",
            "language",
            "departure_city",
            "time",
            "days",
            "group_id",
            "group_name",
            "group_tags",
        )
        return [
            self[name]
            for name in (*names, "children", "difficulty", "query", "context")
            if name in self.fields
        ]

    @property
    def city_fields(self) -> list[forms.BoundField]:
        """The names of the cities."""
        return [self[f"city{number}"] for number in range(self.city_count)]

    def cells(self, name: str) -> list[forms.BoundField]:
        """A field of every traveller."""
        return [self[f"u{at}-{name}"] for at in range(len(self.users))]

    @property
    def roles(self) -> list[forms.BoundField]:
        return self.cells("role")

    @property
    def yielding(self) -> list[forms.BoundField]:
        return self.cells("compromisable")

    @property
    def openings(self) -> list[forms.BoundField]:
        return self.cells("opening")

    @property
    def rows(self) -> Iterator[Row]:
        """The fields of the preference tables: of the whole trip, then of each city."""
        for field in GLOBAL_FIELDS:
            yield Row(None, _("the whole trip"), field_label(field), self.cells(key(field)))
        for city, bound in enumerate(self.city_fields):
            name = str(bound.value() or bound.label)
            for field in CITY_FIELDS:
                yield Row(city, name, field_label(field), self.cells(key(field, city)))

    @property
    def full(self) -> dict[str, bool]:
        """Whether there is room for another traveller or city."""
        return {"users": len(self.users) >= MOST_USERS, "cities": self.city_count >= MOST_CITIES}

    # what it makes

    def clean(self) -> dict[str, Any]:
        """Cities that differ, somebody who travels, children with names, and a difficulty."""
        given = super().clean() or {}
        if self._cut:
            words = _(
                "A task made here has at most %(users)s travellers and %(cities)s cities. Write a "
                "larger one in a file."
            )
            raise forms.ValidationError(words % {"users": MOST_USERS, "cities": MOST_CITIES})
        if not self.users:
            raise forms.ValidationError(_("The task has no traveller; add one."))
        if not self.city_count:
            raise forms.ValidationError(_("The trip has no city; add one."))
        names = [given.get(f"city{number}") for number in range(self.city_count)]
        for number, name in enumerate(names):
            if name and name in names[:number]:
                self.add_error(f"city{number}", _("%(name)s is already a city of the trip.") % {"name": name})
        for child in given.get("children") or ():
            if child.partition(":")[0].strip() in self.users:
                words = _("%(name)s has a preference table; give the child another name.")
                self.add_error("children", words % {"name": child.partition(":")[0].strip()})
        if given.get("days") and not given.get("difficulty") and self._score(given) is None:
            words = _(
                "The formula does not cover this number of people, days and cities. Choose a difficulty."
            )
            self.add_error("difficulty", words)
        return given

    def _score(self, given: Mapping[str, Any]) -> float | None:
        people = len(self.users) + len(given.get("children") or ())
        return formula_score(people, given.get("days"), self.city_count)

    def definition(self) -> dict[str, Any]:
        """The task as it was filled in; what can't be understood stands as it was written."""
        if self.is_bound:
            self.is_valid()
        return write_definition(self.base, self._values())

    def _values(self) -> Values:
        flat = {name: self._value(name) for name in self.fields}
        return Values(flat, self.users, self.city_count)

    def _value(self, name: str) -> Any:
        if not self.is_bound:
            return self.initial.get(name, "")
        if name in self.cleaned_data:
            return self.cleaned_data[name]
        raw = self[name].data
        return lines(raw or "") if isinstance(self.fields[name], LinesField) else (raw or "")

    def reshape(self, do: str) -> TaskForm:
        """The same form with a traveller or city more or less, or travellers in another order (`up-user-1`)."""
        form = TaskForm(reshape(self.definition(), do), new=self.new)
        form.initial.update({name: self._value(name) for name in FOLLOWING})
        return form


def key(field: PreferenceField, city: int | None = None) -> str:
    """The name of a field's input, after that of its traveller."""
    tail = ".".join(field.keys)
    return tail if city is None else f"c{city}-{tail}"


def _field(field: PreferenceField, label: str) -> forms.Field:
    if field.kind == "scalar":
        return forms.FloatField(required=False, min_value=0, label=label)
    return LinesField(label=label)
