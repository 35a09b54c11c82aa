"""`manage.py endpoint`, and the models of the commands that play."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from benchmark.models.probe import Finding, Probe
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.django_db
KEY = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
ADD = ("add", "mine", "http://127.0.0.1:9/v1", "a-model")


@pytest.fixture(autouse=True)
def skip_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.commands.call_command", lambda *_, **__: None)


def command_output(*words: str) -> str:
    out = StringIO()
    call_command("endpoint", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def successful_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = (Finding("chat", True, "“ready”", 812.0), Finding("tools", False, "in words", 100.0))
    probe = Probe(findings, "served", "text", True, False, "max_tokens")
    monkeypatch.setattr("benchmark.models.probe.probe", lambda _setup: probe)


def test_a_model_is_added_listed_shown_and_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "/models/mine/" in command_output(
        *ADD, "--key-variable", "MY_API_KEY", "--streams", "False", "--patience-s", "30"
    )
    setup = ModelEndpoint.objects.get().setup()
    assert (setup.streams, setup.patience_s, setup.max_tokens) == (False, 30, 8192)
    assert "a-model" in command_output("list")
    assert "not set in this process" in command_output("show", "mine")
    monkeypatch.setenv("MY_API_KEY", KEY)
    assert "workers need it too" in command_output("show", "mine") and KEY not in command_output(
        "show", "mine"
    )
    command_output("retire", "mine")
    assert "(retired)" in command_output("list")
    [listed] = json.loads(command_output("list", "--json"))
    shown = json.loads(command_output("show", "mine", "--json"))
    assert (listed["name"], listed["retired"], listed["use"]["calls"]) == ("mine", True, 0)
    assert (shown["settings"]["patience_s"], shown["key"], shown["use"]) == (30, "set", [])
    command_output("retire", "mine", "--back")
    assert not ModelEndpoint.objects.get().retired


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*ADD, "--key-variable", KEY), "may be a key"),
        (("add", "mine", "host", "m"), "base-url: Write http://"),
        ((*ADD, "--temperature", "9"), "temperature: Ensure"),
        (("show", "other"), "there is no model “other”; there are: none"),
    ],
)
def test_bad_input_is_one_line_with_a_remedy(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told) as refused:
        command_output(*words)
    assert refused.value.returncode == 2 and KEY not in str(refused.value)
    assert not ModelEndpoint.objects.exists()


def test_a_test_prints_a_table_and_takes_its_suggestion_over(successful_probe: None) -> None:
    command_output(*ADD)
    assert "these settings suit (--apply takes them over): " in command_output("test", "mine")
    told = command_output("test", "mine", "--apply")
    assert "tool calls" in told and "812 ms" in told
    assert "these settings were taken over: tools: text protocol" in told
    assert ModelEndpoint.objects.get().tools == "text"
    assert "all but tool calls" in command_output("list")


def test_an_endpoint_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Probe((Finding("chat", False, "no connection"),), "", "native", True, False, "max_tokens")
    monkeypatch.setattr("benchmark.models.probe.probe", lambda _setup: silent)
    command_output(*ADD)
    with pytest.raises(CommandError, match="does not answer"):
        command_output("test", "mine")


@pytest.mark.parametrize("command", [("run_session", "starter_01"), ("run", "r", "--tasks", "starter_01")])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--agent", "llm"), "--model: “llm” needs a model; choose one"),
        (("--users", "llm"), "--user-model: “llm” needs a model"),
        (("--model", "mine"), "--model: “reference” needs no model"),
        (("--agent", "llm", "--model", "other"), "there is no model “other”; there are: mine, old"),
        (("--agent", "llm", "--model", "old"), "Model “old” is retired"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_starts(
    command: tuple[str, ...],
    options: tuple[str, ...],
    told: str,
    starter_world: World,
    starter_tasks: list[Task],
) -> None:
    command_output(*ADD)
    ModelEndpoint.objects.create(name="old", base_url="http://h/v1", model="m", retired=True)
    with pytest.raises(CommandError, match=told) as refused:
        call_command(*command, *options, stdout=StringIO())
    assert refused.value.returncode == 2
    assert not Session.objects.exists() and not Run.objects.exists()


def test_a_run_keeps_its_scaffold_and_its_models(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    command_output(*ADD)
    sent: list[Any] = []
    monkeypatch.setattr("webapp.jobs.services.send_work", lambda _kind, subject, **_: sent.append(subject))
    options = ("--agent", "react", "--model", "mine", "--users", "llm", "--user-model", "mine", "--enqueue")
    call_command("run", "r", "--tasks", "starter_01", *options, stdout=StringIO())
    run, session = Run.objects.get(), Session.objects.get()
    assert run.setup["agent"] == "react" and run.setup["agent_model"]["model"] == "a-model"
    assert session.agent_model == session.user_model == ModelEndpoint.objects.get()
    assert sent == [session.pk]
