"""What a fresh attacker tried (docs/attacks.md) and no other test holds."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import ROOT
from tests.labelling import annotator_of, pairs_study
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.commands import UncheckedCommand
from webapp.forms import ChoiceRefused
from webapp.labelling import annotators, queue
from webapp.labelling.models import Assignment
from webapp.terminal import table, text_of
from webapp.webhooks import services as webhooks
from worker.app import app

pytestmark = pytest.mark.django_db
TEST_ID = re.compile(r"`((?:tests/[\w/]+/)?test_\w+\.py|…)(?:::(test_\w+))?`")
"""The dots stand for the file that was named before."""


def test_the_table_names_tests_that_there_are() -> None:
    named = TEST_ID.findall((ROOT / "docs" / "attacks.md").read_text("utf-8"))
    found: dict[str, list[Path]] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        found.setdefault(path.name, []).append(path)
    assert len(named) > 60
    file = ""
    for given, test in named:
        file = file if given == "…" else given
        paths = [ROOT / file] if "/" in file else found.get(file, [])
        assert any(path.exists() and f"def {test}" in path.read_text("utf-8") for path in paths), (file, test)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../manage.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static/..%2f..%2fsecret.key",
        "/static//etc/passwd",
        "/static/css/",
        "/secret.key",
        "/.env",
    ],
)
def test_no_file_beside_the_static_ones_is_served(client: Client, path: str) -> None:
    assert client.get("/static/icon.svg").status_code == 200
    assert client.get(path).status_code == 404


def test_another_host_is_refused_and_in_no_redirect(client: Client) -> None:
    for path in ("/", "/signin/", "/health", "/api/v1/runs"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 400
    for path in ("/runs", "/runs/", "//evil.example/runs"):
        answer = client.get(path, headers={"X-Forwarded-Host": "evil.example"})
        assert not re.match(r"(https?:)?//", answer.headers.get("Location", ""))


@pytest.mark.parametrize(
    "path", ["/", "/signin/", "/nothing", "/static/css/caravan.css", "/health", "/api/openapi.json"]
)
def test_every_answer_forbids_frames_and_strange_scripts(as_researcher: Client, path: str) -> None:
    headers = as_researcher.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert (
        "script-src 'self';" in f"{policy};" and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    )
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("seconds", ["nan", "-1", "1e400", "1" * 400, "x"])
def test_odd_numbers_in_an_answer_are_refused_or_left_out(
    client: Client, starter_tasks: list[Task], starter_world: World, seconds: str
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    annotator = annotator_of(study)
    client.post(reverse("annotator_link", args=[annotator.token]))
    assignment = queue.next_for(annotator)
    assert assignment is not None
    sent = {"assignment": assignment.pk, "choice": "left", "seconds": seconds, "rationale": "x\0y"}
    for name in ("annotate_draft", "annotate_answer"):
        odd = {**sent, "assignment": "9" * 30}
        assert client.post(reverse(name, args=[annotator.pk]), odd).status_code == 404
        assert client.post(reverse(name, args=[annotator.pk]), sent).status_code in (204, 302, 422)
    kept = Assignment.objects.get(pk=assignment.pk)
    assert "\0" not in str(kept.draft) and 0 <= kept.seconds < 1e6


@pytest.mark.parametrize("name", ["signin_link", "invitation", "annotator_link", "panel_link"])
def test_no_log_of_the_proxy_has_the_token_of_a_link(name: str) -> None:
    map_of_nginx = re.search(r"~(\S+) 0;", (ROOT / "deploy" / "nginx.conf").read_text())
    assert map_of_nginx is not None
    assert re.search(map_of_nginx[1], reverse(name, args=["a-token"]))
    assert not re.search(map_of_nginx[1], "/sessions/")


@pytest.mark.parametrize("terminal", [True, False])
def test_what_models_said_steers_no_terminal(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    """Into a file it goes as it is."""
    said = "\x1b]52;c;cm0=\x07 \x9b2J\r\u202ered\tand\nso on, 你好"
    for stream in ("stdout", "stderr"):
        out = StringIO()
        monkeypatch.setattr(out, "isatty", lambda: terminal)
        command = UncheckedCommand(**{stream: out}, no_color=True)
        getattr(command, stream).write(said)
        shown = "\ufffd]52;c;cm0=\ufffd \ufffd2J\ufffd\ufffdred\tand\nso on, 你好"
        assert out.getvalue() == f"{shown if terminal else said}\n"


def test_brackets_in_a_cell_are_no_markup() -> None:
    made = table("name", "model")
    made.add_row("[/evil]", "[link=file:///x]y[/link] :smile:")
    shown = text_of(made)
    assert "[/evil]" in shown and "[link=file:///x]y[/link] :smile:" in shown


def test_nothing_that_is_sent_between_processes_is_a_pickle() -> None:
    assert (app.conf.accept_content, app.conf.task_serializer) == (("json",), "json")
    assert settings.SESSION_SERIALIZER.endswith("JSONSerializer")
    assert settings.CACHES["default"]["BACKEND"].endswith("LocMemCache")


def test_a_panel_is_full_some_time_and_takes_no_odd_ids(
    client: Client, starter_tasks: list[Task], starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotators, "MOST_FROM_PANEL", 1)
    study = pairs_study(starter_tasks, starter_world, items=1, panel=True)
    path = reverse("panel_link", args=[study.panel_token])
    for odd in ("", "?PROLIFIC_PID=", "?PROLIFIC_PID=%00", "?workerId={{x}}"):
        assert client.post(f"{path}{odd}").status_code == 403
    told = [client.post(f"{path}?PROLIFIC_PID={who}").status_code for who in ("x" * 5000, "<b>")]
    assert told == [302, 403]


def test_a_researcher_has_so_many_webhooks_at_most(researcher: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MOST", 1)
    webhooks.create_webhook(user=researcher, url="http://127.0.0.1:9/")
    with pytest.raises(ChoiceRefused, match="You have 1 webhooks already"):
        webhooks.create_webhook(user=researcher, url="http://127.0.0.1:9/")
