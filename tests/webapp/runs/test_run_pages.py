"""The list of runs, the page of one, and runs side by side."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape, strip_tags

from benchmark.core.model_use import ModelUse
from tests.webapp.conftest import HOSTILE
from tests.webapp.runs.conftest import end, use
from webapp.sessions.models import Run, Session, Status

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


def words(client: Client, address: str) -> str:
    page = client.get(address).content.decode()
    return re.sub(r"\s+", " ", unescape(strip_tags(page)))


def cells(page: str, label: str) -> list[str]:
    """The cells of the first table row whose head says `label`."""
    for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL):
        texts = [
            " ".join(unescape(strip_tags(c.replace("<br>", " "))).split())
            for c in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)
        ]
        if texts and texts[0] == label:
            return texts[1:]
    raise AssertionError(label)


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    response = client.get(address)
    assert response["Content-Type"].startswith("text/csv")
    assert response["Content-Disposition"].startswith("attachment")
    return list(csv.DictReader(StringIO(response.content.decode())))


@pytest.fixture
def mixed_run(make_run: Callable[..., Run]) -> Run:
    """Three tasks twice: finished, crashed, stopped, running, and two queued."""
    run = make_run(tasks=3, trials=2, name=HOSTILE[:100])
    first, second, third, fourth, *_ = run.sessions.order_by("created_at")
    uses = {"search_poi": use(6, hits=3, simulated=3), "plan_route": use(2, hits=1, errors=1, kind="timeout")}
    end(first, gu=6.0, pc=0.75, uses=uses)
    end(second, Status.CRASHED, "runtime_error")
    end(third, Status.STOPPED, "stopped", uses={"search_poi": use(50)})
    Session.objects.filter(pk=fourth.pk).update(status=Status.RUNNING)
    return run


def test_progress_is_told_and_asked_for_again_until_nothing_changes(
    as_researcher: Client, mixed_run: Run
) -> None:
    live = f"/runs/{mixed_run.pk}/live/"
    assert "3 of 6 sessions have ended · 1 running · 2 queued · 1 crashed · 1 stopped" in words(
        as_researcher, live
    )
    assert "every 2s" in as_researcher.get(live).content.decode()
    for session in mixed_run.sessions.filter(status__in=[Status.QUEUED, Status.RUNNING]):
        end(session)
    page = as_researcher.get(live).content.decode()
    assert "every 2s" not in page
    assert "/stop/" not in page


def test_scores_count_crashes_as_nothing_and_leave_stopped_sessions_out(
    as_researcher: Client, mixed_run: Run
) -> None:
    page = as_researcher.get(f"/runs/{mixed_run.pk}/").content.decode()
    assert cells(page, "all") == ["2", "0", "37.5", "3.00", "30.0", "50.0", "–", "50.0"]
    assert "1 The agent proposed its plan." in words(as_researcher, f"/runs/{mixed_run.pk}/")
    assert "A researcher stopped it." not in page.split("<h2>Scores")[1].split("<h2>Sessions")[0]


def test_tools_are_summed_averaged_and_their_errors_told_apart(as_researcher: Client, mixed_run: Run) -> None:
    over_cache(mixed_run, "isolated")
    page = as_researcher.get(f"/runs/{mixed_run.pk}/").content.decode()
    totals, means = page.split("<h3>")
    assert cells(totals, "search_poi") == ["6", "3", "3", "3", "0", "0", "50.0%", "5.0 ms"]
    assert cells(means, "plan_route") == ["1.00", "0.50", "0.50", "0.00", "0.00", "0.50", "1"]
    assert "timed out" in means


def test_a_world_has_no_cache_whose_hits_could_be_counted(as_researcher: Client, mixed_run: Run) -> None:
    page = as_researcher.get(f"/runs/{mixed_run.pk}/").content.decode()
    totals, means = page.split("<h3>")
    assert cells(totals, "search_poi") == ["6", "0", "5.0 ms"]
    assert cells(means, "plan_route") == ["1.00", "0.50", "1"]
    assert ">hits<" not in page
    compared = as_researcher.get(f"/runs/compare/?runs={mixed_run.pk}").content.decode()
    assert cells(compared, unescape(mixed_run.name))[12:15] == ["–", "4.00", "–"]


def test_before_a_session_ended_there_are_no_figures(
    as_researcher: Client, make_run: Callable[..., Run]
) -> None:
    page = words(as_researcher, make_run().get_absolute_url())
    assert "Figures appear when the first session has ended." in page
    assert "广州市 · 3 days · 2 travellers" in page


def test_a_run_can_be_stopped(as_researcher: Client, mixed_run: Run) -> None:
    assert as_researcher.get(f"/runs/{mixed_run.pk}/stop/").status_code == 405
    response = as_researcher.post(f"/runs/{mixed_run.pk}/stop/")
    assert response["Location"] == mixed_run.get_absolute_url()
    assert mixed_run.sessions.filter(stop_requested=True).count() == 3
    assert "Stopping …" in words(as_researcher, mixed_run.get_absolute_url())


def test_a_run_can_be_paused_and_go_on(as_researcher: Client, mixed_run: Run) -> None:
    assert as_researcher.get(f"/runs/{mixed_run.pk}/pause/").status_code == 405
    as_researcher.post(f"/runs/{mixed_run.pk}/pause/")
    page = words(as_researcher, mixed_run.get_absolute_url())
    assert "3 paused" in page and "Resume" in page
    as_researcher.post(f"/runs/{mixed_run.pk}/resume/")
    assert "3 paused" not in words(as_researcher, mixed_run.get_absolute_url())


def test_a_session_links_to_its_run(as_researcher: Client, mixed_run: Run) -> None:
    session = mixed_run.sessions.filter(trial_id=1)[0]
    page = as_researcher.get(session.get_absolute_url()).content.decode()
    assert f'href="/runs/{mixed_run.pk}/"' in page
    assert "trial 1" in page


def test_the_file_of_sessions_has_a_line_for_each(as_researcher: Client, mixed_run: Run) -> None:
    rows = rows_of(as_researcher, f"/runs/{mixed_run.pk}/sessions.csv")
    assert len(rows) == 6
    done = next(row for row in rows if row["status"] == "finished")
    assert (done["gu"], done["pc"], done["calls"], done["hits"], done["errors"]) == (
        "6.0",
        "0.75",
        "8",
        "4",
        "1",
    )
    queued = next(row for row in rows if row["status"] == "queued")
    assert (queued["gu"], queued["calls"], queued["completion_reason"]) == ("", "", "")
    assert [row["trial"] for row in rows] == ["0", "1"] * 3


def test_the_list_shows_every_run_with_its_figures(
    as_researcher: Client, mixed_run: Run, make_run: Callable[..., Run]
) -> None:
    other = make_run(name="the other one")
    listed = words(as_researcher, "/runs/")
    assert listed.index("the other one") < listed.index("3 of 6")
    assert "1 crashed" in listed and "3.00" in listed
    page = as_researcher.get("/runs/").content.decode()
    assert f'name="runs" value="{other.pk}"' in page and "<script>alert" not in page


def test_without_runs_the_list_says_what_a_run_is(as_researcher: Client) -> None:
    assert "No run yet." in words(as_researcher, "/runs/")


def over_cache(run: Run, mode: str) -> None:
    """Have a run's tools answered by a cache."""
    run.setup["sandbox"]["mode"] = mode
    run.save()


@pytest.fixture
def pair(make_run: Callable[..., Run]) -> tuple[Run, Run]:
    """Tasks 1 to 3 and tasks 2 to 4, the second one better by 1 and 2 in the tasks that both have."""
    offline, online = make_run(name="offline"), make_run(name="online", first=1)
    for run, mode in ((offline, "isolated"), (online, "online")):
        over_cache(run, mode)
    for gu, session in zip((0.0, 4.0, 4.0), offline.sessions.order_by("created_at"), strict=True):
        end(session, gu=gu, uses={"search_poi": use(4, hits=1, simulated=3)})
    for gu, session in zip((5.0, 6.0, 99.0), online.sessions.order_by("created_at"), strict=True):
        end(session, gu=gu, uses={"search_poi": use(6, hits=3)})
    return offline, online


def test_runs_are_held_against_the_first_over_their_common_tasks(
    as_researcher: Client, pair: tuple[Run, Run]
) -> None:
    page = as_researcher.get(f"/runs/compare/?runs={pair[0].pk}&runs={pair[1].pk}").content.decode()
    assert cells(page, "offline") == [
        *(
            "reference",
            "scripted",
            "isolated",
            "–",
            "3",
            "0",
            "2.67",
            "50.0",
            "60.0",
            "100.0",
            "–",
            "100.0",
            "25.0",
            "4.00",
            "75.0",
            "0.00",
        ),
        *"–––––",
    ]
    online = cells(page, "online make it the first")
    assert online[6] == "36.67 +1.50"
    assert online[12] == "50.0 +25.0"
    assert online[14] == "0.0 −75.0"
    assert online[-1] == "2"
    turned = f"/runs/compare/?runs={pair[1].pk},{pair[0].pk}"
    assert turned in page
    assert cells(as_researcher.get(turned).content.decode(), "offline make it the first")[6] == "2.67 −1.50"


def agent_use(**given: Any) -> ModelUse:
    """Two requests of an agent, one of them unanswered."""
    failures = Counter({"rate_limit": 1})
    return ModelUse(
        **{"endpoint": "e", "role": "agent", "calls": 2, "answered": 1, "failures": failures, **given}
    )


@pytest.fixture
def crashed_runs(make_run: Callable[..., Run]) -> tuple[Run, Run]:
    """A run whose only session crashed, its tokens unknown, and one with a crash and a plan, both paid for."""
    lost, half = make_run(tasks=1, name="lost"), make_run(tasks=2, name="half")
    end(lost.sessions.get(), Status.CRASHED, "rate_limit", models=[agent_use(unknown=1, uncosted=1)])
    paid = {"prompt": 1200, "completion": 34, "counted": 1}
    first, second = half.sessions.order_by("created_at")
    end(first, models=[agent_use(**paid, costs={"USD": 0.5})])
    end(second, Status.CRASHED, "runtime_error", models=[agent_use(**paid, unknown=1, costs={"CNY": 1.0})])
    return lost, half


def test_a_comparison_tells_crashes_model_failures_tokens_and_costs(
    as_researcher: Client, crashed_runs: tuple[Run, Run]
) -> None:
    page = as_researcher.get(
        f"/runs/compare/?runs={crashed_runs[0].pk},{crashed_runs[1].pk}"
    ).content.decode()
    lost = cells(page, "lost every session crashed")
    assert (lost[4:7], lost[-5:]) == (["1", "1", "0.00"], ["1 of 2", "unknown", "unknown", "unknown", "–"])
    half = cells(page, "half make it the first")
    assert half[4:6] == ["2", "1"]
    paid = ["2 of 4", "2,400 1 request unknown", "68", "1.0000 CNY + 0.5000 USD", "1"]
    assert half[-5:] == paid


def test_the_comparison_as_a_file_tells_the_same(
    as_researcher: Client, crashed_runs: tuple[Run, Run]
) -> None:
    lost, half = rows_of(as_researcher, f"/runs/compare.csv?runs={crashed_runs[0].pk},{crashed_runs[1].pk}")
    assert (lost["sessions"], lost["crashed"], lost["model_failed"]) == ("1", "1", "1")
    assert (lost["model_prompt_tokens"], lost["model_cost"]) == ("", "")
    assert (lost["model_unknown"], lost["model_uncosted"]) == ("1", "1")
    assert (half["crashed"], half["model_requests"], half["model_prompt_tokens"]) == ("1", "4", "2400")
    assert (half["model_completion_tokens"], half["model_currency"]) == ("68", "USD CNY")
    assert half["model_cost"] == "0.500000 1.000000"


def test_runs_without_models_leave_those_columns_empty(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    (row,) = rows_of(as_researcher, f"/runs/compare.csv?runs={pair[0].pk}")
    assert (row["crashed"], row["model_requests"], row["model_prompt_tokens"]) == ("0", "", "")


def test_a_replay_is_no_session_of_a_run(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    first, second, *_ = pair[0].sessions.order_by("created_at")
    Session.objects.filter(pk=second.pk).update(replay_of=first)
    page = as_researcher.get(f"/runs/compare/?runs={pair[0].pk}").content.decode()
    assert cells(page, "offline")[4] == "2"


def test_a_model_that_is_not_here_is_named_without_a_link(
    as_researcher: Client, make_run: Callable[..., Run]
) -> None:
    run = make_run(tasks=1)
    for session in run.sessions.all():
        end(session, models=[agent_use(endpoint="gone/too")])
    run.setup["agent_model"] = {"name": "no slug (v2)", "model": "m", "base_url": "http://h/v1"}
    run.save()
    for address in ("/runs/", f"/runs/{run.pk}/", f"/runs/compare/?runs={run.pk}"):
        page = as_researcher.get(address).content.decode()
        assert "no slug (v2)" in page and 'href="/models/no' not in page, address
    assert "gone/too" in words(as_researcher, f"/runs/{run.pk}/")


def test_the_comparison_as_a_file_holds_plain_numbers(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    first, second = rows_of(as_researcher, f"/runs/compare.csv?runs={pair[0].pk},{pair[1].pk}")
    assert (first["name"], first["hit_rate"], first["common_tasks"], first["gu_change"]) == (
        *("offline", "0.25"),
        *("", ""),
    )
    assert (second["mode"], float(second["gu_change"]), second["common_tasks"]) == ("online", 1.5, "2")


def test_what_names_no_run_is_left_out(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    page = words(as_researcher, f"/runs/compare/?runs=zzzzzz,{pair[1].pk},%00,{pair[1].pk}")
    assert "Mark at least two runs" in page
    assert "No run is chosen." in words(as_researcher, "/runs/compare/?runs=,,")


def test_pages_ask_the_database_as_often_for_many_sessions_as_for_few(
    as_researcher: Client, make_run: Callable[..., Run]
) -> None:
    def count(address: str) -> int:
        as_researcher.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert as_researcher.get(address).status_code == 200
        return len(queries)

    small, large, third = make_run(tasks=3), make_run(tasks=12, trials=2), make_run(tasks=4)
    for session in Session.objects.all():
        end(session, uses={"search_poi": use(3)})
    for address in (
        "/runs/{}/",
        "/runs/{}/live/",
        "/runs/{}/sessions.csv",
        "/runs/compare/?runs={}",
        "/runs/compare.csv?runs={}",
    ):
        assert count(address.format(small.pk)) == count(address.format(large.pk)), address
    two = f"/runs/compare/?runs={small.pk},{large.pk}"
    assert count(two) == count(f"{two},{third.pk}")
    before = count("/runs/")
    make_run(tasks=12)
    assert count("/runs/") == before


@pytest.fixture
def addresses(mixed_run: Run) -> list[str]:
    own = f"/runs/{mixed_run.pk}/"
    return [
        *("/runs/", "/runs/new/", "/runs/new/?collection=starter", "/runs/compare/", "/runs/compare.csv"),
        *(f"/runs/compare/?runs={mixed_run.pk}", own, f"{own}live/?page=9", f"{own}sessions.csv"),
    ]


def test_runs_are_for_researchers(
    as_researcher: Client, as_annotator: Client, client: Client, addresses: list[str]
) -> None:
    for address in addresses:
        assert as_researcher.get(address).status_code == 200, address
        assert as_annotator.get(address).status_code == 403, address
        assert client.get(address)["Location"].startswith("/signin/"), address


def test_no_page_needs_an_exception_of_the_content_security_policy(
    as_researcher: Client, addresses: list[str]
) -> None:
    for address in addresses:
        page = as_researcher.get(address).content.decode()
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)\s*=", page.replace(escape(HOSTILE), "")), address
        assert "<img" not in page or address.endswith(".csv"), address


def test_an_unknown_run_is_unknown(as_researcher: Client) -> None:
    for address in ("/runs/zzzzzz/", "/runs/zzzzzz/live/", "/runs/zzzzzz/sessions.csv", "/runs/a%00b/"):
        assert as_researcher.get(address).status_code == 404, address
