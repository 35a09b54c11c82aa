"""How long the list of sessions takes by a metric, 100,000 sessions: rows of values against columns of scores.

`python -m tests.bench.values`; under `python -m tests.postgres` the same on PostgreSQL. The columns are a table as
scores had them, without evidence: with it, it was larger. Each query is the first page, 50 sessions; warm, the median
of seven.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable

from tests.bench.data import fresh_data

COUNT = 100_000
ROUNDS = 7
COLUMNS = """
CREATE TABLE old_scores AS SELECT session_id, profile,
MAX(CASE WHEN "key" = 'pc' THEN "value" END) pc, MAX(CASE WHEN "key" = 'gu' THEN "value" END) gu,
MAX(CASE WHEN "key" = 'gf' THEN "value" END) gf, MAX(CASE WHEN "key" = 'pv' THEN "value" END) pv,
MAX(CASE WHEN "key" = 'issues' THEN "value" END) issues
FROM caravan_sessions_metricvalue GROUP BY session_id, profile
"""
SORTED = """
SELECT s.id FROM caravan_sessions_session s
LEFT JOIN old_scores o ON o.session_id = s.id AND o.profile = 'published'
ORDER BY o.{key} DESC NULLS LAST, s.created_at DESC, s.id LIMIT 50
"""
FILTERED = """
SELECT s.id FROM caravan_sessions_session s
JOIN old_scores o ON o.session_id = s.id AND o.profile = 'published'
WHERE o.{key} >= %s ORDER BY s.created_at DESC LIMIT 50
"""


def _median_ms(work: Callable[[], object]) -> float:
    work()
    found = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    return statistics.median(found)


def main() -> None:
    """A line a query: milliseconds by columns, by rows, and the ratio."""
    url = os.environ.get("DATABASE_URL", "")
    fresh_data(url)
    from django.db import connection

    _store()
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        cursor.execute("CREATE UNIQUE INDEX old_scores_one ON old_scores (session_id, profile)")
        cursor.execute("ANALYZE")
    print(f"values: {COUNT} sessions on {connection.vendor}, a fifth of them without a plan")
    for key, limit in (("gu", 14.0), ("pc", 0.95), ("issues", 8)):
        _compare(f"sorted by {key}", _raw(SORTED.format(key=key)), _sorted(key))
        _compare(
            f"{key} at least {limit}", _raw(FILTERED.format(key=key), limit), _filtered(key, float(limit))
        )
    _pages()


def _compare(what: str, old: Callable[[], list[str]], new: Callable[[], list[str]]) -> None:
    assert old() == new(), what
    before, after = _median_ms(old), _median_ms(new)
    print(f"values: {what}: columns {before:.1f} ms, rows {after:.1f} ms, {after / before:.2f} ×")


def _raw(sql: str, *given: object) -> Callable[[], list[str]]:
    from django.db import connection

    def work() -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            return [pk for (pk,) in cursor.fetchall()]

    return work


def _sorted(key: str) -> Callable[[], list[str]]:
    from webapp.sessions.selectors import sessions

    order = f"-{key}" if key == "issues" else key
    return lambda: list(sessions(order=order).values_list("pk", flat=True)[:50])


def _filtered(key: str, least: float) -> Callable[[], list[str]]:
    from webapp.sessions.models import Session

    found = Session.objects.filter(
        values__key=key, values__profile="published", values__rater="", values__value__gte=least
    )
    return lambda: list(found.values_list("pk", flat=True)[:50])


def _pages() -> None:
    from django.test import Client

    from webapp.accounts.models import Role, User

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(
        User.objects.create_user("bench", password="long enough for all", role=Role.RESEARCHER)
    )
    for order in ("", "gu", "-issues"):
        spent = _median_ms(lambda order=order: client.get(f"/sessions/?order={order}"))  # type: ignore[misc]
        print(f"values: the whole page, order “{order or 'newest'}”: {spent:.0f} ms")


def _store() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import MetricValue, Session

    chance, now = random.Random(0), timezone.now()
    world, task = World.objects.get(name="starter"), Task.objects.all()[0]
    for begin in range(0, COUNT, 5000):
        made = [
            Session(
                id=f"s{number:07}",
                task=task,
                world=world,
                agent="react",
                users="llm",
                status="finished",
                created_at=now - timedelta(seconds=chance.randrange(10**7)),
            )
            for number in range(begin, begin + 5000)
        ]
        Session.objects.bulk_create(made)
        MetricValue.objects.bulk_create(
            MetricValue(session=session, profile=profile, key=key, value=value)
            for session in made
            for profile in ("published", "paper")
            for key, value in _values(chance).items()
        )


def _values(chance: random.Random) -> dict[str, float]:
    values = {"pc": chance.random()}
    if chance.random() < 0.2:
        return values
    issues = max(0, int(chance.expovariate(0.5)) - 1)
    rules = {"gu": round(chance.gauss(8, 3), 2), "gf": round(100 * chance.random(), 2)}
    return {**values, **rules, "pv": float(not issues), "issues": float(issues)}


if __name__ == "__main__":
    main()
