"""The filters of tables, how they stand, and saved views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from benchmark.suites import SUITES, suite_named
from webapp.catalogue.columns import search_hint
from webapp.catalogue.fields import listed_fields
from webapp.catalogue.forms import collection_choices
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import TaskFilter, suites_in
from webapp.forms import OneOf, TextField
from webapp.sessions.models import Mode, Status
from webapp.sets.models import LONGEST_NAME as LONGEST_SET_NAME
from webapp.sets.selectors import set_choices
from webapp.tables import run_columns, session_columns, task_columns
from webapp.tables.columns import Column, keys_joined, keys_of
from webapp.tables.expressions import ExpressionField, MatchedText
from webapp.tables.fields import ANY, filters_of, plain_value
from webapp.tables.models import LONGEST_NAME, LONGEST_QUERY, Entry, RunEntry
from webapp.tables.query_words import QueryField
from webapp.tables.selectors import NEWEST, Order, suites
from webapp.tables.session_columns import ORIGINS, agent_names, issue_types, session_fields
from webapp.wording.endings import endings


def _agents() -> list[tuple[str, str]]:
    return [ANY, *((name, name) for name in agent_names())]


def _suites() -> list[tuple[str, str]]:
    return [ANY, *((name, suite_named(name).title) for name in SUITES)]


def _sets() -> list[tuple[str, str]]:
    return [ANY, *((str(pk), name) for pk, name in set_choices())]


def _endings() -> list[tuple[str, str]]:
    return [ANY, *endings().items()]


def _issue_types() -> list[tuple[str, str]]:
    return [ANY, *issue_types().items()]


def _figure(column: Column) -> str:
    """A number with its unit, in which its range is given."""
    return f"{column.label} ({column.unit})" if column.unit else str(column.label)


def _column(model: type[Model], name: str) -> Callable[[], QuerySet[Any]]:
    """The values of a column, for an expression."""
    return lambda: model._default_manager.values_list(name, flat=True)


VALUE_FILTERS = {"issue_types": "issue", "cities": "city", "name": "find"}
"""The filters by the values of columns, where they are not named alike."""


class FilterForm(forms.Form):
    """What a table is narrowed to. A filter that cannot be understood counts as none, and the page says so."""

    ALWAYS_SHOWN: tuple[str, ...] = ()
    """Those that always show; all of them where none is named."""

    def __init__(self, given: QueryDict, known: Mapping[str, Column]) -> None:
        super().__init__(given)

    def filters(self) -> dict[str, Any]:
        """The filters that are set, as `selectors` takes them."""
        self.is_valid()
        given = {key: value for key, value in self.cleaned_data.items() if value not in (None, "")}
        return {key: plain_value(value) for key, value in given.items() if value is not False}

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that always show."""
        return [field for field in self if not self.ALWAYS_SHOWN or field.name in self.ALWAYS_SHOWN]

    @property
    def others(self) -> list[forms.BoundField]:
        """The others, folded until one is used."""
        return [field for field in self if self.ALWAYS_SHOWN and field.name not in self.ALWAYS_SHOWN]

    @property
    def opened(self) -> bool:
        """Whether one of the others is used."""
        return any(name not in self.ALWAYS_SHOWN for name in self.filters())


class RangeFilters(FilterForm):
    """With a range of any of the table's numbers, after the others."""

    of = OneOf(required=False, label=_("Figure"))
    low = forms.FloatField(required=False, label=_("from"))
    high = forms.FloatField(required=False, label=_("to"))

    def __init__(self, given: QueryDict, known: Mapping[str, Column]) -> None:
        super().__init__(given, known)
        self.order_fields([name for name in self.fields if name not in RangeFilters.base_fields])
        numbers = [(key, _figure(column)) for key, column in known.items() if column.number]
        cast("OneOf", self.fields["of"]).choices = [ANY, *numbers]


class SessionFilters(RangeFilters):
    """Those of sessions."""

    task = ExpressionField(_column(Entry, "words"), max_length=200, label=_("Task"))
    said = QueryField(label=_("Search in sessions"))
    status = OneOf(required=False, choices=[ANY, *Status.choices], label=_("Status"))
    run = ExpressionField(_column(Entry, "run_name"), max_length=100, label=_("Run"))
    suite = OneOf(required=False, choices=_suites, label=_("Benchmark"))
    agent = OneOf(required=False, choices=_agents, label=_("Agent"))
    model = ExpressionField(_column(Entry, "model"), max_length=200, label=_("Model"))
    users = TextField(required=False, max_length=60, label=_("Travellers"))
    user_model = TextField(required=False, max_length=200, label=_("Travellers' model"))
    world = TextField(required=False, max_length=60, label=_("World"))
    cache = TextField(required=False, max_length=60, label=_("Cache"))
    city = ExpressionField(_column(Entry, "cities"), max_length=60, label=_("City"))
    mode = OneOf(required=False, choices=[ANY, *Mode.choices], label=_("Sandbox"))
    origin = OneOf(
        required=False,
        choices=[ANY, ("own", ORIGINS[""]), *((key, label) for key, label in ORIGINS.items() if key)],
        label=_("Origin"),
    )
    reason = OneOf(required=False, choices=_endings, label=_("Ended"))
    issue = OneOf(required=False, choices=_issue_types, label=_("Issue type"))
    note = TextField(required=False, max_length=200, label=_("Tag or comment"))
    set = OneOf(required=False, choices=_sets, label=_("Set"))

    ALWAYS_SHOWN = ("task", "said", "status", "run", "agent")

    def __init__(self, given: QueryDict, known: Mapping[str, Column]) -> None:
        super().__init__(given, known)
        inputs = {name: one for each in filters_of(session_fields()) for name, one in each.inputs()}
        names = [*self.fields]
        place = names.index("city") + 1
        self.fields.update(inputs)
        self.order_fields([*names[:place], *inputs, *names[place:]])


class RunFilters(RangeFilters):
    """Those of runs."""

    find = ExpressionField(_column(RunEntry, "name"), max_length=100, label=_("Name"))
    state = OneOf(
        required=False, choices=[ANY, ("going", _("not ended")), ("ended", _("ended"))], label=_("Status")
    )
    suite = OneOf(required=False, choices=_suites, label=_("Benchmark"))
    agent = OneOf(required=False, choices=_agents, label=_("Agent"))
    model = ExpressionField(_column(RunEntry, "model"), max_length=200, label=_("Model"))
    world = ExpressionField(_column(RunEntry, "world"), max_length=60, label=_("World"))
    mode = OneOf(required=False, choices=[ANY, *Mode.choices], label=_("Sandbox"))

    ALWAYS_SHOWN = ("find", "state", "agent")


class TaskFilters(FilterForm):
    """Those of tasks: by what every task has, and by the fields of the benchmarks."""

    find = ExpressionField(
        _column(Task, "found_by"),
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    collection = OneOf(required=False, choices=collection_choices, label=_("Collection"))

    def __init__(self, given: QueryDict, known: Mapping[str, Column]) -> None:
        super().__init__(given, known)
        self.fields["find"].widget.attrs["placeholder"] = search_hint()
        if len(SUITES) > 1:
            titles = [(name, suite_named(name).title) for name in SUITES]
            self.fields["suite"] = OneOf(required=False, choices=[ANY, *titles], label=_("Benchmark"))
        self.by_field = filters_of(listed_fields("tasks"))
        for one in self.by_field:
            self.fields.update(one.inputs())
        self.order_fields(self._order())
        self._leave_out(given)

    def _order(self) -> list[str]:
        """What several benchmarks can have, with whether there is any of something last, then what one alone has."""
        shared = [one for one in self.by_field if one.field.own.column]
        some = [one for one in shared if one.field.choices.keys() & {"yes", "on"}]
        first = [name for one in shared if one not in some for name in one.names]
        return ["find", *first, "collection", *(name for one in some for name in one.names), "suite"]

    def _leave_out(self, given: QueryDict) -> None:
        """Of one benchmark, those filters that are not set and that its tasks have not."""
        about = self._about(given)
        if about is None:
            return
        for one in self.by_field:
            for name in one.names:
                if not one.field.is_filtered_in([about]) and not given.get(name):
                    del self.fields[name]

    def _about(self, given: QueryDict) -> str | None:
        """The one benchmark whose tasks the filters leave, as far as they tell; None for several."""
        named = {given.get("suite", "")} & {*SUITES}
        for one in self.by_field:
            if not one.field.own.column and any(given.get(name) for name in one.names):
                named |= {*one.field.by_suite}
        if not named and (collection := given.get("collection", "")):
            named = suites_in(collection)
        return named.pop() if len(named) == 1 else None

    def task_filter(self) -> TaskFilter:
        """The same for the catalogue."""
        given = self.filters()
        asked = {one.field.name: one.value_in(given) for one in self.by_field}
        own = {key: given[key] for key in ("find", "collection", "suite") if key in given}
        if isinstance(own.get("find"), MatchedText):
            del own["find"]  # `tasks_of` filters by what it matches
        return TaskFilter(
            **own, fields={name: wanted for name, wanted in asked.items() if wanted is not None}
        )


@dataclass(frozen=True, slots=True)
class Table:
    """One of the tables. column_by_key: its columns by key; usual: those shown until somebody chooses; first: its
    order.
    """

    column_by_key: Mapping[str, Column]
    usual: Sequence[str]
    filters: type[FilterForm]
    first: str = NEWEST


def of_sessions() -> Table:
    """The table of sessions."""
    known = session_columns.columns()
    return Table(known, session_columns.usual(known), SessionFilters)


def of_runs() -> Table:
    """The table of runs, with the metrics of their benchmarks."""
    known = run_columns.columns(suites())
    return Table(known, run_columns.usual(known), RunFilters)


def of_tasks() -> Table:
    """The table of tasks, in the order of their collections."""
    known = task_columns.columns()
    return Table(known, task_columns.usual(known), TaskFilters, "place")


class Look:
    """How a table stands and what it shows: of an address, with what is unknown left out."""

    def __init__(self, table: Table, given: QueryDict, remembered: list[str]) -> None:
        self.column_by_key, self.first = table.column_by_key, table.first
        self.form = table.filters(given, self.column_by_key)
        self.filters = self.form.filters()
        named = given.get("order", "")
        column = self.column_by_key.get(named.removeprefix("-"))
        self.order = Order(column or self.column_by_key[self.first], bool(column) and named.startswith("-"))
        chosen = [key for key in keys_of(given.get("columns", "")) if key in self.column_by_key]
        before = [key for key in remembered if key in self.column_by_key]
        self.is_chosen, self.free = bool(chosen), not chosen and not before
        self.ordered = column is not None
        self.keys = self._with_order(chosen or before or table.usual)
        self._addresses: dict[tuple[str, tuple[str, ...]], str] = {}

    def settle(self, usual: Sequence[str]) -> None:
        """Show these columns unless somebody chose some: what is usual may depend on the rows."""
        if self.free:
            self.keys = self._with_order(usual)

    def _with_order(self, keys: Sequence[str]) -> list[str]:
        """Together with the column that somebody ordered by."""
        key = self.order.column.key
        return [*keys, key] if self.ordered and key not in keys else [*keys]

    @property
    def shown_columns(self) -> list[Column]:
        """The columns, in their order."""
        return [self.column_by_key[key] for key in self.keys]

    @property
    def columns(self) -> str:
        """The chosen columns as an address holds them; "" while nobody chose."""
        return keys_joined(self.keys) if self.is_chosen else ""

    @property
    def usual_query(self) -> str:
        """The same with the usual columns, and forget those that somebody chose."""
        return self.query(columns="", usual="1")

    def query(self, **other: str) -> str:
        """The same as the end of an address, with something else in it; "" takes it out."""
        order = self.order
        named = ("-" if order.reverse else "") + order.column.key
        given = {**self.filters, "order": "" if named == self.first else named}
        given["columns"] = self.columns
        return urlencode({key: value for key, value in {**given, **other}.items() if value not in (None, "")})

    def only(self, column: Column, row: Any) -> str:
        """The end of the address that leaves the rows which have this row's value of a column; "" where no filter
        does, or the rows were left by it already.
        """
        wanted = self._value_filters(column, column.read(row))
        if not wanted or all(str(self.filters.get(name, "")) == value for name, value in wanted.items()):
            return ""
        address = self._addresses.get((column.key, tuple(wanted.values())))
        if address is None:
            address = self.query(**wanted)
            self._addresses[column.key, tuple(wanted.values())] = address
        return address

    def _value_filters(self, column: Column, value: Any) -> dict[str, str]:
        """The filters that leave what has a value, as an address holds them; none where there are no such ones."""
        if value is None or isinstance(value, bool):
            return {}
        if column.number and isinstance(value, int | float):
            shown = str(float(f"{value * column.scale:.{column.digits}f}"))
            if "of" in self.form.fields:
                return {"of": column.key, "low": shown, "high": shown}
            field = self.form.fields.get(column.key)
            return {column.key: str(value)} if isinstance(field, forms.IntegerField) and value else {}
        if not isinstance(value, str):
            return {}
        name, value = VALUE_FILTERS.get(column.key, column.key), value.strip("|")
        if name == "origin" and not value:
            value = "own"
        field = self.form.fields.get(name)
        if field is None or not value or "|" in value or value.startswith("/"):
            return {}
        if isinstance(field, forms.ChoiceField) and not field.valid_value(value):
            return {}
        return {name: value}

    def heads(self) -> list[tuple[Column, str, str]]:
        """Each column with the address that orders by it, and how it stands now: ascending, descending or ""."""
        return [
            (column, "?" + self.query(order=self._next(column)), self._stands(column))
            for column in self.shown_columns
        ]

    def _next(self, column: Column) -> str:
        mine = column.key == self.order.column.key
        return f"-{column.key}" if mine and not self.order.reverse else column.key

    def _stands(self, column: Column) -> str:
        if column.key != self.order.column.key:
            return ""
        return "descending" if self.order.down else "ascending"


class SearchForm(forms.Form):
    """What is looked for, and before: only sessions with a lower key in the index."""

    q = QueryField(label=_("Search in sessions"))
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class SetForm(forms.Form):
    """What is put into a set: what a query finds, or what the filters of the table leave, and the name of the set."""

    name = TextField(max_length=LONGEST_SET_NAME, label=_("Name"))
    q = QueryField()
    query = TextField(required=False, max_length=LONGEST_QUERY, widget=forms.HiddenInput)


class ViewForm(forms.Form):
    """A view to save."""

    name = TextField(max_length=LONGEST_NAME, label=_("Name"))
    query = TextField(
        required=False, max_length=LONGEST_QUERY, label=_("Filters and columns"), widget=forms.HiddenInput
    )
