"""What a report says of what was run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from tests.markup import tight
from webapp import commit
from webapp.sessions.models import Event, ModelSpending, Run, Session

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
MODEL = {
    "name": "mine",
    "base_url": "http://user:secret@10.0.0.7:8000/v1",
    "model": "vendor/model-7b",
    "temperature": 0.3,
    "max_tokens": 512,
    "thinking": "default",
    "tools": "native",
}


def add_event(session: Session, seq: int, type_: str, **payload: Any) -> None:
    told = {"seq": seq, "type": type_, "actor": "system", "audience": "all", "at": timezone.now()}
    Event.objects.create(session=session, payload=payload, **told)


@pytest.fixture
def run_over_models(played_run: Run) -> Run:
    """The run over a model, with logs that name a world's hash and prompts, and with what it cost."""
    played_run.setup = {**played_run.setup, "agent": "react", "agent_model": MODEL, "commit": "c0ffee"}
    played_run.save()
    first, *_others, last = played_run.sessions.exclude(started_at=None).order_by("started_at", "pk")
    Event.objects.all().delete()
    for session, version in ((first, "1-aaaa"), (last, "1-bbbb")):
        add_event(session, 1, "session_opened", pack_hash="5ca1ab1e")
        add_event(session, 2, "participant_joined", kind="react", prompts=version)
        spent = {
            "run": played_run,
            "currency": "USD",
            "tokens": 1500,
            "cost": 0.25,
            "requests": 4,
            "uncosted": 1,
        }
        ModelSpending.objects.create(session=session, **spent)
    return played_run


def test_a_report_says_what_was_run_in_every_format(as_researcher: Client, run_over_models: Run) -> None:
    document = json.loads(as_researcher.get(f"/reports/report.json?runs={run_over_models.pk}").content)
    conditions = document["runs"][0]["conditions"]
    assert conditions["agent"] == "react"
    assert conditions["agent_model"] == (
        "vendor/model-7b (mine), 10.0.0.7, temperature 0.3, max_tokens 512, thinking default, tools native"
    )
    assert conditions["pack_hash"] == "5ca1ab1e" and conditions["prompts"] == "react 1-aaaa, react 1-bbbb"
    assert (conditions["world"], conditions["mode"]) == ("starter", "world")
    assert (conditions["seed"], conditions["trials"]) == (str(run_over_models.seed), "2")
    assert conditions["protocol"] == run_over_models.options["protocol"] and conditions["commit"] == "c0ffee"
    assert conditions["collection"].endswith(" (3)") and conditions["started"] <= conditions["finished"]
    assert (conditions["cost"], conditions["tokens"]) == ("0.5000 USD, + 2 ?", "3,000")
    [part] = [row for row in document["parts"]["conditions"]["rows"] if row["condition"] == "pack_hash"]
    assert list(part.values()) == ["pack_hash", "5ca1ab1e"]
    for ending in ("md", "html", "csv"):
        text = as_researcher.get(f"/reports/report.{ending}?runs={run_over_models.pk}").content.decode()
        assert "vendor/model-7b (mine)" in text and "c0ffee" in text and "secret" not in text, ending
    page = tight(as_researcher.get(f"/reports/?runs={run_over_models.pk}").content.decode())
    assert "What was run" in page and "hash of the world" in page and "5ca1ab1e" in page


def test_a_page_says_in_the_words_of_forms_what_was_chosen(
    as_researcher: Client, run_over_models: Run
) -> None:
    run_over_models.setup = {**run_over_models.setup, "options": {"protocol": "paper"}, "users": "inbox"}
    run_over_models.save()
    page = tight(as_researcher.get(f"/reports/?runs={run_over_models.pk}").content.decode())
    assert "paper (stricter)" in page and "a program (API)" in page
    told_by_file = as_researcher.get(f"/reports/report.csv?runs={run_over_models.pk}").content.decode()
    assert "paper (stricter)" not in told_by_file and "inbox" in told_by_file


def test_a_run_keeps_the_commit_that_it_was_started_with(make_run: Any) -> None:
    assert make_run().setup["commit"] == commit.commit()


@pytest.mark.parametrize("kind", ["branch", "packed", "detached", "worktree", "none"])
def test_the_commit_is_read_from_any_checkout(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    git, given = tmp_path / ".git", "a" * 40
    if kind == "worktree":
        common = tmp_path / "common"
        (common / "worktrees" / "w").mkdir(parents=True)
        git.write_text(f"gitdir: {common / 'worktrees' / 'w'}\n")
        (common / "worktrees" / "w" / "commondir").write_text("../..\n")
        (common / "worktrees" / "w" / "HEAD").write_text("ref: refs/heads/main\n")
        (common / "refs" / "heads").mkdir(parents=True)
        (common / "refs" / "heads" / "main").write_text(f"{given}\n")
    elif kind != "none":
        (git / "refs" / "heads").mkdir(parents=True)
        (git / "HEAD").write_text(f"{given}\n" if kind == "detached" else "ref: refs/heads/main\n")
        if kind == "branch":
            (git / "refs" / "heads" / "main").write_text(f"{given}\n")
        (git / "packed-refs").write_text(f"# pack-refs\n{given} refs/heads/main\n")
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    commit.commit.cache_clear()
    try:
        assert commit.commit() == ("" if kind == "none" else given)
    finally:
        commit.commit.cache_clear()
