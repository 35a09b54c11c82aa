"""How often an account may ask for what costs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from webapp.accounts import limits, throttle
from webapp.accounts.models import User
from webapp.accounts.tokens import SCOPES, issue_token

pytestmark = pytest.mark.django_db
REQUESTS = [
    ("work", "post", "/demo/"),
    ("models", "post", "/models/none/test/"),
    ("uploads", "post", "/runs/import/"),
    ("exports", "get", "/reports/leaderboard.csv"),
    ("searches", "get", "/search/?q=tea"),
    ("changes", "post", "/account/tokens/"),
]


@pytest.fixture(autouse=True)
def fresh_counts() -> Iterator[None]:
    """Nothing of other tests is counted, and nothing for them."""
    throttle.redis_limiter().storage.reset()
    throttle.own_limiter.cache_clear()
    yield
    throttle.redis_limiter.cache_clear()
    throttle.own_limiter.cache_clear()


def _places(patterns: list[Any]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _places(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name


def test_the_table_names_addresses_that_there_are_and_each_once() -> None:
    named = [place for use in limits.USES for place in use.places]
    assert set(named) <= set(_places(get_resolver().url_patterns))
    assert len(named) == len(set(named))


def test_every_file_that_leaves_is_counted() -> None:
    files = {
        place
        for place in _places(get_resolver().url_patterns)
        if place.endswith(("_csv", "_file", "_export", "_download"))
    }
    viewed = {"prompt_file", "shipped_prompt_file", "edit_prompt_file", "run_file"}  # pages of files
    exports = next(use for use in limits.USES if use.name == "exports")
    assert files - viewed <= exports.places


@pytest.mark.parametrize(("use", "method", "address"), REQUESTS)
def test_an_account_that_asks_too_often_is_told_when_again_and_others_are_served(
    as_researcher: Client, settings: Any, use: str, method: str, address: str
) -> None:
    settings.CARAVAN_LIMITS = f"{use}=2/10 minutes"
    ask = getattr(as_researcher, method)
    assert 429 not in [ask(address).status_code for _ in range(2)]
    refused = ask(address, headers={"Accept-Language": "zh-hans"})
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 600
    words = refused.content.decode()
    assert "2" in words and refused["Retry-After"] in words and 'lang="zh-hans"' in words
    other = Client()
    other.force_login(User.objects.create_user("other", role="researcher"))
    assert getattr(other, method)(address).status_code != 429


def test_looking_is_free(as_researcher: Client, settings: Any) -> None:
    settings.CARAVAN_LIMITS = "changes=1/1 hour, work=1/1 hour"
    assert {as_researcher.get(address).status_code for address in ("/runs/", "/runs/new/") * 2} == {200}


def test_tokens_of_one_account_are_counted_together_with_its_pages(
    researcher: User, as_researcher: Client, settings: Any
) -> None:
    settings.CARAVAN_LIMITS = "work=3/10 minutes"
    as_researcher.post("/demo/")
    answers = []
    for name in ("one", "two", "three"):
        token = issue_token(user=researcher, name=name, scopes=SCOPES)[1]
        answers.append(
            Client().post(
                "/api/v1/runs",
                {},
                content_type="application/json",
                headers={"Authorization": f"Bearer {token}"},
            )
        )
    assert [answer.status_code for answer in answers] == [422, 422, 429]
    assert answers[2].json()["code"] == "too_many"
    assert int(answers[2]["Retry-After"]) >= 1


def test_an_annotators_link_and_an_address_have_counts_of_their_own(client: Client, settings: Any) -> None:
    settings.CARAVAN_LIMITS = "answers=1/1 hour, joins=1/1 hour"
    for address in ("/annotate/nobody-here-1/answer/", "/annotate/nobody-here-2/answer/", "/join/nothing/"):
        assert client.post(address).status_code != 429
        assert client.post(address).status_code == 429
    assert client.get("/join/else/", REMOTE_ADDR="192.0.2.7").status_code != 429


def test_made_up_sessions_give_an_address_no_more_guesses(settings: Any) -> None:
    settings.CARAVAN_LIMITS = "joins=2/1 hour"
    answers = []
    for number in range(3):
        stranger = Client()
        stranger.cookies[settings.SESSION_COOKIE_NAME] = f"{number:032}"
        answers.append(stranger.post("/seat/nobody/back/").status_code)
    assert 429 not in answers[:2] and answers[2] == 429


def test_processes_count_together(as_researcher: Client, settings: Any) -> None:
    settings.CARAVAN_LIMITS = "work=2/1 hour"
    for _ in range(2):
        as_researcher.post("/demo/")
        throttle.redis_limiter.cache_clear()  # as in another process
    assert as_researcher.post("/demo/").status_code == 429


def test_while_redis_is_away_a_process_counts_alone(as_researcher: Client, settings: Any) -> None:
    settings.CARAVAN_LIMITS = "changes=2/1 hour"
    settings.COUNTERS_URI = "redis+unix:///nowhere/v.sock"
    throttle.redis_limiter.cache_clear()
    answers = [as_researcher.post("/account/tokens/").status_code for _ in range(3)]
    assert answers == [200, 200, 429]


def test_what_was_refused_is_served_when_the_time_has_passed(as_researcher: Client, settings: Any) -> None:
    settings.CARAVAN_LIMITS = "changes=1/1 second"
    while as_researcher.post("/account/tokens/").status_code != 429:
        pass
    time.sleep(1.1)
    assert as_researcher.post("/account/tokens/").status_code == 200


def test_a_limit_is_changed_alone_and_all_are_lifted() -> None:
    changed = limits.items_of("work=60/10 minutes, exports=off")
    assert changed["work"].amount == 60 and changed["work"].get_expiry() == 600
    assert "exports" not in changed and changed["changes"].amount == 1200
    assert limits.items_of("off") == {}
