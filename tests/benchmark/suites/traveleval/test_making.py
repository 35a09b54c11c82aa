"""Queries that are made keep the paper's rules (appendix C), for any world and seed."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmark.jsonlines import json_line
from benchmark.making import Tools, Unusable, Vectors
from benchmark.suites.traveleval.making.core import rounded_budget
from benchmark.suites.traveleval.making.model_words import QueryRow, read_words, words_request
from benchmark.suites.traveleval.making.offer import offer_of
from benchmark.suites.traveleval.making.sets import DAYS, QueryOrder, made_queries, stratified_sample
from benchmark.suites.traveleval.making.steps import SAMPLE
from benchmark.suites.traveleval.tasks import STARTER, TASK_FILES, Query
from benchmark.suites.traveleval.tasks.rules import RULES, broken_rules
from benchmark.suites.traveleval.tasks.tags import TAG_SETS, english_city
from benchmark.suites.traveleval.world import Tables

OWN = QueryOrder(8, 12, 12, 4, seed=34, english=4, prefix="own-")
"""What the shipped queries were made by."""
WISHES = ("transportation", "accommodations", "diet", "attractions", "rhythm")
WORDS = ("nature_language", "nature_language_en")


def draw_queries(tables: Tables, seed: int, **counts: int) -> list[Query]:
    counts = counts or {"easy": 20, "medium": 40, "hard": 40, "groups": 15}
    order = QueryOrder(seed=seed)._replace(**counts)
    return [Query.model_validate(query) for query in made_queries(tables, order)]


@pytest.mark.parametrize("seed", range(4))
def test_no_rule_is_broken(starter: Tables, seed: int) -> None:
    queries = draw_queries(starter, seed)
    assert not [(query, [*broken_rules(query)]) for query in queries if [*broken_rules(query)]]
    assert len({query.uid for query in queries}) == len(queries) == 145
    assert queries == draw_queries(starter, seed) != draw_queries(starter, seed + 10)


def test_a_budget_is_one_that_its_class_allows(starter: Tables) -> None:
    possible = {"economy": (100, 500, 500), "medium": (500, 1000, 1200), "high": (1000, 5000, 2000)}
    for query in draw_queries(starter, 5):
        ends = [
            [rounded_budget((m * query.days + both) * query.people_number) for m in (low, high)]
            for low, high, both in possible.values()
        ]
        assert any(least <= query.budget <= most for least, most in ends)


@pytest.mark.parametrize(
    ("raw", "budget"),
    [(1249, 1000), (1250, 1500), (9749, 9500), (9900, 10000), (10999, 10000), (11000, 12000)],
)
def test_budgets_are_rounded_to_500_and_from_10000_on_to_2000(raw: int, budget: int) -> None:
    assert rounded_budget(raw) == budget


def test_levels_of_a_group_share_all_but_wishes_and_extend_each_other(starter: Tables) -> None:
    groups: dict[str, list[Query]] = {}
    for query in draw_queries(starter, 1, groups=60):
        groups.setdefault(query.group, []).append(query)
    for easy, medium, hard in groups.values():
        shared = [query.model_dump(exclude={"uid", "tag", *WISHES, *WORDS}) for query in (easy, medium, hard)]
        assert shared[0] == shared[1] == shared[2]
        assert (easy.tag, medium.tag, hard.tag) == ("easy", "medium", "hard")
        assert all({*own.preferences} == {*hard.tags[name].preferences} for name, own in medium.tags.items())
    assert len({*groups}) == 60


def test_half_of_the_hard_queries_and_groups_are_economy(starter: Tables) -> None:
    """By what a budget can be, as rounding may lift one into the next class."""
    queries = draw_queries(starter, 2, hard=100)
    frugal = [q for q in queries if q.budget <= rounded_budget((500 * q.days + 500) * q.people_number)]
    assert 50 <= len(frugal) <= 55


def test_days_are_in_the_papers_proportion(starter: Tables) -> None:
    assert Counter(query.days for query in draw_queries(starter, 3, easy=200)) == DAYS["easy"]
    assert Counter(query.days for query in draw_queries(starter, 3, groups=50)) == {
        days: 3 * round(count / 3) for days, count in DAYS["groups"].items()
    }


def test_wishes_suit_who_travels_and_what_there_is(starter: Tables) -> None:
    suggested = Counter[str]()
    for query in draw_queries(starter, 4, medium=200, hard=200):
        people, wanted = query.people_composition, {n: {*own.preferences} for n, own in query.tags.items()}
        offer = offer_of(starter, query.start_city, query.target_city)
        assert all(tags <= {*offer[name]} for name, tags in wanted.items())
        assert not any({*own.preferences} & {*own.constraints} for own in query.tags.values())
        suggested[f"{people.seniors > 0} {'慢游' in wanted.get('rhythm', ())}"] += 1
        if people.children or people.seniors:
            assert not {"特种兵式", "骑行"} & set().union(*wanted.values())
        fast = {"高铁", "飞机"} & {*offer["transportation"]}
        assert not fast <= {*query.transportation.constraints} or not fast
    assert suggested["True True"] > suggested["True False"]


def test_words_say_all_that_a_query_holds(starter: Tables) -> None:
    for query in draw_queries(starter, 6):
        chinese, english = query.nature_language, query.nature_language_en
        assert (
            f"{query.days}天" in chinese
            and f"{query.budget:.0f}元" in chinese
            and query.start_city in chinese
        )
        assert f"{query.days} days" in english and f"{query.budget:,.0f} RMB" in english
        assert (
            english_city(query.target_city) in english and english[-1] == "." and "$" not in english + chinese
        )
        for category in ("accommodations", "diet", "attractions"):
            own = getattr(query, category)
            for tag in (*own.preferences, *own.constraints):
                assert tag.replace("/", "或") in chinese and TAG_SETS[category][tag] in english


def test_a_sample_has_its_share_of_each_stratum(starter: Tables) -> None:
    queries = draw_queries(starter, 7, easy=200, medium=400, hard=400)
    sample = stratified_sample(queries, 250, 1)
    assert len(sample) == len({query.uid for query in sample}) == 250
    of = Counter((query.tag, query.days) for query in queries)
    got = Counter((query.tag, query.days) for query in sample)
    assert all(abs(got[key] - count / 4) < 1 for key, count in of.items())
    assert sample == stratified_sample(queries, 250, 1) != stratified_sample(queries, 250, 2)
    with pytest.raises(ValueError, match="ask for 1 to 1000"):
        stratified_sample(queries, 1001, 1)


def test_the_shipped_queries_are_still_what_the_generator_makes(starter: Tables) -> None:
    [path] = STARTER
    rows = [read.raw for read in TASK_FILES.whole(path)]
    assert rows == [*made_queries(starter, OWN)], "make them again (docs/making-traveleval.md), and read them"
    queries = [Query.model_validate(row) for row in rows]
    assert len(queries) >= 40 and sum(query.language == "en" for query in queries) * 4 == len(queries)
    assert {query.tag for query in queries} == {"easy", "medium", "hard"}


# Words by a model, and samples.


def made_row(tables: Tables) -> QueryRow:
    raw = next(made_queries(tables, OWN))
    return QueryRow(TASK_FILES.task(raw), raw)


def test_a_model_is_told_all_but_the_words_and_its_own_are_read(starter: Tables) -> None:
    row = made_row(starter)
    query, raw = row.task, row.raw
    asked = str(words_request(row).messages)
    assert query.start_city in asked and raw["nature_language"] not in asked
    english = raw["nature_language_en"]
    told = dict(
        zip(WORDS, (f"说：{english}{query.start_city}{query.target_city}", f"Said: {english}"), strict=True)
    )
    assert read_words(row, f"```json\n{json.dumps(told)}\n```") == told


@pytest.mark.parametrize(
    "answer",
    ["no JSON", '{"nature_language": "去杭州"}', '{"nature_language": "玩", "nature_language_en": "x"}'],
)
def test_words_that_leave_something_out_can_not_be_used(starter: Tables, answer: str) -> None:
    with pytest.raises(Unusable, match=r"no JSON object|lacks"):
        read_words(made_row(starter), answer)


def test_journeys_start_from_the_earlier_day_on(starter: Tables) -> None:
    with pytest.raises(ValueError, match="the earlier day first"):
        next(made_queries(starter, OWN._replace(first=date(2026, 1, 1))))


def test_a_sample_is_written_as_the_queries_stand_in_their_files(starter: Tables, tmp_path: Path) -> None:
    path, out = tmp_path / "queries.jsonl", tmp_path / "sample.jsonl"
    rows = [*made_queries(starter, OWN)]
    path.write_bytes(b"".join(map(json_line, rows)))
    given = {"files": [path], "count": 11, "seed": 1}
    made = SAMPLE.work({**given, "out": out}, Tools(lambda done, of, what: None, no_vectors))
    drawn = [read.raw for read in TASK_FILES.whole(out)]
    assert len(drawn) == sum(made.result.values()) == 11 and all(row in rows for row in drawn)
    with pytest.raises(ValueError, match=r"queries\.jsonl"):
        SAMPLE.work({**given, "out": path}, Tools(lambda done, of, what: None, no_vectors))


def no_vectors(embedder: str, texts: Any) -> Vectors:
    raise AssertionError(embedder)


@pytest.mark.reference
def test_the_published_files_break_the_rules_of_rounding_and_tags(reference: Path) -> None:
    queries = [
        read.task
        for path in TASK_FILES.in_folder(reference / "traveleval")
        for read in TASK_FILES.whole(path)
    ]
    broken = Counter(name for query in queries for name in broken_rules(query))
    assert broken["rounding"] == 755 and broken["known_tags"] > 0 and {*broken} <= {*RULES}
