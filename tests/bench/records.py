"""How many published run records a second become sessions: the golden ones, ten times over.

`python -m tests.bench.records`; under `python -m tests.postgres` the same on PostgreSQL.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

from tests.bench.data import fresh_data, reference_folder

TIMES = 10


def main() -> None:
    """Records a second, their places from a file; the scores are left to the workers."""
    golden = reference_folder() / "golden"
    if not golden.is_dir():
        print("no reference data: no records are imported")
        return
    fresh_data(os.environ.get("DATABASE_URL", ""))
    from django.core.management import call_command
    from django.db import connection

    from webapp.sessions.models import Session

    lines = [json.loads(line) for line in (golden / "records.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory(prefix="caravan-bench-") as folder:
        path = Path(folder) / "records.jsonl"
        again = (
            {**line, "trial_id": line["trial_id"] + 100 * number} for number in range(TIMES) for line in lines
        )
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in again))
        begun = time.perf_counter()
        call_command(
            "import_records", str(path), "--catalogue", str(golden / "poi_catalog.json"), verbosity=0
        )
        spent = time.perf_counter() - begun
        megabytes = path.stat().st_size / 1e6
    count = Session.objects.count()
    print(
        f"records: {count} of {megabytes:.0f} MB on {connection.vendor} in {spent:.1f} s, "
        f"{count / spent:.0f} records a second"
    )


if __name__ == "__main__":
    main()
