"""How often an account may ask for what costs: one table, counted together by all processes.

Whoever is signed in has counts of their own, wherever they ask from, and so have a browser at a seat and an
annotator's link; all others are counted by address. A program's requests are counted when its token is known
(`webapp.api.access`), as its account's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from limits import RateLimitItem, parse

from webapp import counters
from webapp.accounts.addresses import client_address
from webapp.accounts.models import User
from webapp.accounts.throttle import neighbourhood_of, seconds_to_wait

NO_LIMIT = "off"
READS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Use:
    """Requests that are counted together.

    most: as the library `limits` writes it. what: their name in words. places: the names of their addresses.
    reads: whether GET counts too; without it, only what changes something does. of_seats: whether those who are at a
    seat are counted by their browser rather than by address.
    """

    name: str
    most: str
    what: Promise | str
    places: frozenset[str] = frozenset()
    reads: bool = False
    of_seats: bool = False

    def holds(self, place: str, method: str) -> bool:
        """Whether it counts a request of this method to the address of this name."""
        return place in self.places and (self.reads or method not in READS)


_WORK = (
    "new_run run_retry run_trials run_resume demo new_session try_session session_fork session_replay "
    "session_resume new_judging judge_batch_again new_synthesis synthesis_make repairs repair_continue "
    "start_report_archive label_search index_cache api_v1_runs api_v1_control_run"
)
_MODELS = "test_endpoint experiments answer_fork test_webhook redeliver_webhook"
_UPLOADS = "import_records import_prompt_set new_label_study_from_files label_files add_label_tasks"
_EXPORTS = (
    "run_export run_links run_misses_csv run_misses_json run_sessions_csv compare_runs_csv run_file_download "
    "run_table_file session_export session_record session_set_file session_table_file label_file label_links "
    "label_search_file label_statistics_file leaderboard_file report_file report_archive_file notes_file "
    "repair_export export_prompt_set synthesis_file task_definitions task_statistics_file task_table_file "
    "api_v1_report_file api_v1_report_table api_v1_judgements api_v1_labels api_v1_scores"
)
_WORDS = "seat_say seat_unsend seat_tool seat_wishes seat_answers seat_desk"
_ANSWERS = "annotate annotate_answer annotate_draft annotate_skip annotate_training annotate_undo"
_JOINS = "invitation annotator_link panel_link seat_back"

USES: tuple[Use, ...] = (
    Use("work", "300/10 minutes", gettext_lazy("work for workers"), frozenset(_WORK.split())),
    Use("models", "300/10 minutes", gettext_lazy("questions to models"), frozenset(_MODELS.split())),
    Use("uploads", "120/10 minutes", gettext_lazy("uploads"), frozenset(_UPLOADS.split())),
    Use("exports", "1200/10 minutes", gettext_lazy("downloads"), frozenset(_EXPORTS.split()), reads=True),
    Use("searches", "240/1 minute", gettext_lazy("searches"), frozenset(("search",)), reads=True),
    Use("words", "120/1 minute", gettext_lazy("messages"), frozenset(_WORDS.split()), of_seats=True),
    Use("answers", "300/1 minute", gettext_lazy("answers"), frozenset(_ANSWERS.split())),
    Use("joins", "600/10 minutes", gettext_lazy("visits by links"), frozenset(_JOINS.split()), reads=True),
    Use("sockets", "6000/1 minute", gettext_lazy("live pages")),
    Use("changes", "1200/1 minute", gettext_lazy("changes")),
)
"""The first that holds a request counts it. `changes` is whatever else an account changes; `sockets` is for
`count_socket`. The amounts are far beyond what a person does."""
_SOCKETS, _CHANGES = "sockets", "changes"


class TooOften(Exception):
    """An account has asked for this too often. wait_s: seconds until it may again."""

    def __init__(self, use: Use, wait_s: int) -> None:
        super().__init__(use.name)
        self.use, self.wait_s = use, wait_s

    def words(self) -> str:
        """What there was too much of, how much may be, and when again."""
        item = items_of(settings.CARAVAN_LIMITS)[self.use.name]
        told = _(
            "Too many %(what)s: at most %(most)s in %(minutes)s min. Wait %(seconds)s s, then try again."
        )
        minutes = math.ceil(item.get_expiry() / 60)
        return told % {
            "what": self.use.what,
            "most": item.amount,
            "minutes": minutes,
            "seconds": self.wait_s,
        }


@lru_cache(maxsize=8)
def items_of(written: str) -> Mapping[str, RateLimitItem]:
    """The limit of each use that has one, as CARAVAN_LIMITS has it: `work=60/10 minutes, exports=off`, or `off`.

    Raises:
        ValueError: it can't be read; the message says where and what it may be.
    """
    if written.strip().lower() == NO_LIMIT:
        return {}
    most = {use.name: use.most for use in USES}
    for part in filter(None, map(str.strip, written.split(","))):
        name, equals, amount = map(str.strip, part.partition("="))
        if not equals or name not in most:
            raise ValueError(
                f"CARAVAN_LIMITS has “{part}”: write NAME=AMOUNT/TIME with one of {', '.join(most)}, or off"
            )
        most[name] = amount
    items = {}
    for name, amount in most.items():
        if amount.lower() == NO_LIMIT:
            continue
        try:
            item = parse(amount)
        except ValueError as error:
            raise ValueError(
                f"CARAVAN_LIMITS has “{name}={amount}”: write an amount such as 60/10 minutes, or off"
            ) from error
        if item.amount < 1:
            raise ValueError(f"CARAVAN_LIMITS has “{name}={amount}”: the least is 1; or write off")
        item.namespace = f"use-{name}"
        items[name] = item
    return items


def count_request(request: HttpRequest, account: User | None) -> None:
    """Count a request by its account; of nobody signed in, by their seat, their link or their address.

    Raises:
        TooOften: there were too many of the kind. This one is not counted.
    """
    match = request.resolver_match
    use = use_of(str(match.url_name), str(request.method), signed_in=account is not None) if match else None
    if use is not None and match is not None:
        _count(use, _account_key(account.pk) if account else _stranger_key(use, request, match.kwargs))


def use_of(place: str, method: str, *, signed_in: bool) -> Use | None:
    """What counts a request; None for most of them, which are free."""
    for use in USES:
        if use.holds(place, method):
            return use
    return _use_named(_CHANGES) if signed_in and method not in READS else None


def count_socket(account: User) -> None:
    """Count a live page that an account opens.

    Raises:
        TooOften: there were too many.
    """
    _count(_use_named(_SOCKETS), _account_key(account.pk))


def _use_named(name: str) -> Use:
    return next(use for use in USES if use.name == name)


def _account_key(pk: Any) -> str:
    return f"account-{pk}"


def _stranger_key(use: Use, request: HttpRequest, arguments: Mapping[str, Any]) -> str:
    if "annotator_id" in arguments:
        return f"annotator-{arguments['annotator_id']}"
    if use.of_seats and request.session.session_key:  # a made-up one has no seat, so it gains nothing
        return request.session.session_key
    return f"address-{neighbourhood_of(client_address(request))}"


def _count(use: Use, key: str) -> None:
    item = items_of(settings.CARAVAN_LIMITS).get(use.name)
    if item is None:
        return
    if wait_s := seconds_to_wait(item, key):
        counters.add(counters.REFUSALS, use.name)
        raise TooOften(use, wait_s)


class LimitsMiddleware:
    """Answers 429 to whoever asks for something too often. It stands below what checks who asks, and forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Count it before its view runs."""
        try:
            count_request(request, request.user if isinstance(request.user, User) else None)
        except TooOften as refused:
            page = render_to_string("429.html", {"why": refused.words()})
            return HttpResponse(page, status=429, headers={"Retry-After": str(refused.wait_s)})
        return None
