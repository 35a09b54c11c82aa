"""How long the search over 100,000 sessions takes, and how large its index is: `python -m tests.bench.searching`.

Under `python -m tests.postgres` the same on PostgreSQL. Rows are made in bulk, not played: each session takes the
talk, the reasoning, the calls and the results of one of some hundred that are cut into grams once, and has a
message of its own beside. Times are those of the whole request in this process, from the address to the page's
HTML. The size is measured over copies of recorded sessions, whose logs are real.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
import zlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from tests.bench.data import fresh_data
from tests.bench.tables import talk

COUNT = 100_000
KINDS = 300
AT_ONCE = 2000
ROUNDS = 4
COPIES = 40
"""Of each recorded session."""
RECORDING_NAMES = ("easy", "english", "medium", "models")


def main() -> None:
    """A line for what is looked for: how many requests, the median, the 95th percentile, the slowest, in ms."""
    fresh_data(os.environ.get("DATABASE_URL", ""))
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    from django.db import connection
    from django.test import Client

    from webapp.accounts.models import Role, User
    from webapp.memory import settle

    _measure_size()
    began = time.perf_counter()
    store_sessions(count)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    print(
        f"searching: {count} sessions on {connection.vendor}, stored in {time.perf_counter() - began:.0f} s"
    )
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(
        User.objects.create_user("bench", password="long enough for all", role=Role.RESEARCHER)
    )
    client.get("/search/?q=warm")
    settle()
    for what, queries in SEARCHES.items():
        _tell(what, client, queries)


SEARCHES = {
    "words": ["酒店", "高铁", "预算", "断桥", "G1234", "hotel", "我 元", "酒店 预算", "helicopter"],
    "words in a part": [
        "in:messages 酒店",
        "in:results 断桥",
        "in:all 高铁",
        "in:reasoning hotel",
        "in:arguments 西湖",
    ],
    "-not": ["酒店 -高铁", "-酒店", "hotel -lake", "预算 -夜景 -早餐"],
    "longer words": ["不太想去", "下午五点关门", "第3天上午", "离西湖近一点"],
    "phrases": ['"quiet hotel near the lake"', '"5000元有点贵"', '-"quiet hotel" 酒店'],
    "tools and errors": [
        "tool:search_poi",
        "tool:search_trains error:arguments",
        "error:network",
        "-error:arguments",
    ],
    "speakers with words": ["speaker:Agent 酒店", "tool:search_poi 西湖", "-speaker:Agent 预算"],
    "expressions": [r"/G\d{2}77次/", r"/(hotel|inn) near the \w+/i", r"酒店 /[1-9]00\d元/", r"-/预算/ 酒店"],
    "expressions in results": [r"in:results /\"rating\":4\.9.{0,40}断桥/", r"in:all /G\d{2}77/"],
}


def _tell(what: str, client: Any, queries: Sequence[str]) -> None:
    named = sorted((_ms(client, query), query) for query in queries * ROUNDS)
    spent = [one for one, _query in named]
    late, (slowest, query) = spent[int(len(spent) * 0.95)], named[-1]
    figures = (
        f"median {statistics.median(spent):.0f} ms, p95 {late:.0f} ms, slowest {slowest:.0f} ms ({query})"
    )
    print(f"searching: {what}: {len(spent)} requests, {figures}", flush=True)


def _ms(client: Any, query: str) -> float:
    began = time.perf_counter()
    answer = client.get(f"/search/?{urlencode({'q': query})}")
    assert answer.status_code == 200 and b'class="bad" role="alert"' not in answer.content, query
    return 1000 * (time.perf_counter() - began)


def _measure_size() -> None:
    """Bytes of the index for each byte of the logs, over recorded sessions."""
    from django.db import connection

    from tests.recordings import load
    from webapp.catalogue.models import World
    from webapp.sessions.models import Event, Session
    from webapp.tables.models import SessionSearchIndex
    from webapp.tables.search import refresh_said

    before = _stored_bytes("caravan_sessions_event")
    world, ids = World.objects.get(name="starter"), []
    for name in RECORDING_NAMES:
        session = load(name, world)
        rows = list(Event.objects.filter(session=session))
        ids.append(session.pk)
        for _copy in range(COPIES - 1):
            copy = Session.objects.get(pk=session.pk)
            copy.pk = f"c{len(ids)}"
            copy.save(force_insert=True)
            for row in rows:
                row.pk, row.session_id = None, copy.pk
            Event.objects.bulk_create(rows)
            ids.append(copy.pk)
    SessionSearchIndex.objects.all().delete()
    log = _stored_bytes("caravan_sessions_event") - before
    empty = _index_bytes()
    began = time.process_time()
    refresh_said(ids)
    spent = time.process_time() - began
    index = _index_bytes() - empty
    print(
        f"searching: {len(ids)} recorded sessions on {connection.vendor}: logs {log / 2**20:.1f} MiB, index "
        f"{index / 2**20:.1f} MiB, {index / log:.2f} of the logs; {1000 * spent / len(ids):.0f} ms of processor "
        "time each"
    )


def _index_bytes() -> int:
    from django.db import connection

    tables = ["tables_said", "tables_saidtext", "tables_resulttext"]
    if connection.vendor == "sqlite":
        tables += [f"tables_said_grams_{part}" for part in ("data", "idx", "content", "docsize", "config")]
    return sum(map(_stored_bytes, tables))


def _stored_bytes(table: str) -> int:
    """Of a table with its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
            return int(cursor.fetchone()[0])
        names = [table]
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = %s", [table])
        names += [name for (name,) in cursor.fetchall()]
        cursor.execute(
            f"SELECT COALESCE(SUM(pgsize), 0) FROM dbstat WHERE name IN ({', '.join(['%s'] * len(names))})",
            names,
        )
        return int(cursor.fetchone()[0])


def _lines_of_kind(chance: random.Random, places: list[str], cities: list[str]) -> list[Any]:
    """What one session says, thinks, asks and is answered."""
    from webapp.tables.search_lines import SearchLine

    lines = []
    for seq, text in talk(chance, places, cities):
        lines.append(SearchLine("messages", seq, chance.choice(("Agent", "User1", "User2")), "", text))
    for seq in range(2, 60, 6):
        kind, near = chance.choice(("quiet", "cheap", "large")), chance.choice(("lake", "station"))
        words = f"They want a {kind} hotel near the {near}"
        lines.append(
            SearchLine("reasoning", seq, "Agent", "", f"{words}, so look at {chance.choice(places)} first.")
        )
    for seq in range(3, 90, 3):
        tool = chance.choice(("search_poi", "search_hotels", "search_trains"))
        error = chance.choice(["arguments"] + [""] * 40) if tool == "search_trains" else ""
        asked = {"city": chance.choice(cities), "keywords": chance.choice(places)}
        lines.append(SearchLine("arguments", seq, tool, error, json.dumps(asked, ensure_ascii=False)))
        found = [
            {
                "name": chance.choice(places),
                "rating": chance.randrange(30, 50) / 10,
                "train": f"G{chance.randrange(999)}",
            }
            for _ in range(10)
        ]
        lines.append(SearchLine("results", seq + 1, tool, error, json.dumps(found, ensure_ascii=False)))
    return lines


def store_sessions(count: int) -> None:
    """Sessions with their rows in the index, in bulk."""
    from django.db import connection, transaction
    from django.utils import timezone

    from benchmark.text.grams import grams
    from webapp.catalogue.models import Task, World
    from webapp.catalogue.packs import pack_of
    from webapp.sessions.models import Session
    from webapp.tables.models import ResultText, SaidText, SessionSearchIndex
    from webapp.tables.search import PART_MARKS, STORE_STATEMENTS, all_grams, line_columns

    chance, now = random.Random(0), timezone.now()
    world, tasks = World.objects.get(name="starter"), list(Task.objects.all())
    cities = list(dict.fromkeys(city for task in tasks for city in task.cities))
    pack = pack_of(world)
    places = [place.name for city in pack.cities() for place in pack.places(city.name)]
    kinds = []
    for _ in range(KINDS):
        lines = _lines_of_kind(chance, places, cities)
        said = line_columns([line for line in lines if line.part != "results"])
        results = line_columns([line for line in lines if line.part == "results"])
        packed = {name: zlib.compress(text.encode()) for name, text in results.items()}
        kinds.append((said, packed, " ".join(all_grams(lines))))
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # a transaction's rows in one piece: the index is the same, written once
            cursor.execute(
                "INSERT INTO tables_said_grams (tables_said_grams, rank) VALUES ('hashsize', 200000000)"
            )
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP INDEX tables_said_grams")
    for begin in range(0, count, AT_ONCE):
        sessions = [
            Session(
                id=f"s{number:07}",
                task=chance.choice(tasks),
                world=world,
                agent="llm",
                users="llm",
                status="finished",
                created_at=now - timedelta(seconds=count - number),
            )
            for number in range(begin, min(count, begin + AT_ONCE))
        ]
        Session.objects.bulk_create(sessions)
        rows = SessionSearchIndex.objects.bulk_create(
            SessionSearchIndex(session=session, complete=True) for session in sessions
        )
        said_rows, result_rows, found_by = [], [], []
        for row in rows:
            said, packed, cut = chance.choice(kinds)
            own = f"{chance.choice(places)}{chance.randrange(100, 9999)}元有点贵,换成G{chance.randrange(9999)}次"
            own_grams = grams(own)
            marked = " ".join([*own_grams, *(PART_MARKS["messages"] + gram for gram in own_grams)])
            said_rows.append(
                SaidText(
                    index=row,
                    text=f"{said['text']}\n{own}",
                    about=f"{said['about']}\nmessages\t200\tAgent\t",
                )
            )
            result_rows.append(ResultText(index=row, **packed))
            found_by.append((f"{cut} {marked}", row.pk))
        SaidText.objects.bulk_create(said_rows)
        ResultText.objects.bulk_create(result_rows)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(STORE_STATEMENTS[connection.vendor], found_by)
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
            cursor.execute("CREATE INDEX tables_said_grams ON tables_said USING gin (grams)")


if __name__ == "__main__":
    main()
