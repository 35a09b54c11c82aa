"""What packs keep beside their records, for one source or one toolset."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from sandbox.extras import declared_extras
from sandbox.toolsets import TOOLSETS
from sandbox.toolsets.base import Toolset
from sandbox.worlds import ExtraKind, PackBuilder, World, WorldError, open_world
from sandbox.worlds.check import check_extras
from sandbox.worlds.extras import AnyKind, ExtraCount, declare
from tests.sandbox.conftest import CITIES, RECORDS

HASH_OF_THE_RECORDS = "5668608e6b50352d445819e10a5a3c3f256953d9f4a5a259ea98ccc494f61bcc"
"""Of packs without extras, in whatever format they are."""


class Room(BaseModel):
    size: float
    window: bool | None = None


class Product(BaseModel):
    id: str
    price: float = 0
    rooms: tuple[Room, ...] = ()


class Ticket(BaseModel):
    id: str


PRODUCTS = ExtraKind("toy", "products", Product)
TICKETS = ExtraKind("toy", "tickets", Ticket)
KINDS = (PRODUCTS, TICKETS)
KeptEntry = tuple[AnyKind, str, BaseModel]
SOME: tuple[KeptEntry, ...] = (
    (PRODUCTS, "hz-h1", Product(id="b", price=99.5, rooms=(Room(size=20, window=False),))),
    (TICKETS, "hz-a1", Ticket(id="门票")),
    (PRODUCTS, "hz-h1", Product(id="a")),
    (PRODUCTS, "hz-h2", Product(id="c")),
)


def build(path: Path, extras: Iterable[KeptEntry], kinds: Iterable[AnyKind] = KINDS) -> str:
    with PackBuilder(path, "w", "s", extras=kinds) as builder:
        builder.add_all(RECORDS)
        for extra in extras:
            builder.add_extra(*extra)
        return builder.finish({})


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    build(tmp_path / "w.pack", SOME)
    return tmp_path / "w.pack"


def spoil(pack: Path, statement: str, *values: str) -> World:
    with closing(sqlite3.connect(pack)) as database, database:
        database.execute(statement, values)
    return open_world(pack)


def test_extras_come_back_under_their_keys_in_their_order(pack: Path) -> None:
    world = open_world(pack)
    assert world.extra(PRODUCTS, "hz-h1") == (SOME[0][2], SOME[2][2])
    assert world.extra(TICKETS, "hz-a1") == (Ticket(id="门票"),)
    assert world.extra(TICKETS, "hz-h1") == () and world.extra(PRODUCTS, "") == ()
    assert world.extra_counts() == (ExtraCount("toy", "products", 2, 3), ExtraCount("toy", "tickets", 1, 1))
    assert check_extras(world, declare(KINDS)) == []


KEYS = st.sampled_from(["", "杭州市", "a b", "a\x00b"])
PRODUCT = st.builds(
    Product,
    id=st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    price=st.floats(allow_nan=False, allow_infinity=False),
    rooms=st.lists(st.builds(Room, size=st.floats(0, 99), window=st.sampled_from([None, True, False]))).map(
        tuple
    ),
)
ENTRIES = st.one_of(
    st.tuples(st.just(PRODUCTS), KEYS, PRODUCT),
    st.tuples(st.just(TICKETS), KEYS, st.builds(Ticket, id=st.text("甲乙", max_size=2))),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(ENTRIES, max_size=8), st.randoms(use_true_random=False))
def test_any_extras_come_back_and_their_hash_depends_on_the_order_under_a_key_alone(
    added: list[KeptEntry], chance: random.Random
) -> None:
    expected: dict[tuple[AnyKind, str], tuple[BaseModel, ...]] = {}
    for kind, key, entry in added:
        expected[kind, key] = (*expected.get((kind, key), ()), entry)
    groups = list(expected)
    chance.shuffle(groups)
    regrouped = [(*group, entry) for group in groups for entry in expected[group]]
    with TemporaryDirectory() as folder:
        first, second = (Path(folder, name) for name in ("a.pack", "b.pack"))
        assert build(first, added) == build(second, regrouped)
        world = open_world(first)
        assert {group: world.extra(*group) for group in expected} == expected
        assert sum(count.entries for count in world.extra_counts()) == len(added)
        world.close()


def test_the_hash_is_that_of_the_records_where_there_are_no_extras(tmp_path: Path) -> None:
    assert build(tmp_path / "a.pack", (), kinds=()) == HASH_OF_THE_RECORDS
    assert build(tmp_path / "b.pack", ()) == HASH_OF_THE_RECORDS
    kept = {build(tmp_path / "c.pack", SOME[:n]) for n in range(1, 5)}
    assert len(kept | {HASH_OF_THE_RECORDS}) == 5
    assert build(tmp_path / "d.pack", SOME[::-1]) not in kept, "the order under a key counts"


@pytest.mark.parametrize("version", ["caravan-world-4", "caravan-world-3"])
def test_packs_of_the_formats_before_have_no_extras(tmp_path: Path, tiny_pack: Path, version: str) -> None:
    path = tmp_path / "old.pack"
    shutil.copy(tiny_pack, path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE extra")
        database.execute("DELETE FROM meta WHERE key = 'extras'")
        database.execute("UPDATE meta SET value = ? WHERE key = 'format'", (version,))
    world = open_world(path)
    assert world.pack_hash == HASH_OF_THE_RECORDS and world.search("杭州", "火锅").total == 3
    assert (world.extra(PRODUCTS, "hz-h1"), world.extra_counts()) == ((), ())
    assert check_extras(world, declare(KINDS)) == []


class OtherProduct(Product):
    pass


@pytest.mark.parametrize(
    ("kind", "entry", "message"),
    [
        (ExtraKind("toy", "rooms", Room), Room(size=1), r"toy\.rooms .*declare it \(declared: toy\.products"),
        (ExtraKind("other", "products", Product), Product(id="a"), r"other\.products is no kind"),
        (ExtraKind("toy", "products", Room), Room(size=1), r"toy\.products is no kind"),
        (PRODUCTS, Ticket(id="a"), r"'hz-h1', entry 0: it is Ticket, not Product"),
        (PRODUCTS, OtherProduct(id="a"), "would not come back"),
        (PRODUCTS, Product(id="a", price=float("nan")), r"entry 0: it can't be stored: price: "),
        (PRODUCTS, Product(id="\ud83d"), "entry 0: it can't be stored"),
    ],
)
def test_what_is_not_of_a_declared_kind_is_refused(
    tmp_path: Path, kind: ExtraKind[Any], entry: BaseModel, message: str
) -> None:
    with pytest.raises(WorldError, match=message):
        build(tmp_path / "w.pack", [(kind, "hz-h1", entry)])
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_no_file_holds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"toy\.products of '\\ud83d', entry 0"):
        build(tmp_path / "w.pack", [(PRODUCTS, "\ud83d", Product(id="a"))])


@pytest.mark.parametrize("names", [("", "a"), ("Toy", "a"), ("toy", "a b"), ("toy", "a.b")])
def test_a_kind_has_plain_names(names: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="use small letters"):
        ExtraKind(*names, Product)


def test_one_name_is_not_declared_with_two_models() -> None:
    assert declare([PRODUCTS, ExtraKind("toy", "products", Product)]) == {("toy", "products"): PRODUCTS}
    with pytest.raises(ValueError, match=r"toy\.products is declared with two models"):
        declare([PRODUCTS, ExtraKind("toy", "products", Ticket)])


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('{"id": "a", "rooms": [{"size": "large"}]}', "rooms.0.size: "),
        ("{}", "id: Field required"),
        ("[", "entry: "),
    ],
)
def test_an_entry_off_its_model_is_named_with_its_field(pack: Path, body: str, problem: str) -> None:
    world = spoil(pack, "UPDATE extra SET body = ? WHERE key = 'hz-h1' AND seq = 1", body)
    with pytest.raises(WorldError) as caught:
        world.extra(PRODUCTS, "hz-h1")
    (finding,) = check_extras(world, declare(KINDS))
    assert (finding.severity, finding.kind) == ("error", "wrong_extra")
    assert finding.place == "toy.products of 'hz-h1', entry 1" and finding.message.startswith(problem)
    assert str(caught.value) == f"{finding.place}: {finding.message}"
    assert finding.message.endswith("import the world again")
    assert world.extra(PRODUCTS, "hz-h2") == (Product(id="c"),)


def test_a_kind_that_this_version_does_not_know_is_told_and_hinders_nobody(pack: Path) -> None:
    world = open_world(pack)
    (finding,) = check_extras(world, declare([TICKETS]))
    assert (finding.severity, finding.kind, finding.place) == ("warning", "unknown_extra", "toy.products")
    assert "3 entries" in finding.message and "use the version that made the world" in finding.message
    assert world.search("杭州", "火锅").total == 3 and world.extra(TICKETS, "hz-a1")


def _toolset(kind: AnyKind) -> Toolset:
    return Toolset(name="toy", tools={}, coordinates="lon,lat", extras=(kind,))


def test_a_toolset_declares_its_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {owner for owner, _ in declared_extras()} == {"china10", "tripbench"}
    monkeypatch.setitem(TOOLSETS, "toy", _toolset(PRODUCTS))
    assert declared_extras()["toy", "products"] == PRODUCTS
    with pytest.raises(ValueError, match=r"declares china10\.hotels: give it the owner 'toy'"):
        _toolset(declared_extras()["china10", "hotels"])


def test_a_tool_reads_what_a_world_has_for_sale_and_makes_it_where_it_has_nothing(
    pack: Path, tiny_world: World
) -> None:
    """As a benchmark with products will: those of the world, else seeded by the id of the place."""

    def products(world: World, place: str) -> Mapping[str, float]:
        kept = world.extra(PRODUCTS, place) or (
            Product(id=f"{place}-1", price=random.Random(place).random()),
        )
        return {product.id: product.price for product in kept}

    world = open_world(pack)
    assert products(world, "hz-h1") == {"b": 99.5, "a": 0}
    assert products(world, "hz-r1") == products(tiny_world, "hz-r1") != products(world, "hz-r2")


def test_whoever_reads_no_extras_reads_as_much_of_the_file_as_before(tmp_path: Path) -> None:
    """Opening and searching touch no page of the table, which may be far larger than the rest."""
    build(tmp_path / "w.pack", [(TICKETS, CITIES[0].name, Ticket(id="x" * 1000))] * 300)
    world = open_world(tmp_path / "w.pack")
    asked: list[str] = []
    world._database.set_trace_callback(asked.append)
    assert world.search("杭州", "火锅").total == 3 and list(world.places("杭州")) and world.extra_counts()
    assert asked and not any("extra" in statement for statement in asked)
