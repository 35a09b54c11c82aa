"""How long a report over 18,000 ended sessions takes to open: `python -m tests.bench.reports`.

The page as the server gives it, twenty parts with their charts, in a process that has given none before, and again;
and the files. The sessions are synthetic (tests.scale.reports): ten runs, 600 tasks, three trials.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from tests.bench.data import fresh_data

RUNS, TASKS, TRIALS = 10, 600, 3
ROUNDS = 5


def _seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    work()
    return clock() - began


def main() -> None:
    """Print seconds and query counts."""
    fresh_data()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tests.scale.reports import make_runs
    from webapp.accounts.models import Role, User

    began = time.perf_counter()
    runs = make_runs(RUNS, TASKS, TRIALS)
    print(f"reports: {RUNS * TASKS * TRIALS} sessions stored in {time.perf_counter() - began:.1f} s")
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(
        User.objects.create_user("bench", password="long enough for all", role=Role.RESEARCHER)
    )
    query = "?runs=" + ",".join(run.pk for run in runs)

    def page_getter(address: str) -> Callable[[], object]:
        def get() -> None:
            assert client.get(address + query).status_code == 200

        return get

    first = _seconds(page_getter("/reports/"))
    with CaptureQueriesContext(connection) as queries:
        page_getter("/reports/")()
        count = len(queries)
    again = [_seconds(page_getter("/reports/")) for _ in range(ROUNDS)]
    busy = min(_seconds(page_getter("/reports/"), time.process_time) for _ in range(ROUNDS))
    size = len(client.get("/reports/" + query).content) / 2**20
    print(
        f"reports: the page of {len(runs)} runs opens in {statistics.median(again):.2f} s "
        f"(slowest of {ROUNDS} {max(again):.2f} s, first of a process {first:.2f} s; "
        f"{busy:.2f} s of processor time at least), "
        f"{count} queries, {size:.1f} MiB"
    )
    one = "?runs=" + runs[0].pk
    single = [_seconds(lambda: client.get("/reports/" + one)) for _ in range(ROUNDS)]
    print(
        f"reports: the page of one run with {TASKS * TRIALS} sessions opens in {statistics.median(single):.2f} s"
    )
    for ending in ("md", "csv", "json", "html"):
        print(f"reports: {ending} in {_seconds(page_getter(f'/reports/report.{ending}')):.2f} s")


if __name__ == "__main__":
    main()
