"""The OpenAPI file of the API, with the filters that lists share with the tables of pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from django import forms
from django.http import QueryDict
from ninja import NinjaAPI

from webapp.api.lists import JudgementFilters, LabelFilters, score_table
from webapp.tables.forms import FilterForm, Table, of_runs, of_sessions, of_tasks

PREFIX = "/api/v1/"
LINES = "application/x-ndjson"
SCOPE = "x-scope"
"""What an operation of the file says of the scope that it needs."""


def document_of(api: NinjaAPI) -> dict[str, Any]:
    """The file of an API. What can be filtered depends on what is here, so that is added when it is asked for."""
    made: dict[str, Any] = json.loads(_without_filters(api))
    tables = _tables()
    for methods in made["paths"].values():
        for operation in methods.values():
            operation["parameters"] += _filters(operation["operationId"], tables)
    return made


@lru_cache(maxsize=1)
def _without_filters(api: NinjaAPI) -> str:
    """The rest of it, the same for as long as the process lives: pydantic takes long to tell of every model."""
    made: dict[str, Any] = dict(api.get_openapi_schema(path_prefix=PREFIX))
    for path, methods in made["paths"].items():
        for operation in methods.values():
            operation["security"] = [{"Token": [operation[SCOPE]]}]
            if operation["operationId"] in LISTS:
                _add_lines(operation)
            operation["description"] = _description_of(operation, path)
    made["components"]["securitySchemes"] = {"Token": {"type": "http", "scheme": "bearer"}}
    return json.dumps(made)


LISTS = {
    "runs": "RunItem",
    "sessions": "SessionItem",
    "run_sessions": "SessionItem",
    "scores": "ScoreItem",
    "judgements": "JudgementItem",
    "labels": "LabelItem",
    "tasks": "TaskItem",
    "worlds": "WorldItem",
    "events": "EventItem",
}
"""The operations that can be answered in lines, and what a line is."""


def _description_of(operation: Mapping[str, Any], path: str) -> str:
    return f"{operation.get('description', '')}\n\nNeeds the scope `{operation[SCOPE]}`.".strip()


def _add_lines(operation: dict[str, Any]) -> None:
    item = LISTS[operation["operationId"]]
    told = f"A line of JSON for each {item}. A last line with `problem` alone says that the rest is lacking."
    content = operation["responses"][200]["content"]
    content[LINES] = {"schema": {"type": "string", "description": told}}


def _tables() -> dict[str, Table | type[FilterForm]]:
    sessions = of_sessions()
    return {
        "runs": of_runs(),
        "sessions": sessions,
        "run_sessions": sessions,
        "scores": score_table(),
        "judgements": JudgementFilters,
        "labels": LabelFilters,
        "tasks": of_tasks(),
    }


def _filters(name: str, tables: Mapping[str, Table | type[FilterForm]]) -> list[dict[str, Any]]:
    """The parameters of a list that its filters are."""
    if name in ("report", "report_table"):
        return _of_reports()
    table = tables.get(name)
    if table is None:
        return []
    if not isinstance(table, Table):
        return [_parameter(key, field) for key, field in table(QueryDict(), {}).fields.items()]
    form = table.filters(QueryDict(), table.column_by_key)
    parameters = [_parameter(key, field) for key, field in form.fields.items()]
    if name == "scores":
        return parameters
    keys = [*table.column_by_key, *(f"-{key}" for key in table.column_by_key)]
    told = f"A column, with - before it the other way round; by default `{table.first}`."
    return [*parameters, _query("order", {"type": "string", "enum": keys}, told)]


def _parameter(name: str, field: forms.Field) -> dict[str, Any]:
    return _query(name, _schema(field), str(field.label or ""))


def _schema(field: forms.Field) -> dict[str, Any]:
    match field:
        case forms.ChoiceField():
            keys = [str(key) for key, _label in cast("Iterable[tuple[Any, Any]]", field.choices) if key != ""]
            return {"type": "string", "enum": keys}
        case forms.IntegerField() if type(field) is forms.IntegerField:
            return {"type": "integer"}
        case forms.FloatField():
            return {"type": "number"}
        case forms.DateField():
            return {"type": "string", "format": "date"}
        case forms.BooleanField():
            return {"type": "string", "enum": ["on"]}
    return {"type": "string"}


def _of_reports() -> list[dict[str, Any]]:
    runs = "Ids of runs with commas between them; the others are compared with the first."
    return [
        {**_query("runs", {"type": "string"}, runs), "required": True},
        _query("profile", {"type": "string"}, "By default the benchmark's first."),
        _query("judge", {"type": "string"}, "By default whoever judged the most."),
        _query(
            "published", {"type": "string", "enum": ["yes"]}, "With the results of the benchmark's paper."
        ),
    ]


def _query(name: str, schema: dict[str, Any], told: str) -> dict[str, Any]:
    return {"in": "query", "name": name, "required": False, "schema": schema, "description": told}
