"""Labels written by us and read again, and files that are refused."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.jsonlines import json_line
from benchmark.labelling.files.checks import ItemAnswers, ItemClues, Terms
from benchmark.labelling.files.exports import DecisionExport, ItemExport, LabelExport, StudyExport
from benchmark.labelling.files.label_studio import interface, rating_names, task
from benchmark.labelling.files.preferences import preference
from benchmark.labelling.files.read import FORMATS, format_of, read_labels
from benchmark.labelling.files.rows import COLUMNS, json_row, table_rows
from benchmark.labelling.files.table_in import FORMULAS
from benchmark.labelling.tables import BadTable, read_table
from benchmark.text.spelling import FieldSpellings
from webapp.spreadsheets import csv_text

PAIRS = StudyExport(
    id="s", name="S", kind="pairwise", suite="grouptravel", choices=("left", "right", "neither", "tie")
)
RUBRIC = StudyExport(
    id="r",
    name="R",
    kind="rubric",
    suite="grouptravel",
    scales=dict.fromkeys(("pacing", "tone"), range(1, 6)),
)
TERMS = Terms(PAIRS.choices, {}, {1: ItemClues("t1", "alpha", "beta"), 2: ItemClues("t2", "alpha", "beta")})
RUBRIC_TERMS = Terms((), RUBRIC.scales, {1: ItemClues("t1", "alpha")})
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
CELL = TEXT.filter(lambda text: not (text[:1] == "'" and text[1:].startswith(FORMULAS)))


def item(*labels: LabelExport, number: int = 1, **fields: Any) -> ItemExport:
    given = {"task": f"t{number}", "left_agent": "alpha", "right_agent": "beta", "left": "a", "right": "b"}
    return ItemExport(number=number, labels=labels, **{**given, **fields})


def read(path: Path, data: bytes | str, terms: Terms = TERMS, name: str = "") -> list[ItemAnswers]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_labels(path, terms, name=name)


def read_in_own_folder(data: bytes | str, name: str) -> list[ItemAnswers]:
    """The same, for properties, which have no folder of their own."""
    with TemporaryDirectory() as folder:
        return read(Path(folder) / name, data)


def problems(path: Path, data: bytes | str, terms: Terms = TERMS, name: str = "x.csv") -> list[str]:
    with pytest.raises(BadTable) as refused:
        read(path, data, terms, name)
    return [str(one) for one in refused.value.problems.problems]


@given(rationale=CELL, rater=st.sampled_from(["Ann", "=1+1", "-x", '李, "雷"', "+\u00e9"]))
def test_a_table_comes_back_with_commas_quotes_newlines_and_formulas(rationale: str, rater: str) -> None:
    label = LabelExport(
        rater=rater, choice="left", rationale=rationale, seconds=3.5, swapped=True, hurried=True
    )
    text = csv_text(COLUMNS, table_rows(item(label)))
    cells = next(csv.DictReader(StringIO(text, newline="")))
    assert not any(str(cell).startswith(("=", "+", "-", "@")) for cell in cells.values())
    [one] = read_in_own_folder(text, "labels.csv")
    [(line, back)] = one.labels
    assert (line, back.content, back.rater) == (2, label.content, rater)
    assert back.rationale == rationale
    assert (back.seconds, back.swapped, back.hurried) == (3.5, True, True)


@given(rationale=TEXT, note=TEXT, more=st.dictionaries(TEXT, TEXT | st.integers(-9, 9), max_size=3))
def test_json_lines_come_back_equal(rationale: str, note: str, more: dict[str, Any]) -> None:
    at = "2026-03-27T10:00:00+00:00"
    labels = (
        LabelExport(rater="Ann", rater_id="abc", choice="left", rationale=rationale, current=False, at=at),
        LabelExport(rater="Ann", rater_id="abc", choice="right", seconds=1.25, swapped=True, at=at),
        LabelExport(rater="Ann", rater_id="abc", choice="left", repeat=1, at=at),
        LabelExport(rater="m", rater_kind="pairwise", rater_key="m@1", choice="tie", more=more, at=at),
    )
    decision = DecisionExport(choice="neither", note=note, seen=[0, 1], at=at)
    whole = item(*labels, decisions=(decision,))
    [one] = read_in_own_folder(json_line(json_row(PAIRS, whole)), "labels.jsonl")
    assert [replace(label, source="page", counts=True) for _, label in one.labels] == list(labels)
    assert [back for _, back in one.decisions] == [decision]


def test_the_first_three_columns_are_what_agreement_reads(tmp_path: Path) -> None:
    labels = [LabelExport(rater=name, choice=choice) for name, choice in (("Ann", "left"), ("Bo", "neither"))]
    text = csv_text(COLUMNS, [row for at in (1, 2) for row in table_rows(item(*labels, number=at))])
    path = tmp_path / "labels.csv"
    path.write_text(text, newline="")
    with path.open("rb") as file:
        table = read_table(file, "nominal")
    assert (table.items, table.raters, table.labels) == (("1", "2"), ("Ann", "Bo"), ("A", "neither"))


def test_repeats_models_and_known_answers_stay_out_of_the_table_unless_asked_for() -> None:
    labels = (
        LabelExport(rater="Ann", choice="left"),
        LabelExport(rater="Ann", choice="right", repeat=1),
        LabelExport(rater="Ann", choice="tie", current=False),
        LabelExport(rater="m", rater_kind="judge", choice="left"),
    )
    assert [row["label"] for row in table_rows(item(*labels))] == ["A"]
    assert [row["label"] for row in table_rows(item(*labels), everything=True)] == ["A", "B", "A"]
    assert list(table_rows(item(*labels, purpose="gold"))) == []


def test_a_rubric_is_a_row_a_dimension_and_one_label_again(tmp_path: Path) -> None:
    label = LabelExport(rater="Ann", scores={"pacing": 4, "tone": 2}, rationale="ok")
    text = csv_text(COLUMNS, table_rows(item(label, right_agent="")))
    assert [line.split(",")[:3] for line in text.splitlines()[1:]] == [
        ["1#pacing", "Ann", "4"],
        ["1#tone", "Ann", "2"],
    ]
    [one] = read(tmp_path / "x.csv", text, RUBRIC_TERMS)
    [(_, back)] = one.labels
    assert (back.scores, back.rationale) == (label.scores, "ok")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,rater\n1,Ann\n", "line 1, label: not once in the first line"),
        ("item,rater,label\n9,Ann,A\n", "line 2, item: the study has no item 9; correct the number"),
        ("item,rater,label\nx,Ann,A\n", "line 2, item: 'x' is not a number"),
        (
            "item,rater,label\n1,Ann,C\n",
            "line 2, label: 'C' is no answer of this study; expected one of A, B",
        ),
        ("item,rater,label\n1,,A\n", "line 2, rater: empty; say who gave the label"),
        (
            "item,rater,label\n1,Ann,A\n\n1,Ann,A\n",
            "line 4, rater: Ann has a label for item 1 on line 2; keep one",
        ),
        ("item,rater,label,task\n1,Ann,A,t2\n", "line 2, task: 't2', but item 1 of this study has 't1'"),
        ("item,rater,label,agent_a\n1,Ann,A,beta\n", "line 2, agent_a: 'beta', but item 1 of this study has"),
        ("item,rater,label,seconds\n1,Ann,A,nan\n", "line 2, seconds: 'nan' is not a number of seconds"),
        ("item,rater,label,at\n1,Ann,A,today\n", "line 2, at: 'today' is no time with its zone"),
        ("item,rater,label\n1,Ann\n", "line 2: has 2 cells, the first line 3"),
        ('item,rater,label\n1,"Ann,A\n', "line 2: not CSV"),
        ("item,rater,label\n1,A\0nn,A\n", "line 2: holds a NUL character, which can't be stored; remove it"),
        (b"item,rater,label\n1,\xff,A\n", "line 2: not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_wrong_table_says_line_field_and_remedy(tmp_path: Path, text: bytes | str, told: str) -> None:
    [problem] = problems(tmp_path / "x.csv", text)
    assert problem.startswith(told)


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    found = problems(tmp_path / "x.csv", "item,rater,label\n9,Ann,A\n1,Ann,A\n1,Bo,Q\n")
    assert [one.split(":")[0] for one in found] == ["line 2, item", "line 4, label"]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{", "line 1: no JSON"),
        (
            '{"item": 1, "rater": "Ann", "label": "A"}',
            "line 1, labels: missing; give a list of what raters said of the item, such as",
        ),
        (
            '{"item": 1, "prompt": "Plan", "chosen": "x", "rejected": "y"}',
            "line 1, labels: missing: a preference pair does not tell who labelled; send the file of items",
        ),
        ('{"item": 1, "labels": []}\n[1]', "line 2: '[1]' is not a JSON object"),
        ("{}", "line 1, item: missing"),
        (
            '{"item": 1, "labels": [{"rater": "Ann", "label": "Z"}]}',
            "line 1, labels[0].label: 'Z' is no answer",
        ),
        (
            '{"item": 1, "labels": [{"rater": "A\\u0000", "label": "A"}]}',
            "line 1, labels[0].rater: holds the character NUL",
        ),
        (
            '{"item": 1, "labels": [{"rater": "A", "label": "A", "more": {"x": "\\u0000"}}]}',
            "line 1, labels[0].more.x: holds the character NUL",
        ),
        (
            '{"item": 1, "decisions": [{"label": "A"}, {"label": "B"}]}',
            "line 1, decisions[1].current: item 1 has two decisions",
        ),
    ],
)
def test_wrong_json_lines_say_line_and_path(tmp_path: Path, row: str, told: str) -> None:
    [problem] = problems(tmp_path / "x.jsonl", row, name="x.jsonl")
    assert problem.startswith(told)


def test_a_rubric_refuses_what_is_not_rated_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    assert problems(path, "item,rater,label\n1#pacing,Ann,4\n", RUBRIC_TERMS)[0].startswith(
        "line 2, label: no rating of tone; rate every dimension"
    )
    assert (
        "is no rating" in problems(path, "item,rater,label\n1#pacing,Ann,6\n1#tone,Ann,1\n", RUBRIC_TERMS)[0]
    )
    assert "is none of this study" in problems(path, "item,rater,label\n1#wit,Ann,4\n", RUBRIC_TERMS)[0]


def test_formats_are_told_apart() -> None:
    assert FORMATS == ("csv", "jsonl", "label-studio")
    assert format_of("x.csv.gz", b"") == "csv"
    assert format_of("export", b" [{}]") == "label-studio"
    assert format_of("export.json", b'{"item": 1}') == "jsonl"
    assert format_of("export", b"item,rater") == "csv"


# --- Label Studio


def studio(study: StudyExport, *items: ItemExport) -> str:
    rows = [task(study, one, prompt="Plan a trip", answers={"a": "Plan A", "b": "Plan B"}) for one in items]
    return json.dumps(rows)


@given(rationale=TEXT)
def test_label_studios_tasks_come_back_with_their_raters(rationale: str) -> None:
    labels = [LabelExport(rater="李雷", choice="left", rationale=rationale, seconds=4.0)]
    [one] = read_in_own_folder(studio(PAIRS, item(*labels)), "x.json")
    [(at, back)] = one.labels
    assert (at, back.rater, back.choice, back.seconds) == (1, "李雷", "left", 4.0)
    assert back.rationale == rationale


def test_ratings_come_back_by_dimension(tmp_path: Path) -> None:
    label = LabelExport(rater="Ann", scores={"pacing": 4, "tone": 2})
    [one] = read(tmp_path / "x.json", studio(RUBRIC, item(label, right_agent="")), RUBRIC_TERMS)
    assert one.labels[0][1].scores == {"pacing": 4, "tone": 2}
    assert rating_names(["odd name", "b"]) == {"odd name": "score_1", "b": "score_2"}


def test_what_label_studio_itself_exports_is_read(tmp_path: Path) -> None:
    """An export as its documentation shows it: users as numbers, moments with Z, skipped annotations."""
    result = {"from_name": "label", "to_name": "prompt", "type": "choices", "value": {"choices": ["B"]}}
    annotations = [
        {
            "id": 1,
            "completed_by": 10,
            "result": [result],
            "was_cancelled": False,
            "lead_time": 4.288,
            "created_at": "2021-03-09T22:16:08.728353Z",
        },
        {"id": 2, "completed_by": {"id": 3, "email": "bo@example.org"}, "result": [result]},
        {"id": 3, "completed_by": 11, "result": [], "was_cancelled": True},
    ]
    rows = [{"id": 99, "data": {"item": 2, "task": "t2"}, "annotations": annotations, "predictions": []}]
    [one] = read(tmp_path / "x.json", json.dumps(rows))
    assert [(label.rater, label.choice) for _, label in one.labels] == [
        ("Label Studio 10", "right"),
        ("bo@example.org", "right"),
    ]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            [{"id": 1, "label": "A", "item": 1}],
            "line 1, annotations: missing; export from Label Studio as JSON, not",
        ),
        ([{"data": {}, "annotations": []}], "line 1, data.item: missing"),
        (
            [{"data": {"item": 1}, "annotations": [{"result": [{"from_name": "sentiment", "value": {}}]}]}],
            "line 1, annotations[0].result: nothing named label",
        ),
    ],
)
def test_a_wrong_export_of_label_studio_says_task_and_path(tmp_path: Path, rows: Any, told: str) -> None:
    [problem] = problems(tmp_path / "x.json", json.dumps(rows), name="x.json")
    assert problem.startswith(told)


def test_models_are_predictions_and_people_annotations() -> None:
    labels = [
        LabelExport(rater="Ann", choice="left"),
        LabelExport(rater="m", rater_kind="pairwise", choice="tie"),
        LabelExport(rater="Ann", choice="tie", repeat=1),
    ]
    plans = {"a": "Plan A", "b": "Plan B"}
    told = task(PAIRS, item(*labels), prompt="p", answers=plans, number_raters={"Ann": 7})
    assert [one["completed_by"] for one in told["annotations"]] == [7]
    assert [one["model_version"] for one in told["predictions"]] == ["m"]
    assert (told["data"]["plan_a"], told["data"]["plan_b"]) == ("Plan A", "Plan B")
    assert "completed_by" not in task(PAIRS, item(*labels), prompt="p", answers=plans)["annotations"][0]


# --- one person, one item, one label


def studio_label(choice: str, by: Any = 1, **fields: Any) -> dict[str, Any]:
    result = {"from_name": "label", "to_name": "x", "type": "choices", "value": {"choices": [choice]}}
    return {"completed_by": by, "result": [result], **fields}


@pytest.mark.parametrize("second", ["A", "B"])
def test_two_annotations_of_one_person_are_one_problem(tmp_path: Path, second: str) -> None:
    """Whether they stand in one line, such as a copy that was submitted in Label Studio, or in two."""
    told = "has a label for item 1 on line 1; keep one of the two"
    tasks = [{"data": {"item": 1}, "annotations": [studio_label("A"), studio_label(second)]}]
    assert problems(tmp_path / "x.json", json.dumps(tasks), name="x.json") == [
        f"line 1, annotations[1].rater: Label Studio 1 {told}"
    ]
    labels = [{"rater": "Jos\u00e9", "label": "A"}, {"rater": "Jose\u0301\u200b", "label": second}]
    apart = [{"item": 1, "labels": [label]} for label in labels]
    for rows, where in (([{"item": 1, "labels": labels}], "line 1, labels[1]"), (apart, "line 2, labels[0]")):
        text = "\n".join(map(json.dumps, rows))
        assert problems(tmp_path / "x.jsonl", text, name="x.jsonl") == [f"{where}.rater: José {told}"]


def test_an_annotator_whose_id_is_told_once_with_a_name_is_one_person(tmp_path: Path) -> None:
    ann = {"id": 7, "first_name": "Ann", "email": "ann@example.org"}
    tasks = [
        {"data": {"item": 1}, "annotations": [studio_label("A", ann), studio_label("A", 7)]},
        {"data": {"item": 2}, "annotations": [studio_label("A", 7)]},
    ]
    told = "line 1, annotations[1].rater: Ann has a label for item 1 on line 1; keep one of the two"
    assert problems(tmp_path / "x.json", json.dumps(tasks), name="x.json") == [told]
    twice = [{"data": {"item": 1}, "annotations": [studio_label("A", by)]} for by in (ann, 7)]
    assert problems(tmp_path / "x.json", json.dumps(twice), name="x.json") == [
        "line 2, annotations[0].rater: Ann has a label for item 1 on line 1; keep one of the two"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "item,rater,label,purpose\n1,Ann,A,nomral\n"),
        ("x.jsonl", '{"item": 1, "purpose": "nomral", "labels": [{"rater": "Ann", "label": "A"}]}'),
        (
            "x.json",
            json.dumps([{"data": {"item": 1, "purpose": "nomral"}, "annotations": [studio_label("A")]}]),
        ),
    ],
)
def test_an_unknown_purpose_is_a_problem_and_keeps_no_label_out_in_silence(
    tmp_path: Path, name: str, text: str
) -> None:
    [problem] = problems(tmp_path / name, text, name=name)
    assert problem.startswith("line 1, purpose: 'nomral'" if name != "x.csv" else "line 2, purpose: 'nomral'")


@pytest.mark.parametrize(
    "at",
    [
        "0001-01-01T00:00:00+08:00",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59-12:00",
        "9999-12-31T23:59:59Z",
    ],
)
def test_a_moment_at_the_end_of_the_calendar_is_a_problem(tmp_path: Path, at: str) -> None:
    tasks = [{"data": {"item": 1}, "annotations": [studio_label("A", created_at=at)]}]
    [problem] = problems(tmp_path / "x.json", json.dumps(tasks), name="x.json")
    assert problem.startswith("line 1, annotations[0].at:") and "not within the years 1970 to 9998" in problem


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "item,rater,label\n"),
        ("x.csv", "item,rater,label\n  \n ,, \n"),
        ("x.json", "[]"),
        *((f"x.{ending}", text) for ending in ("csv", "jsonl", "json") for text in ("", " \n\n", "\ufeff\n")),
    ],
)
def test_a_file_without_a_label_is_refused(tmp_path: Path, name: str, text: str) -> None:
    [problem] = problems(tmp_path / "x", text, name=name)
    assert problem.startswith("line 1: ")


def test_names_that_look_alike_are_one_rater_and_that_is_told(tmp_path: Path) -> None:
    spellings = FieldSpellings()
    path = tmp_path / "x.csv"
    path.write_text("item,rater,label\n1,Jos\u00e9,A\n2, Jose\u0301 ,\u200bB\n", "utf-8")
    [one, two] = read_labels(path, TERMS, names=spellings)
    assert [label.rater for _, label in one.labels + two.labels] == ["José", "José"]
    assert two.labels[0][1].choice == "right"
    assert list(map(str, spellings.remarks)) == [
        r"rater, written in several ways and counted as one: 'Jos\xe9', ' Jose\u0301 '"
    ]


@pytest.mark.parametrize("other", ["Ann\u00a0Lee", "Ann\u3000Lee", "Ann Lee\u200e", "A\u00adnn Lee"])
def test_spaces_and_marks_that_nobody_sees_make_no_other_rater(tmp_path: Path, other: str) -> None:
    text = f"item,rater,label\u200b\n1,Ann Lee,A\n1,{other},B\n"
    [problem] = problems(tmp_path / "x.csv", text)
    assert "Ann Lee has a label for item 1 on line 2; keep one of the two" in problem
    with pytest.raises(BadTable, match="Ann Lee has a label for 1 on line 2"):
        read_table(BytesIO(text.encode()), "nominal")


def test_spellings_of_labels_tasks_and_agents_are_one_and_that_is_told(tmp_path: Path) -> None:
    spellings = FieldSpellings()
    rows = [
        {"item": 1, "task": "t1\u200b", "agent_a": "alpha ", "labels": [{"rater": "Ann", "label": "A"}]},
        {"item": 2, "task": "t2", "labels": [{"rater": "Ann", "label": "A\u200b"}]},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    read_labels(path, TERMS, names=spellings)
    joined = "written in several ways and counted as one:"
    assert list(map(str, spellings.remarks)) == [
        rf"task, {joined} 't1', 't1\u200b'",
        f"agent_a, {joined} 'alpha', 'alpha '",
        rf"label, {joined} 'A', 'A\u200b'",
    ]


# --- slightly better

SLIGHT_PAIRS = replace(PAIRS, slight=True)
SLIGHT_TERMS = replace(TERMS, slight=True)


def slight_item() -> ItemExport:
    labels = [
        LabelExport(rater="Ann", choice="left", slight=True),
        LabelExport(rater="Bo", choice="left", slight=True),
        LabelExport(rater="Cy", choice="right"),
    ]
    return replace(item(*labels, decisions=(DecisionExport(choice="left", slight=True),)), final="left")


def written_in(name: str) -> str:
    whole = slight_item()
    if name.endswith(".csv"):
        return csv_text(COLUMNS, table_rows(whole))
    if name.endswith(".jsonl"):
        return json_line(json_row(SLIGHT_PAIRS, whole)).decode()
    return json.dumps([task(SLIGHT_PAIRS, whole, prompt="", answers={})])


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.json"])
def test_slightly_better_comes_back_from_every_file(tmp_path: Path, name: str) -> None:
    [one] = read(tmp_path / name, written_in(name), SLIGHT_TERMS)
    said = [(label.rater, label.choice, label.slight) for _line, label in one.labels]
    assert said == [("Ann", "left", True), ("Bo", "left", True), ("Cy", "right", False)]
    decided = [(decision.choice, decision.slight) for _line, decision in one.decisions]
    assert decided == ([("left", True)] if name == "x.jsonl" else [])


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.json"])
def test_a_study_without_slightly_better_refuses_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadTable) as refused:
        read(tmp_path / name, written_in(name), TERMS)
    assert "no side is slightly better in this study; allow" in str(refused.value.problems.problems[0])


def test_neither_is_never_slightly_better(tmp_path: Path) -> None:
    text = "item,rater,label,strength\n1,Ann,neither,slight\n"
    [told] = problems(tmp_path / "x.csv", text, SLIGHT_TERMS)
    assert "line 2" in told and "only A or B can be slightly better, not 'neither'" in told


def test_files_of_before_have_the_strength_under_more(tmp_path: Path) -> None:
    row = {"item": 1, "labels": [{"rater": "Ann", "label": "A", "more": {"strength": "slight", "x": 1}}]}
    [one] = read(tmp_path / "x.jsonl", json.dumps(row), SLIGHT_TERMS)
    [(_line, label)] = one.labels
    assert (label.slight, label.more) == (True, {"x": 1})


def test_a_preference_tells_its_strength_as_decided_or_as_most_who_chose_it_say() -> None:
    sides = {"left": "l", "right": "r"}
    whole = slight_item()
    assert preference(whole, [], sides)["strength"] == "slight"
    plain = DecisionExport(choice="left")
    assert preference(replace(whole, decisions=(plain,), decided=True), [], sides)["strength"] == ""
    half = replace(whole, labels=[whole.labels[0], LabelExport(rater="Di", choice="left")])
    assert preference(half, [], sides)["strength"] == ""


def test_the_interface_offers_slightly_better_between_the_sides() -> None:
    offered = re.findall(r'<Choice value="([^"]+)"', interface(SLIGHT_PAIRS))
    assert offered[:4] == ["A", "slightly A", "slightly B", "B"]
    assert "slightly" not in interface(PAIRS)
