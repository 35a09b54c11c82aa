"""`manage.py agreement` and `manage.py ceiling`."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

KEYS = {
    *("percent_agreement", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"),
    *("n_items", "n_raters", "reasons", "intervals"),
}


def run(*arguments: object, errors: StringIO | None = None) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=errors or StringIO())
    return out.getvalue()


def agreement(path: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("agreement", path, "--json", *options))
    assert set(found) - {"icc_2k"} == KEYS
    assert ("icc_2k" in found) == bool({"ordinal", "interval"}.intersection(options))
    return found


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Three raters of four items: 3-0, 2-1, 2-1, 3-0."""
    rows = [
        f"i{n},r{m},{label}"
        for n, word in enumerate(("xxx", "xxy", "yxy", "yyy"))
        for m, label in enumerate(word)
    ]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["item,rater,label", *rows]), encoding="utf-8")
    return path


def test_a_table_of_labels_gives_one_json_object(labels: Path) -> None:
    found = agreement(labels)
    assert found["percent_agreement"] == pytest.approx(8 / 12)
    assert found["cohen_kappa"] == pytest.approx({"r0|r1": 0.5, "r0|r2": 0.5, "r1|r2": 0.2})
    assert found["fleiss_kappa"] == pytest.approx(1 / 3)
    assert found["krippendorff_alpha"] == pytest.approx(1 - 11 * (2 / 3 + 2 / 3) * 3 / (2 * 6 * 6))
    assert found["gwet_ac1"] == pytest.approx(1 / 3)  # as kappa, where both labels are as frequent
    assert (found["n_items"], found["n_raters"], found["reasons"]) == (4, 3, {})
    low, high = found["intervals"]["percent_agreement"]
    assert low < found["percent_agreement"] < high
    assert set(found["intervals"]) == KEYS - {
        "cohen_kappa",
        "n_items",
        "n_raters",
        "reasons",
        "intervals",
    } | {f"cohen_kappa.{pair}" for pair in found["cohen_kappa"]}


def test_a_packed_table_is_read_too(labels: Path, tmp_path: Path) -> None:
    packed = tmp_path / "labels.csv.gz"
    packed.write_bytes(gzip.compress(labels.read_bytes()))
    assert agreement(packed) == agreement(labels)


def test_scales_of_numbers_take_their_distances_into_account(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    rows = ["a,r,1", "a,s,2", "b,r,4", "b,s,5", "c,r,1", "c,s,1"]
    path.write_text("\n".join(["item,rater,label", *rows]))
    nominal, ordinal, interval = (
        agreement(path, "--scale", one) for one in ("nominal", "ordinal", "interval")
    )
    assert nominal["krippendorff_alpha"] < ordinal["krippendorff_alpha"] < interval["krippendorff_alpha"]
    assert nominal["cohen_kappa"] == interval["cohen_kappa"]


def test_what_is_undefined_is_null_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("item,rater,label\na,r|1,x\nb,s,x\nc,s,x\nc,t,x\nd,t,\n")
    found = agreement(path)
    assert found["cohen_kappa"] == {"r\\|1|s": None, "r\\|1|t": None, "s|t": None}
    assert (found["fleiss_kappa"], found["krippendorff_alpha"], found["percent_agreement"]) == (
        None,
        None,
        1.0,
    )
    assert (found["n_items"], found["n_raters"]) == (4, 3)
    assert found["reasons"]["cohen_kappa.r\\|1|s"] == "no item is rated by both"
    assert found["reasons"]["cohen_kappa.s|t"].startswith("both give every item the same label")
    assert found["reasons"]["fleiss_kappa"].startswith("all ratings are the same label")
    assert set(found["reasons"]) == {
        *("fleiss_kappa", "krippendorff_alpha", "gwet_ac1"),
        *(f"cohen_kappa.{pair}" for pair in found["cohen_kappa"]),
    }


def test_one_rater_has_nobody_to_agree_with(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("item,rater,label\na,r,x\nb,r,y\n")
    found = agreement(path)
    assert (found["cohen_kappa"], found["percent_agreement"]) == ({}, None)
    assert found["reasons"]["cohen_kappa"] == "there is only one rater"
    assert found["reasons"]["percent_agreement"] == "no item has two ratings"


def test_items_that_fleiss_kappa_leaves_out_are_told_beside_the_json(labels: Path) -> None:
    labels.write_text(labels.read_text() + "\ni9,r0,x\ni9,r1,x\n")
    errors = StringIO()
    json.loads(run("agreement", labels, "--json", errors=errors))
    assert "Fleiss' kappa: items left out, with another number of ratings than 3: 1" in errors.getvalue()


def test_without_json_there_is_a_table(labels: Path) -> None:
    told = run("agreement", labels)
    assert told.startswith("4 items, 3 raters\n")
    for words in (
        "pairwise agreement",
        "66.7 %",
        "agreement of all raters",
        "50.0 %",
        "Cohen's kappa, r0|r1",
    ):
        assert words in told


def test_many_raters_have_their_pairs_counted_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    rows = [f"i{n},r{m:02},{'xy'[(n + m) % 2]}" for n in range(3) for m in range(8)]
    path.write_text("\n".join(["item,rater,label", *rows]))
    assert "pairs of raters not listed: 8; --json has all" in run("agreement", path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,rater\na,r\n", "l.csv: line 1, label: missing from the head"),
        ("item,rater,label\na,r,1\na,r,2\n", "l.csv: line 3, label: r has a label for a on line 2"),
        ("item,rater,label\na,r,x\nb,s,\n", "l.csv: line 2, label: 'x' is not a number"),
        ("", "l.csv: line 1: nothing in it"),
    ],
)
def test_a_table_that_cant_be_read_is_refused_with_line_field_and_remedy(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(CommandError, match=told) as refused:
        run("agreement", tmp_path / "l.csv", "--scale", "ordinal", "--json")
    assert refused.value.returncode == 2


def test_a_file_that_isnt_there_or_is_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv: No such file"):
        run("agreement", tmp_path / "none.csv")
    (tmp_path / "l.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(CommandError, match=rf"^{tmp_path}/l\.csv\.gz: can't be unpacked"):
        run("agreement", tmp_path / "l.csv.gz")


def test_the_ceiling_of_the_paper() -> None:
    found = json.loads(run("ceiling", "--classes", 3, "--pairwise", 0.7169, "--model", 0.6075, "--json"))
    assert found.pop("reasons") == {}
    assert found == pytest.approx(
        {"r": 0.8390, "r_model": 0.6948, "ratio": 0.8281, "all_agree": 0.5917}, abs=5e-5
    )


def test_a_ceiling_that_is_undefined_says_why() -> None:
    found = json.loads(run("ceiling", "--classes", 3, "--pairwise", 0.2, "--model", 0.6, "--json"))
    reasons = found.pop("reasons")
    assert set(found.values()) == {None} and set(reasons) == set(found) == {
        "r",
        "r_model",
        "ratio",
        "all_agree",
    }
    assert "less than by chance" in run("ceiling", "--classes", 3, "--pairwise", 0.2, "--model", 0.6)


def test_a_ceiling_in_words() -> None:
    told = run("ceiling", "--classes", 3, "--pairwise", 0.7169, "--model", 0.6075)
    assert "reliability of people (r)" in told and "0.8390" in told
    with translation.override("zh-hans"):
        assert "0.8390" in run("ceiling", "--classes", 3, "--pairwise", 0.7169)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((1, 0.5, 0.5), "--classes: a label has at least two"),
        ((3, 71.69, 0.5), "--pairwise: 71.69 is no share from 0 to 1"),
        ((3, 0.7, 60.75), "--model: 60.75 is no share from 0 to 1"),
    ],
)
def test_figures_that_are_no_shares_are_refused(options: tuple[float, ...], told: str) -> None:
    classes, pairwise, model = options
    with pytest.raises(CommandError, match=told) as refused:
        run("ceiling", "--classes", classes, "--pairwise", pairwise, "--model", model)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("row", "field", "ways"),
    [
        ("2,Jose\u0301,B", "rater", r"'Jos\xe9', 'Jose\u0301'"),
        ("2,Jos\u00e9\u200b,B", "rater", r"'Jos\xe9', 'Jos\xe9\u200b'"),
        ("2,Jos\u00e9,cafe\u0301", "label", r"'caf\xe9', 'cafe\u0301'"),
    ],
)
def test_names_and_labels_are_compared_composed_and_what_was_joined_is_said(
    tmp_path: Path, row: str, field: str, ways: str
) -> None:
    path, errors = tmp_path / "labels.csv", StringIO()
    path.write_text(f"item,rater,label\n1,Jos\u00e9,caf\u00e9\n1,b ,A\n{row}\n2, b,B\n", "utf-8")
    found = json.loads(run("agreement", path, "--json", errors=errors))
    assert found["n_raters"] == 2
    assert f"{field}, written in several ways and counted as one: {ways}" in errors.getvalue()


def test_two_spellings_of_one_rater_are_two_labels_of_one_item(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,rater,label\n1,Jos\u00e9,A\n1,Jose\u0301,B\n", "utf-8")
    with pytest.raises(CommandError, match="line 3, label: José has a label for 1 on line 2; keep one"):
        run("agreement", path)
