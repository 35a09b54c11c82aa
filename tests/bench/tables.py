"""How long the table of 100,000 sessions takes: each filter, order, search and page alone, and 200 random pairs.

`python -m tests.bench.tables`; under `python -m tests.postgres` the same on PostgreSQL. Times are those of the whole
request in this process, from the address to the page's HTML.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import time
from collections.abc import Iterable
from html import unescape
from urllib.parse import parse_qsl, urlencode

from tests.bench.data import fresh_data

COUNT = 100_000
PAIRS = 200
ROUNDS = 3


def main() -> None:
    """A line a group of requests: how many, the median, the 95th percentile and the slowest, in milliseconds."""
    fresh_data(os.environ.get("DATABASE_URL", ""))
    from django.db import connection
    from django.test import Client

    from webapp.accounts.models import Role, User
    from webapp.memory import settle

    began = time.perf_counter()
    _store()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    print(f"tables: {COUNT} sessions on {connection.vendor}, stored in {time.perf_counter() - began:.0f} s")
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(
        User.objects.create_user("bench", password="long enough for all", role=Role.RESEARCHER)
    )
    filters, orders = _filters(), _orders()
    chance = random.Random(1)
    pairs = [{**chance.choice(filters), **chance.choice(orders)} for _ in range(PAIRS)]
    client.get("/sessions/")
    settle()  # as the web server does when it has started
    _tell("filters alone", client, filters * ROUNDS)
    _tell("orders alone", client, orders * ROUNDS)
    _tell("random pairs", client, pairs)
    _tell("pages one after another", client, _walk(client, 40))
    for what, searches in _searches().items():
        _tell(f"search, {what}", client, [{"said": words} for words in searches] * ROUNDS)


def _tell(what: str, client: object, queries: Iterable[dict[str, str]]) -> None:
    named = sorted((_ms(client, query), urlencode(query)) for query in queries)
    spent = [one for one, _query in named]
    late, (slowest, query) = spent[int(len(spent) * 0.95)], named[-1]
    figures = (
        f"median {statistics.median(spent):.0f} ms, p95 {late:.0f} ms, slowest {slowest:.0f} ms (?{query})"
    )
    print(f"tables: {what}: {len(spent)} requests, {figures}")


def _ms(client: object, query: dict[str, str]) -> float:
    began = time.perf_counter()
    answer = client.get(f"/sessions/?{urlencode(query)}")  # type: ignore[attr-defined]
    assert answer.status_code == 200
    return 1000 * (time.perf_counter() - began)


def _walk(client: object, pages: int) -> list[dict[str, str]]:
    """The addresses of pages one after another by an order with many equal values."""
    found = [{"order": "size"}]
    for _ in range(pages):
        page = client.get(f"/sessions/?{urlencode(found[-1])}").content.decode()  # type: ignore[attr-defined]
        [address] = re.findall(r'id="next-page" rel="next" href="\?([^"]*)"', page)
        found.append(dict(parse_qsl(unescape(address))))
    return found


def _filters() -> list[dict[str, str]]:
    return [
        *({"status": one} for one in ("finished", "crashed", "queued")),
        *({"agent": one} for one in ("reference", "llm")),
        *(
            {"model": "model-1"},
            {"run": "a run 7"},
            {"city": "杭州市"},
            {"difficulty": "hard"},
            {"size": "4"},
        ),
        *({"mode": "isolated"}, {"origin": "re-run"}, {"origin": "own"}, {"reason": "max_turn_reached"}),
        *({"issue": "missing_hotel"}, {"task": "starter_0"}, {"task": "no such task"}),
        *({"of": key, "low": "3", "high": "9"} for key in ("gu", "tool_errors", "tokens", "cost", "seconds")),
    ]


def _orders() -> list[dict[str, str]]:
    from webapp.tables.session_columns import columns

    return [{"order": f"{sign}{key}"} for key in columns() for sign in ("", "-")]


SENTENCES = (
    "@User1 你们打算从{city}出发，预算大概{money}元，坐高铁还是飞机？",
    "我想住{star}的酒店，离{place}近一点，不要太吵。",
    "{place}下午五点关门，我们先去那里，再到{food}吃晚饭。",
    "[PASS]",
    "{money}元有点贵，能不能换成{train}次列车，二等座就行？",
    "我不太想去{place}，人太多了，{food}可以，另外想看看{city}的夜景。",
    "好的，那第{day}天上午去{place}，中午在{food}，晚上回酒店休息。",
    "同意，只要{star}的酒店有早餐，我没有别的要求。",
)


def talk(chance: random.Random, places: list[str], cities: list[str]) -> list[tuple[int, str]]:
    """Some 25 messages of a group, about as long as real ones."""
    stars = ("经济型", "舒适型", "高档型", "豪华型")
    return [
        (
            4 * n + 1,
            " ".join(
                sentence.format(
                    city=chance.choice(cities),
                    money=chance.randrange(100, 9000),
                    star=chance.choice(stars),
                    place=chance.choice(places),
                    food=chance.choice(places),
                    train=f"G{chance.randrange(1, 9999)}",
                    day=chance.randrange(1, 7),
                )
                for sentence in chance.sample(SENTENCES, 3)
            ),
        )
        for n in range(25)
    ]


def _searches() -> dict[str, list[str]]:
    return {
        "two characters that most say": ["酒店", "高铁", "预算", "夜景"],
        "two characters that few say": ["断桥", "雷峰", "熊猫"],
        "parts of sentences": ["不太想去", "下午五点关门", "离西湖近一点", "第3天上午"],
        "names that one in a hundred says": ["G1234", "G77 豪华型", "5000元"],
        "what is in all": ["的", "我 元"],
        "what nobody says": ["直升机", "helicopter"],
    }


def _store() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from webapp.catalogue.models import Task, World
    from webapp.catalogue.packs import pack_of
    from webapp.sessions.models import Run, Session
    from webapp.tables.models import Entry
    from webapp.tables.search import store_lines
    from webapp.tables.search_lines import SearchLine

    chance, now = random.Random(0), timezone.now()
    world, tasks = World.objects.get(name="starter"), list(Task.objects.all())
    cities = list(dict.fromkeys(city for task in tasks for city in task.cities))
    pack = pack_of(world)
    places = [place.name for city in pack.cities() for place in pack.places(city.name)]
    runs = [Run(id=f"r{n:05}", name=f"a run {n}") for n in range(50)]
    Run.objects.bulk_create(runs)
    for begin in range(0, COUNT, 5000):
        made, rows = [], []
        for number in range(begin, begin + 5000):
            task, run = chance.choice(tasks), chance.choice(runs)
            at = now - timedelta(seconds=chance.randrange(10**7))
            status = chance.choice(["finished"] * 8 + ["crashed", "queued"])
            agent = chance.choice(["reference", "llm", "react"])
            session = Session(
                id=f"s{number:07}",
                task=task,
                world=world,
                run=run,
                agent=agent,
                users="llm",
                status=status,
                created_at=at,
                model_use=[{"endpoint": "e", "latencies": [1.0] * 200}],
            )
            made.append(session)
            values = {"pc": chance.random(), "gf": 100 * chance.random(), "pv": float(chance.random() < 0.4)}
            rows.append(
                Entry(
                    session=session,
                    created_at=at,
                    started_at=at,
                    suite=session.suite,
                    status=status,
                    reason=chance.choice(["plan_generated", "max_turn_reached", "rate_limit"]),
                    origin=chance.choice(["", "", "", "re-run", "fork"]),
                    agent=agent,
                    model=f"model-{chance.randrange(6)}",
                    users="llm",
                    world="starter",
                    mode=chance.choice(["world", "isolated"]),
                    run=run.pk,
                    run_name=run.name,
                    task=task.task_id,
                    words=task.found_by,
                    cities=f"|{'|'.join(task.cities)}|",
                    difficulty=task.difficulty,
                    size=task.size,
                    planned=True,
                    rounds=chance.randrange(20),
                    events=chance.randrange(900),
                    seconds=chance.random() * 900,
                    tool_calls=chance.randrange(200),
                    tool_errors=chance.randrange(9),
                    requests=chance.randrange(200),
                    tokens=chance.randrange(10**6),
                    cost=chance.random(),
                    issues=chance.choice(["", "|missing_hotel|", "|time_overlap|missing_hotel|"]),
                    values={**values, "gu": 30 * chance.random(), "issues": float(chance.randrange(9))}
                    if status == "finished"
                    else {},
                )
            )
        Session.objects.bulk_create(made)
        Entry.objects.bulk_create(rows)
        store_lines(
            {
                one.pk: [
                    SearchLine("messages", seq, "Agent", "", text)
                    for seq, text in talk(chance, places, cities)
                ]
                for one in made
                if one.status != "queued"
            }
        )


if __name__ == "__main__":
    main()
