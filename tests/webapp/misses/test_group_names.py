"""Models that name the groups of what a run lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse

from benchmark.misses.naming import NO_OBJECT
from benchmark.suites import suite_named
from tests.chat_server import chat_server, says
from tests.markup import tight
from tests.model_server import ModelServer, model_server
from tests.seating import endpoint_at
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs import services as jobs
from webapp.misses.jobs import GROUP_NAMING
from webapp.misses.models import GroupNaming
from webapp.misses.naming import names_of, start_naming
from webapp.misses.reading import fold_run, session_misses
from webapp.prompts.services import create_set
from webapp.sessions.models import Run, Session
from worker.steppers.group_namings import group_naming

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]
LoadSession = Callable[..., Session]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as served:
        yield served


@pytest.fixture
def run(recorded_session: LoadSession) -> Run:
    run = Run.objects.create(name="one talk", setup={"agent": "reference"})
    recorded_session("easy", run_id=run.pk)
    return run


def page(client: Client, run: Run) -> str:
    return tight(client.get(reverse("run_misses", args=[run.pk])).content.decode())


def test_a_model_names_groups_beside_what_rules_found(
    as_researcher: Client, run: Run, server: ModelServer
) -> None:
    endpoint_at(server.url, "good-judge", name="wise")
    as_researcher.post(reverse("run_misses_name", args=[run.pk]), {"model": "wise"})
    naming = GroupNaming.objects.get()
    assert group_naming(naming.pk)
    naming, names = names_of(run)
    assert naming is not None and naming.status == GroupNaming.Status.DONE and naming.calls
    folded = fold_run(run.suite, session_misses(run)[0])
    assert {*names} == {g.key for lost in folded.losses for g in lost.groups if g.points > 0}
    text = page(as_researcher, run)
    assert "“prefers to eat: heard and dropped”" in text and ">prefers to eat</a>" in text
    key = "gu.dropped.food.prefer_eat"
    group = tight(as_researcher.get(reverse("run_misses_group", args=[run.pk, key])).content.decode())
    assert "wise calls it “prefers to eat: heard and dropped”: 2 of 2 failures were shown." in group


def test_a_model_names_groups_by_the_words_of_a_set(as_researcher: Client, run: Run) -> None:
    path = "naming/zh/naming.txt"
    shipped = suite_named(run.suite).library.files[path].text
    own = create_set(name="plain", suite=run.suite, files={path: f"说得直白。\n{shipped}"})
    other = create_set(name="other", suite="travelbench", files={})
    as_researcher.cookies["caravan_language"] = "zh-hans"
    with chat_server() as chat:
        chat.replies.append(says('{"name": "Left out", "sentence": "It is not there."}'))
        endpoint_at(chat.url, "m", name="wise")
        address = reverse("run_misses_name", args=[run.pk])
        for refused in (str(other), "plain@7"):
            as_researcher.post(address, {"model": "wise", "prompt_set": refused})
            assert not GroupNaming.objects.exists()
        as_researcher.post(address, {"model": "wise", "prompt_set": str(own)})
        naming = GroupNaming.objects.get()
        assert group_naming(naming.pk)
    told = [request["messages"][0]["content"] for request in chat.requests]
    assert told and all(words.startswith("说得直白。\n") for words in told)
    assert f'href="{own.get_absolute_url()}"' in page(as_researcher, run)
    with pytest.raises(ProtectedError):
        own.delete()


def test_groups_keep_their_words_where_a_model_answers_badly(
    as_researcher: Client, run: Run, server: ModelServer
) -> None:
    naming = start_naming(run=run, endpoint=endpoint_at(server.url, "broken-judge", name="essayist"))
    assert group_naming(naming.pk)
    named = list(naming.groups.all())
    assert named and {(group.name, group.problem, len(group.answers)) for group in named} == {
        ("", NO_OBJECT, 2)
    }
    text = page(as_researcher, run)
    assert "heard and dropped" in text and "one thing or another" in text and "calls it" not in text


def test_a_model_that_can_not_be_had_is_told_and_can_be_asked_again(
    as_researcher: Client, run: Run, server: ModelServer
) -> None:
    endpoint = endpoint_at(server.url, "good-judge:fail=400", name="gone")
    naming = start_naming(run=run, endpoint=endpoint)
    as_researcher.post(reverse("run_misses_name", args=[run.pk]), {"model": "gone"})
    assert GroupNaming.objects.count() == 1
    group_naming(naming.pk)
    naming.refresh_from_db()
    assert naming.status == GroupNaming.Status.FAILED and naming.problem
    assert naming.problem[:20] in page(as_researcher, run)
    start_naming(run=run, endpoint=endpoint)
    assert GroupNaming.objects.count() == 2


def test_a_naming_can_be_cancelled(run: Run, server: ModelServer) -> None:
    naming = start_naming(run=run, endpoint=endpoint_at(server.url, "good-judge", name="wise"))
    jobs.cancel(kind=GROUP_NAMING, subject=naming.pk)
    group_naming(naming.pk)
    naming.refresh_from_db()
    assert naming.status == GroupNaming.Status.STOPPED and not naming.groups.exists()


def test_the_command_has_a_model_name_groups(
    run: Run, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint_at(server.url, "good-judge", name="wise")
    call_command("find_misses", run.pk, "--name-groups-by", "wise")
    naming = GroupNaming.objects.get()
    assert f"/runs/{run.pk}/misses/#names" in capsys.readouterr().err
    assert group_naming(naming.pk)
    call_command("find_misses", run.pk)
    assert "“prefers to eat: heard and dropped”" in capsys.readouterr().out


def test_only_a_researcher_has_groups_named(client: Client, run: Run) -> None:
    assert client.post(reverse("run_misses_name", args=[run.pk]), {"model": "x"}).status_code in (302, 403)
    assert not ModelEndpoint.objects.exists() and not GroupNaming.objects.exists()


def test_a_model_that_is_not_there_is_refused(as_researcher: Client, run: Run) -> None:
    address = reverse("run_misses_name", args=[run.pk])
    text = as_researcher.post(address, {"model": "x"}, follow=True).content.decode()
    assert "Choose a model that is there." in text and not GroupNaming.objects.exists()
