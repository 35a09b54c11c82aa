"""How long TravelEval's golden plans take to score: `python -m tests.bench.traveleval`.

Both profiles with all evidence. Milliseconds of processor time, the least of five rounds a plan.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark.cases import read_definitions
from benchmark.core.events import ALL, Event, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.suites.traveleval.scoring.sessions import score_session
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import open_world
from sandbox.worlds.china10 import import_china10
from tests.bench.data import reference_folder

ROUNDS = 5


def main() -> None:
    """Print the median, the 95th percentile and the slowest, and the median of short and of long plans."""
    reference = reference_folder()
    read = read_definitions(reference / "traveleval", TASK_FILES)
    lines = (reference / "golden-traveleval" / "plans.jsonl").read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        pack = import_china10(reference / "china10", Path(folder) / "china10.pack", "china10").path
        tables = tables_of(open_world(pack))
        spent = [_spent_ms(json.loads(line), read, tables) for line in lines]
    times = sorted(ms for ms, _places in spent)
    middle = statistics.median(places for _ms, places in spent)
    few, many = ([ms for ms, places in spent if (places > middle) is longer] for longer in (False, True))
    print(
        f"traveleval: {len(times)} plans, median {statistics.median(times):.2f} ms, "
        f"p95 {times[int(len(times) * 0.95)]:.2f} ms, slowest {times[-1]:.2f} ms; up to {middle:.0f} entries "
        f"{statistics.median(few):.2f} ms, more {statistics.median(many):.2f} ms"
    )


def _spent_ms(case: dict[str, Any], read: Any, tables: Tables) -> tuple[float, int]:
    """Of one plan, and how many entries its days have."""
    query = Query.model_validate({**read(case["query_uid"]), **case["query_patch"]})
    setting = Setting[Query, Tables](read_task=lambda: query, world=tables)
    log = [Event(1, AGENT, ALL, PlanProposed(plan=case["itinerary"]), datetime.now(UTC))]
    rounds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        score_session(log, setting)
        rounds.append((time.process_time() - begun) * 1000)
    days = case["itinerary"].get("daily_plans")
    days = days if isinstance(days, list) else []
    return min(rounds), sum(len(day.get("activities") or ()) for day in days if isinstance(day, dict))


if __name__ == "__main__":
    main()
