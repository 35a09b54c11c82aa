"""Webhooks: what they are told, once; signed; tried again; and never where nobody may reach."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.local_server import Handler, running_server
from tests.webapp.runs.conftest import end, make_run
from webapp.accounts.models import Role, User
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.runs import control
from webapp.sessions.models import Run, Session, Status
from webapp.webhooks.addresses import permitted_address
from webapp.webhooks.attempts import PAUSES
from webapp.webhooks.models import Delivery, Webhook
from webapp.webhooks.services import create_webhook, find_news, send_test
from worker.steppers.webhooks import webhook_delivery

__all__ = ["make_run"]
pytestmark = pytest.mark.django_db
Resolve = Callable[[str], None]


class Receiver(Handler):
    """Keeps what it is sent, and answers as it is told."""

    requests: list[tuple[str, dict[str, str], bytes]] = []
    status = 200

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.requests.append((self.path, dict(self.headers), body))
        self.reply(self.status, "{}", Location="http://127.0.0.1:1/elsewhere")

    do_GET = do_POST


@pytest.fixture(autouse=True)
def served_to_one_person(settings: Settings) -> None:
    """Webhooks may lead to this machine, on whatever database the tests run."""
    settings.EMBEDDED_DATABASE = True


@pytest.fixture
def receiver() -> Iterator[str]:
    """The address of one."""
    Receiver.requests, Receiver.status = [], 200
    with running_server(Receiver) as address:
        yield f"{address}/hook?x=1"


@pytest.fixture
def run(make_run: Callable[..., Run], researcher: User) -> Run:
    run = make_run(tasks=3, trials=2)
    Run.objects.update(created_by=researcher)
    run.refresh_from_db()
    return run


@pytest.fixture
def webhook(researcher: User, receiver: str) -> Webhook:
    return create_webhook(user=researcher, url=receiver)


def end_all(run: Run, status: Status = Status.FINISHED) -> None:
    for session in run.sessions.all():
        end(session, status, "plan_generated" if status == Status.FINISHED else "runtime_error")


def deliver_all() -> None:
    for pk in Delivery.objects.values_list("pk", flat=True):
        webhook_delivery(str(pk))


def test_the_end_of_a_run_is_told_once_and_signed(run: Run, webhook: Webhook) -> None:
    assert find_news() == 0
    end_all(run)
    assert (find_news(), find_news()) == (1, 0)
    deliver_all()
    ((path, headers, body),) = Receiver.requests
    told = json.loads(body)
    assert (path, told["event"], told["run"]["id"]) == ("/hook?x=1", "run.ended", run.pk)
    assert (told["run"]["sessions"], told["run"]["finished"], told["run"]["crashed"]) == (6, 6, 0)
    at, signed = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["Caravan-Signature"]).groups()  # type: ignore[union-attr]
    assert signed == hmac.new(webhook.secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["Caravan-Event"] == "run.ended" and run.name not in body.decode()
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts, delivery.status_code) == ("delivered", 1, 200)


def test_a_run_that_is_played_again_ends_again(run: Run, webhook: Webhook) -> None:
    end_all(run, Status.CRASHED)
    assert find_news() == 1
    control.retry(run)
    assert find_news() == 0
    end_all(run)
    assert find_news() == 1 and Delivery.objects.count() == 2


def test_trouble_is_told(run: Run, webhook: Webhook) -> None:
    Run.objects.update(budget_used_up=True, budget=5)
    assert find_news() == 1
    Run.objects.update(budget_used_up=False, paused_failing=True)
    assert find_news() == 1
    for session in run.sessions.all()[:5]:
        end(session, Status.CRASHED, "runtime_error")
    assert (find_news(), find_news()) == (1, 0)
    topics = Delivery.objects.order_by("pk").values_list("topic", flat=True)
    assert list(topics) == ["run.budget_used_up", "run.model_failing", "run.sessions_crashing"]


def test_the_alarm_of_a_budget_is_told_once(run: Run, webhook: Webhook) -> None:
    Run.objects.update(budget=5, budget_alarm=80, alarm_raised_at=timezone.now())
    assert (find_news(), find_news()) == (1, 0)
    deliver_all()
    ((_path, headers, body),) = Receiver.requests
    assert headers["Caravan-Event"] == json.loads(body)["event"] == "run.budget_alarm"
    Run.objects.update(budget=9)
    assert find_news() == 1, "a higher budget raises another alarm"


def test_nobody_is_told_of_the_runs_of_others_or_of_long_ago(
    run: Run, researcher: User, receiver: str
) -> None:
    another = User.objects.create_user("another", role=Role.RESEARCHER)
    end_all(run)
    Session.objects.update(finished_at=timezone.now() - timedelta(hours=1))
    create_webhook(user=researcher, url=receiver)
    create_webhook(user=another, url=receiver)
    other = create_webhook(user=another, url=receiver, run=run)
    assert find_news() == 0
    Session.objects.update(finished_at=timezone.now())
    assert find_news() == 2
    assert set(Delivery.objects.values_list("webhook__user__username", flat=True)) == {
        "researcher",
        "another",
    }
    assert other.deliveries.count() == 1


def test_what_is_not_taken_is_tried_again_and_given_up(webhook: Webhook) -> None:
    Receiver.status = 500
    send_test(webhook)
    delivery = Delivery.objects.get()
    for tried in range(1, len(PAUSES) + 1):
        assert webhook_delivery(str(delivery.pk))
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts, delivery.problem) == ("waiting", tried, "HTTP 500")
        job = Job.objects.get(kind="webhook", ended_at=None)
        assert job.due_at is not None and job.due_at > timezone.now() + PAUSES[tried - 1] - timedelta(
            seconds=5
        )
        assert not webhook_delivery(str(delivery.pk))
        Job.objects.update(due_at=None)
    webhook_delivery(str(delivery.pk))
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("failed", len(PAUSES) + 1)
    assert not Job.objects.filter(ended_at=None).exists()


def test_nobody_is_followed_elsewhere(webhook: Webhook) -> None:
    Receiver.status = 307
    send_test(webhook)
    deliver_all()
    assert len(Receiver.requests) == 1 and Delivery.objects.get().problem == "HTTP 307"


@contextmanager
def names(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> Iterator[None]:
    """Every host has these addresses."""

    def look_up(host: str, port: Any, **options: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    with monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up)
        yield


PRIVATE_ADDRESSES = (
    *("10.0.0.1", "192.168.1.9", "172.16.3.4", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("::ffff:10.0.0.1", "fd00::1", "fe80::1", "::"),
    *(
        "::10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "2002:a00:1::1",
        "2001:0:808:808::1",
        "240.0.0.1",
        "ff02::1",
    ),
)


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_addresses_that_are_not_public_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for found in ((address,), ("8.8.8.8", address)):
        with names(monkeypatch, *found), pytest.raises(ChoiceRefused, match="CARAVAN_WEBHOOK_HOSTS"):
            permitted_address("https://hooks.example.com/x")


def test_public_and_named_ones_are_taken(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    with names(monkeypatch, "8.8.8.8"):
        assert permitted_address("https://hooks.example.com/x") == "8.8.8.8"
    settings.CARAVAN_WEBHOOK_HOSTS = [".lab.example", "10.0.0.2:8080"]
    with names(monkeypatch, "10.0.0.2"):
        assert permitted_address("http://hooks.lab.example/x") == "10.0.0.2"
        assert permitted_address("http://10.0.0.2:8080/x") == "10.0.0.2"
        with pytest.raises(ChoiceRefused):
            permitted_address("http://10.0.0.2:9090/x")


def test_this_machine_is_taken_where_it_is_one_person_s(settings: Settings) -> None:
    assert permitted_address("http://127.0.0.1:9/x") == "127.0.0.1"
    for served in ({"EMBEDDED_DATABASE": False}, {"BEHIND_PROXY": True}):
        for name, value in ({"EMBEDDED_DATABASE": True, "BEHIND_PROXY": False} | served).items():
            setattr(settings, name, value)
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0"):
            with pytest.raises(ChoiceRefused):
                permitted_address(f"http://{host}:9/x")


def test_a_name_that_leads_elsewhere_later_leads_nowhere(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_test(webhook)
    Webhook.objects.update(url="http://hooks.example.com/x")
    with names(monkeypatch, "10.0.0.1"):
        deliver_all()
    assert "10.0.0.1" in Delivery.objects.get().problem and Receiver.requests == []


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": Role.ANNOTATOR}])
def test_who_is_no_researcher_any_more_is_told_nothing(
    change: dict[str, Any], run: Run, webhook: Webhook, researcher: User
) -> None:
    send_test(webhook)
    User.objects.filter(pk=researcher.pk).update(**change)
    end_all(run)
    assert find_news() == 0
    deliver_all()
    assert Receiver.requests == [] and "no researcher" in Delivery.objects.get().problem


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.com\\@127.0.0.1/",
        "http://a b/",
        "http://a\r\nX: y/",
        "http://127.0.0.1%2f.example.com/",
        "ftp://a/b",
        "https://",
        "javascript:alert(1)",
        "http://me:secret@example.com/",
        "http://a:99999/",
        "x" * 600,
    ],
)
def test_what_is_no_address_is_refused_on_the_page(url: str, as_researcher: Client) -> None:
    page = as_researcher.post("/account/webhooks/", {"url": url}).content.decode()
    assert 'class="bad"' in page and not Webhook.objects.exists()


def test_pages_show_deliveries_and_send_them_again(as_researcher: Client, receiver: str, run: Run) -> None:
    response = as_researcher.post("/account/webhooks/", {"url": receiver, "run": run.pk})
    webhook = Webhook.objects.get()
    assert response["Location"] == f"/account/webhooks/{webhook.pk}/" and webhook.run == run
    Receiver.status = 500
    as_researcher.post(f"/account/webhooks/{webhook.pk}/test")
    deliver_all()
    page = as_researcher.get(f"/account/webhooks/{webhook.pk}/").content.decode()
    assert "HTTP 500" in page and webhook.secret in page and "waiting" in page
    Receiver.status = 204
    delivery = Delivery.objects.get()
    as_researcher.post(f"/account/webhooks/{webhook.pk}/deliveries/{delivery.pk}/redeliver")
    deliver_all()
    assert "delivered" in as_researcher.get(f"/account/webhooks/{webhook.pk}/").content.decode()
    assert Receiver.requests[0][2] == Receiver.requests[1][2]
    as_researcher.post(f"/account/webhooks/{webhook.pk}/delete")
    assert (
        not Webhook.objects.exists()
        and receiver not in as_researcher.get("/account/webhooks/").content.decode()
    )


def test_a_webhook_is_of_one_researcher(as_local: Client, webhook: Webhook) -> None:
    send_test(webhook)
    own = f"/account/webhooks/{webhook.pk}/"
    assert as_local.get(own).status_code == 404
    for act in ("test", "delete", f"deliveries/{Delivery.objects.get().pk}/redeliver"):
        assert as_local.post(own + act).status_code == 404
    assert webhook.url not in as_local.get("/account/webhooks/").content.decode()


def test_a_run_s_page_leads_to_a_webhook_of_it(as_researcher: Client, run: Run) -> None:
    link = f"/account/webhooks/?run={run.pk}"
    assert link in as_researcher.get(f"/runs/{run.pk}/").content.decode()
    assert f'value="{run.pk}"' in as_researcher.get(link).content.decode()
