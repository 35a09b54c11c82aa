"""The OpenAPI file: valid, whole, and kept by the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.webapp.api.conftest import Program, check_refusal
from webapp.accounts.models import User
from webapp.accounts.tokens import SCOPES
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(program: Program) -> dict[str, Any]:
    told: dict[str, Any] = program.get("openapi.json")
    return told


def test_the_file_is_for_researchers(
    as_researcher: Client, annotator: User, document: dict[str, Any]
) -> None:
    assert as_researcher.get("/api/v1/openapi.json").json().keys() == document.keys()
    other = Client()
    check_refusal(other.get("/api/v1/openapi.json"), 401, "token")
    other.force_login(annotator)
    check_refusal(other.get("/api/v1/openapi.json"), 401, "token")


def test_it_is_valid_and_says_what_each_operation_needs(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    assert [*OpenAPIV31SpecValidator(document).iter_errors()] == []
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert len(operations) > 15
    assert {operation["security"][0]["Token"][0] for operation in operations} == set(SCOPES)


def test_it_has_the_filters_of_the_tables(document: dict[str, Any]) -> None:
    def names(path: str) -> dict[str, Any]:
        return {each["name"]: each["schema"] for each in document["paths"][path]["get"]["parameters"]}

    assert {"find", "state", "agent", "order", "cursor", "limit"} <= names("/api/v1/runs").keys()
    sessions = names("/api/v1/sessions")
    assert sessions["status"]["enum"] == ["queued", "running", "finished", "crashed", "stopped"]
    assert "-gu" in sessions["order"]["enum"] and sessions["low"] == {"type": "number"}
    assert {"profile", "metric", "run"} <= names("/api/v1/scores").keys()


def test_answers_are_as_it_says(
    document: dict[str, Any], program: Program, recorded_session: Callable[..., Session]
) -> None:
    session = recorded_session("easy")
    from webapp.tables.entries import refresh

    refresh([session.pk])
    own = f"sessions/{session.pk}"
    paths = ["runs", "sessions", own, f"{own}/events", "scores", "tasks", "worlds"]
    for path in paths:
        told = program.get(path)
        named = path.replace(session.pk, "{session_id}")
        answer = document["paths"][f"/api/v1/{named}"]["get"]["responses"]["200"]["content"][
            "application/json"
        ]
        schema = {**answer["schema"], "components": document["components"]}
        problems = [error.message for error in Draft202012Validator(schema).iter_errors(told)]
        assert problems == [], path
        assert told.get("items") or path in ("runs", own)


def test_the_page_tells_every_operation(as_researcher: Client, document: dict[str, Any]) -> None:
    page = as_researcher.get("/account/api/reference/").content.decode()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in page
    assert "https://" not in page
