"""Texts that nobody means, put to everything that reads what travellers, agents and judges write."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchmark.judging import read_calibration, read_judgement
from benchmark.judging.citations import citations, ranges
from benchmark.suites.grouptravel.judging.rubric import RUBRIC
from benchmark.suites.grouptravel.scoring import Catalogue, scores_by_profile
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    Json,
    block,
    day,
    plan,
    record,
    sight,
    table,
)

LETTERS = 6_000
"""What takes the third power of a text's length, or more, takes many minutes over so many."""
TURNS = frozenset(range(1, 400, 2))
UNITS = {
    "want": "想",
    "want-all": "想我",
    "address": "@a",
    "addresses": "好吗？@a ",
    "user": "@User1",
    "han-number": "一",
    "number": "3 ",
    "number-word": "one ",
    "thousands": "1,",
    "parenthesis": "(",
    "brace": "{",
    "object": '{"',
    "quote": '"',
    "odd-quotes": '"“',
    "stop": "。",
    "question": "菜？",
    "me": "我",
    "not": "不",
    "hyphen": "-",
    "sight": "西湖",
    "city": "杭州",
    "capital": "Aa ",
    "turns": "[1-",
    "spaces": " ",
    "lines": "\n",
}
TEXTS = {
    **{name: (unit * LETTERS)[:LETTERS] for name, unit in UNITS.items()},
    "few-addresses": "@a" * 1_000,
    "far-range": f"[1-{' ' * LETTERS}]",
}


def records(text: str) -> Iterator[Json]:
    """Records in which the text stands wherever somebody may write what they like."""
    own = table(
        sights={"must_visit": ["西湖", "西湖边"], "reject_visit": ["灵隐寺"]},
        food={"prefer_eat": ["火锅"]},
        avg_budget=3000,
        intensity={"max_poi_per_day": 3, "max_active_hours": 1},
    )
    told = plan(day(block(sight("西湖"))))
    tables = {"User1": own, "User2": own}
    around = f"好吗？{text} 西湖、火锅{text}，预算3000元，每天3个景点{text}一二三3"
    for role in ("User1", "Agent"):
        for content in (text, around):
            given = record(told, tables, query=content, context=content)
            given["conversation_history"].append({"type": "message", "role": role, "content": content})
            yield given
    given = record(told, tables)
    given["effective_preferences"]["User2"]["role"] = text
    for entry in ({"type": "tool_result", "name": "search_poi", "result": text}, _claims(text)):
        given["conversation_history"].append(entry)
    yield given


def _claims(text: str) -> Json:
    """A message of the agent that speaks of a plan, so that one is looked for in it."""
    return {"type": "message", "role": "Agent", "content": f'{{"days" city_segments {text}'}


def answers(text: str) -> Iterator[str]:
    """Answers of a judge in which the text stands alone, as a key, as a rationale, and behind what is whole."""
    rating = {"score": 3, "rationale": f"[12] {text}", "turns": [text, 12]}
    whole = json.dumps(dict.fromkeys(RUBRIC.names, rating), ensure_ascii=False)
    yield from (text, f"{{{text}", f'{{"{text}":1}}', f'{{"hallucination": "{text}', f"[{text}", whole)
    yield whole.replace('\\"', '"')
    yield f"{whole} {text}"
    yield f"{whole[:-1]} {text}"


def read(name: str) -> None:
    """Have one text read by all."""
    text = TEXTS[name]
    for given in records(text):
        scores_by_profile(given, Catalogue({CITY: []}))
    for answer in answers(text):
        read_judgement(answer, RUBRIC.dimensions, TURNS)
    read_calibration(f'{{"reasoning": "{text}', TURNS)
    citations(text, [text], TURNS)
    list(ranges(text))
