"""Options of a benchmark: what can be chosen, what is refused, and what stands where nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.base import (
    Follows,
    Option,
    OptionRefused,
    Options,
    check_between,
    fill_options,
    read_options,
    read_pairs,
)
from benchmark.suites.base.options import Value

RULES = Option(key="rules", label="Rules", default="loose", values={"loose": "loose", "tight": "tight"})
REPEATS = Option(
    key="repeats",
    label="Repeats",
    default=Follows("rules", {"loose": "never", "tight": "often"}, "as the rules say"),
    values={"never": "never", "often": "often"},
)
QUEUE = Option(key="queue", label="Queue", default=True)
STOPS = Option(key="stops", label="Stops", default=20)
BASE = Option(key="base", label="Base", default=0.5)
CITY = Option(key="city", label="City", default="")
ALL = (RULES, REPEATS, QUEUE, STOPS, BASE, CITY)
VALUES = st.one_of(st.booleans(), st.integers(-(10**17), 10**17), st.floats(), st.text(), st.none())
KEYS = st.from_regex("[a-z][a-z0-9_]{0,9}", fullmatch=True)


def test_defaults_stand_where_nothing_is_chosen() -> None:
    options = read_options(ALL, {})
    assert options == {
        "rules": "loose",
        "repeats": "never",
        "queue": True,
        "stops": 20,
        "base": 0.5,
        "city": "",
    }
    with pytest.raises(TypeError):
        options["stops"] = 3  # type: ignore[index]


def test_a_default_may_depend_on_another_option() -> None:
    assert read_options(ALL, {"rules": "tight"})["repeats"] == "often"
    assert read_options(ALL, {"rules": "tight", "repeats": "never"})["repeats"] == "never"


@pytest.mark.parametrize(
    ("option", "words", "value"),
    [
        (QUEUE, "True", True),
        (QUEUE, "false", False),
        (STOPS, " -3 ", -3),
        (BASE, "3", 3.0),
        (BASE, 2, 2.0),
        (CITY, "a=b, 上海", "a=b, 上海"),
    ],
)
def test_words_are_read_by_the_type_of_the_default(option: Option, words: object, value: Value) -> None:
    read = option.read(words)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("key", "given_value", "remedy"),
    [
        ("rules", "Tight", "can't be “Tight”; choose one of loose, tight"),
        ("queue", "yes", "can't be “yes”; write true or false"),
        ("queue", 1, "write true or false"),
        ("stops", "3.5", "write a whole number"),
        ("stops", True, "write a whole number"),
        ("stops", "9" * 5000, "write a whole number"),
        ("base", "nan", "write a number"),
        ("base", "1e999", "write a number"),
        ("base", True, "write a number"),
        ("city", "a\0b", "without control characters"),
        ("city", 3, "write a text"),
        ("depth", "3", "there is no option depth; choose one of rules, repeats, queue, stops, base, city"),
    ],
)
def test_a_refusal_names_key_value_and_remedy(key: str, given_value: object, remedy: str) -> None:
    with pytest.raises(OptionRefused, match=remedy) as refusal:
        read_options(ALL, {key: given_value})
    assert refusal.value.key == key
    assert len(str(refusal.value)) < 200


def test_a_benchmark_without_options_says_so() -> None:
    with pytest.raises(OptionRefused, match="this benchmark has none"):
        read_options((), {"rules": "tight"})


def test_what_was_stored_before_an_option_was_there_gets_its_default() -> None:
    stored: Options = {"rules": "tight", "gone": 3}
    assert fill_options((RULES, REPEATS), stored) == {"rules": "tight", "repeats": "often"}


@pytest.mark.parametrize("key", ["", "Rules", "a b", "1a", "a-b", "a" * 41])
def test_a_key_is_a_plain_word(key: str) -> None:
    with pytest.raises(ValueError, match="is no key"):
        Option(key=key, label="", default=True)


def test_a_default_is_one_of_the_values() -> None:
    with pytest.raises(OptionRefused):
        Option(key="rules", label="", default="other", values={"loose": "loose"})
    with pytest.raises(ValueError, match="only texts"):
        Option(key="stops", label="", default=3, values={"3": "three"})


@given(st.dictionaries(KEYS, st.text()))
def test_pairs_are_read_as_they_are_written(options: dict[str, str]) -> None:
    assert read_pairs(f"{key}={value}" for key, value in options.items()) == options


@given(st.text())
def test_any_word_is_a_pair_or_is_refused(word: str) -> None:
    try:
        pairs = read_pairs([word])
    except OptionRefused as refusal:
        assert "KEY=VALUE" in str(refusal)
    else:
        assert [f"{key}={value}" for key, value in pairs.items()] == [word]


@given(
    st.sampled_from(ALL),
    st.one_of(st.booleans(), st.integers(-(10**17), 10**17), st.floats(), st.text(), st.none()),
)
def test_any_value_is_of_the_options_type_or_is_refused(option: Option, value: object) -> None:
    try:
        read = option.read(value)
    except OptionRefused as refusal:
        assert refusal.key == option.key
    else:
        assert type(read) is option.type
        assert option.read(str(read)) == read


def test_a_key_that_is_given_twice_is_refused() -> None:
    with pytest.raises(OptionRefused, match="rules is given twice"):
        read_pairs(["rules=loose", "rules=tight"])


def test_an_option_may_refuse_values_of_its_type_and_says_the_remedy() -> None:
    few = Option(key="few", label="Few", default=1, check=check_between(0, 3))
    assert few.read("3") == 3
    with pytest.raises(OptionRefused, match="option few can't be “4”; write a number from 0 to 3"):
        read_options([few], {"few": 4})
    with pytest.raises(OptionRefused):
        Option(key="few", label="Few", default=9, check=check_between(0, 3))
