"""The steps from files to files: what models and runs said of requests becomes data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmark.inputs import open_unpacked
from benchmark.labelling.confirmation import confirmation_of
from benchmark.labelling.tables import read_table
from benchmark.making import Argument, FileStep, StepResult, Tools, answers_in
from benchmark.suites.travelbench.making.difficulty import RUNS, mean_calls
from benchmark.suites.travelbench.making.diversity import BALANCES, k_center_greedy, quotas_of
from benchmark.suites.travelbench.making.duplicates import ALIKE, near_duplicates
from benchmark.suites.travelbench.making.executability import CAUSES, MODELS, Verdict, verdict
from benchmark.suites.travelbench.making.profiles import leaks, other_profiles
from benchmark.suites.travelbench.making.records import runs_by_request
from benchmark.suites.travelbench.making.rows import Request, requests_in, row_of, write_rows
from benchmark.suites.travelbench.making.turns import turn_type
from benchmark.suites.travelbench.making.vectors import vectors_at

MOST_NAMED = 10
_PATH: Mapping[str, Any] = {"type": Path}
_REQUESTS = Argument(
    "requests", {**_PATH, "metavar": "REQUESTS.jsonl", "help": "Rows with the published fields"}
)
_RECORDS = Argument(
    "records",
    {
        **_PATH,
        "nargs": "+",
        "metavar": "RECORDS",
        "help": "Run records: published files, a record a line, or folders that export_run wrote",
    },
)
_OUT_ARGUMENT = Argument(
    "--out", {**_PATH, "required": True, "metavar": "FOLDER", "help": "Where the files go"}
)
_OUT_FILE = Argument(
    "--out", {**_PATH, "required": True, "metavar": "OUT.jsonl", "help": "Where the rows go"}
)


def _join_names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown}, …" if len(names) > MOST_NAMED else shown


def _write_files(
    folder: Path, sorted_: Mapping[str, Sequence[Mapping[str, Any]]], *inputs: Path
) -> dict[str, int]:
    """A file a name; how many rows each has."""
    folder.mkdir(parents=True, exist_ok=True)
    return {name: write_rows(folder / f"{name}.jsonl", rows, *inputs) for name, rows in sorted_.items()}


def _count_words(counts: Mapping[str, int], where: Path) -> str:
    return "\n".join([f"{count:>6,} {name}" for name, count in counts.items()] + [f"written into {where}"])


# Near duplicates.


def _drop_duplicates(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests, alike = requests_in(given["requests"]), given["alike"]
    if not 0 < alike <= 100:
        raise ValueError(f"--alike {alike:g}: give a similarity above 0, up to 100")
    duplicates = near_duplicates(
        [row.task.query for row in requests],
        alike,
        lambda done, whole: tools.progress(done, whole, "compared"),
    )
    dropped = {duplicate.row: duplicate for duplicate in duplicates}
    sorted_ = {
        "kept": [row_of(row) for at, row in enumerate(requests) if at not in dropped],
        "duplicates": [
            row_of(
                requests[duplicate.row],
                duplicate_of=requests[duplicate.of].key,
                similarity=duplicate.similarity,
            )
            for duplicate in duplicates
        ],
    }
    counts = _write_files(given["out"], sorted_, given["requests"])
    shown = [
        f"       {requests[duplicate.row].key} is nearly {requests[duplicate.of].key} ({duplicate.similarity:g}): "
        f"{requests[duplicate.row].task.query[:60]}"
        for duplicate in duplicates[:MOST_NAMED]
    ]
    more = [f"       … and {len(duplicates) - MOST_NAMED} more"] if len(duplicates) > MOST_NAMED else []
    return StepResult(counts, "\n".join([*shown, *more, _count_words(counts, given["out"])]))


DROP_DUPLICATES = FileStep(
    "drop-duplicates",
    "Keep the first of requests whose queries have nearly the same words; the others are named with the one kept",
    (
        _REQUESTS,
        Argument(
            "--alike",
            {
                "type": float,
                "default": ALIKE,
                "metavar": "PERCENT",
                "help": "From which similarity of the queries on, by default %(default)g; 100 for equal words alone",
            },
        ),
        _OUT_ARGUMENT,
    ),
    _drop_duplicates,
)


# Executability.


def _sort(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests = requests_in(given["requests"])
    answers = _by_request(given["answers"], requests)
    verdicts = {row.key: verdict(answers[row.key]) for row in requests}
    sorted_ = {
        fate: [row_of(row, **_flags(verdicts[row.key])) for row in requests if verdicts[row.key].fate == fate]
        for fate in ("solvable", "unsolvable", "doubtful", "dropped")
    }
    counts = _write_files(given["out"], sorted_, given["requests"], given["answers"])
    causes = Counter(verdict.cause for verdict in verdicts.values() if verdict.cause)
    return StepResult({**counts, "causes": dict(causes)}, _count_words(counts, given["out"]))


def _flags(verdict: Verdict) -> dict[str, bool]:
    return {flag: flag == verdict.cause for flag in CAUSES.values()}


def _by_request(path: Path, requests: Sequence[Request]) -> dict[str, list[dict[str, Any]]]:
    """The answers to each request, of as many models as are asked.

    Raises:
        ValueError: some requests have answers of fewer or more.
    """
    by_request: dict[str, dict[str, dict[str, Any]]] = {}
    for answer in answers_in(path):
        if not isinstance(answer.get("executable"), bool) or answer.get("cause") not in (None, *CAUSES):
            raise ValueError(
                f"{path}: the answer to {answer['key']} has no executable and cause; annotate anew"
            )
        by_request.setdefault(answer["key"], {})[answer["model"]] = answer
    if wrong := [row.key for row in requests if len(by_request.get(row.key, ())) != MODELS]:
        raise ValueError(
            f"{path}: {len(wrong)} requests have not {MODELS} models' answers ({_join_names(wrong)}); "
            "annotate them to the end, by the same models"
        )
    return {key: list(by_model.values()) for key, by_model in by_request.items()}


SORT = FileStep(
    "sort",
    "Sort requests by the three models' answers: solvable, unsolvable with its cause, doubtful (people decide the "
    "cause), dropped where the models disagree",
    (
        _REQUESTS,
        Argument("answers", {**_PATH, "metavar": "ANSWERS.jsonl", "help": "What annotate wrote"}),
        _OUT_ARGUMENT,
    ),
    _sort,
)


# Turn types.


def _label_turns(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests = requests_in(given["requests"])
    runs = runs_by_request(given["records"], "multi_turn")
    turns = {row.key: [run.turns for run in runs.get(row.identity, ())] for row in requests}
    types = {row.key: _each(turn_type, turns[row.key], row.key) for row in requests}
    sorted_ = {
        "single": [_without_profile(row) for row in requests if types[row.key] == "single"],
        "multi": [row_of(row) for row in requests if types[row.key] == "multi"],
        "dropped": [row_of(row) for row in requests if types[row.key] is None],
    }
    counts = _write_files(given["out"], sorted_, given["requests"], *given["records"])
    return StepResult(counts, _count_words(counts, given["out"]))


def _without_profile(row: Request) -> dict[str, Any]:
    """A single-turn task has none: nobody asks its user anything."""
    return {name: value for name, value in row_of(row).items() if name != "user_profile"}


def _each(rule: Any, values: Sequence[int], key: str) -> Any:
    try:
        return rule(values)
    except ValueError as error:
        raise ValueError(f"request {key}: {error}; play it again, or leave it out") from None


LABEL_TURNS = FileStep(
    "label-turns",
    "Sort solvable requests by six runs of the multi-turn loop (two models, three trials): single, multi, dropped",
    (_REQUESTS, _RECORDS, _OUT_ARGUMENT),
    _label_turns,
)


# Diversity.


def _choose(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests = requests_in(given["requests"])
    embed = partial(tools.embed, given["embedder"])
    texts = [row.task.query for row in requests]
    vectors = vectors_at(given["vectors"], texts, embed, tools.progress, given["embedder"])
    groups = [row.task.primary_intent for row in requests]
    quotas = quotas_of(groups, given["count"], given["balance"])
    chosen = k_center_greedy(
        vectors,
        given["count"],
        groups=groups,
        quotas=quotas,
        progress=lambda done, whole: tools.progress(done, whole, "chosen"),
    )
    write_rows(given["out"], (row_of(requests[row]) for row in chosen), given["requests"])
    counts, before = Counter(groups[row] for row in chosen), Counter(groups)
    words = "\n".join([f"{counts[name]:>6,} of {count:>6,} {name}" for name, count in before.most_common()])
    told = f"{len(chosen):,} of {len(requests):,} requests, in the order in which they were chosen: {given['out']}"
    result = {"chosen": len(chosen), "of": len(requests), "intents": dict(counts), "intents_of": dict(before)}
    return StepResult(result, f"{words}\n{told}")


CHOOSE = FileStep(
    "choose",
    "Choose the requests that differ the most (K-Center-Greedy over embeddings of the queries)",
    (
        _REQUESTS,
        Argument("--count", {"type": int, "default": 500, "help": "How many, by default %(default)s"}),
        Argument(
            "--balance",
            {
                "choices": BALANCES,
                "default": "share",
                "help": "Over primary_intent: each as large a part of the chosen as of all (share), all alike (even)",
            },
        ),
        Argument(
            "--embedder",
            {"choices": ("endpoint", "fields"), "default": "endpoint", "help": "fields: built in"},
        ),
        Argument(
            "--vectors",
            {
                **_PATH,
                "metavar": "FILE",
                "required": True,
                "help": "Where vectors are kept; a build that was broken off goes on there. An .npy file with a row "
                "a request is taken as it is",
            },
        ),
        _OUT_FILE,
    ),
    _choose,
)


# Profiles.


def _with_profiles(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests = requests_in(given["requests"])
    profiles = {
        answer["key"]: answer["user_profile"]
        for answer in answers_in(given["answers"])
        if "user_profile" in answer
    }
    if missing := [row.key for row in requests if row.task.user_profile and row.key not in profiles]:
        raise ValueError(
            f"{given['answers']}: no profile for {len(missing)} requests ({_join_names(missing)}); "
            "anonymise them to the end"
        )
    rows = [row_of(row, **_profile(row, profiles)) for row in requests]
    leaks_by_id = {row["trace_id"]: leaks(row.get("user_profile", "")) for row in rows}
    if told := [f"{key}: {kinds[0].kind} {kinds[0].text}" for key, kinds in leaks_by_id.items() if kinds]:
        raise ValueError(
            f"{len(told)} profiles still tell who somebody is ({_join_names(told)}); write them anew"
        )
    count = write_rows(given["out"], rows, given["requests"], given["answers"])
    return StepResult(
        {"rows": count, "profiles": len(profiles)}, f"{count:,} rows with new profiles: {given['out']}"
    )


def _profile(row: Request, profiles: Mapping[str, str]) -> dict[str, str]:
    return {"user_profile": profiles[row.key]} if row.task.user_profile else {}


WITH_PROFILES = FileStep(
    "with-profiles",
    "Put what anonymise wrote in the place of the profiles; people look through all of them afterwards",
    (
        _REQUESTS,
        Argument("answers", {**_PATH, "metavar": "PROFILES.jsonl", "help": "What anonymise wrote"}),
        _OUT_FILE,
    ),
    _with_profiles,
)


def _recombine(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests = requests_in(given["requests"])
    source = given["profiles"] or given["requests"]
    owners = {
        row.task.user_profile: row.key for row in reversed(requests_in(source)) if row.task.user_profile
    }
    profiles = list(reversed(owners))
    rows = [
        _with_new_profile(row, number, profile, owners[profile])
        for row in requests
        for number, profile in enumerate(
            other_profiles(row.task.user_profile, profiles, given["each"], given["seed"], row.key), 1
        )
    ]
    count = write_rows(given["out"], rows, given["requests"], source)
    words = f"{count:,} rows of {len(requests):,} requests and {len(profiles):,} profiles: {given['out']}"
    return StepResult({"rows": count, "requests": len(requests), "profiles": len(profiles)}, words)


def _with_new_profile(row: Request, number: int, profile: str, owner: str) -> dict[str, Any]:
    """The mean of tool calls was counted with the old profile."""
    changed = row_of(row, trace_id=f"{row.key}-{number}", user_profile=profile, profile_of=owner)
    return {name: value for name, value in changed.items() if name != "avg_tool_calls"}


RECOMBINE = FileStep(
    "recombine",
    "Combine each request with profiles of other users, drawn by a seed: more multi-turn tasks of the same requests",
    (
        _REQUESTS,
        Argument(
            "--profiles",
            {**_PATH, "metavar": "FILE", "help": "Rows with the profiles; by default those of the requests"},
        ),
        Argument("--each", {"type": int, "default": 1, "help": "Profiles a request, by default %(default)s"}),
        Argument("--seed", {"type": int, "default": 0, "help": "Of the draw, by default %(default)s"}),
        _OUT_FILE,
    ),
    _recombine,
)


# Difficulty.


def _difficulty(given: Mapping[str, Any], tools: Tools) -> StepResult:
    requests, wanted = requests_in(given["requests"]), given["runs"]
    runs = runs_by_request(given["records"])
    rows = []
    for row in requests:
        calls = [run.calls for run in runs.get(row.identity, ())]
        rows.append(row_of(row, avg_tool_calls=_each(partial(mean_calls, runs=wanted), calls, row.key)))
    count = write_rows(given["out"], rows, given["requests"], *given["records"])
    values = [row["avg_tool_calls"] for row in rows]
    told = {"rows": count, "least": min(values), "most": max(values), "mean": sum(values) / len(values)}
    words = f"{count:,} rows, {told['least']} to {told['most']} tool calls, mean {told['mean']:.2f}: {given['out']}"
    return StepResult(told, words)


DIFFICULTY = FileStep(
    "difficulty",
    "Write the mean number of tool calls of several models' runs into avg_tool_calls",
    (
        _REQUESTS,
        _RECORDS,
        Argument(
            "--runs", {"type": int, "default": RUNS, "help": "Runs of each request, by default %(default)s"}
        ),
        _OUT_FILE,
    ),
    _difficulty,
)


# People.


def _confirm(given: Mapping[str, Any], tools: Tools) -> StepResult:
    with open_unpacked(given["labels"]) as file:
        confirmation = confirmation_of(read_table(file, "nominal"))
    low, high, value = confirmation.share.low, confirmation.share.high, confirmation.share.value
    interval = None if low is None or high is None else [low, high]
    votes = [{"yes": yes, "of": of, "items": items} for (yes, of), items in confirmation.votes.items()]
    result = {
        "confirmed": confirmation.confirmed,
        "items": confirmation.items,
        "undecided": confirmation.undecided,
        "share": value,
        "interval": interval,
        "votes": votes,
    }
    shown = f"[{interval[0]:.4f}, {interval[1]:.4f}]" if interval else "–"
    share = "–" if value is None else f"{100 * value:.1f} %"
    confirmed = f"{confirmation.confirmed} of {confirmation.items} confirmed by the majority"
    words = [f"{confirmed}: {share}, 95 % interval {shown}"]
    words += [f"{vote['yes']}/{vote['of']} say yes: {vote['items']}" for vote in votes]
    words += [f"{confirmation.undecided} without a majority"] if confirmation.undecided else []
    return StepResult(result, "\n".join(words))


CONFIRM = FileStep(
    "confirm",
    "Tell how often people confirm labels, with the Clopper-Pearson interval, from the labels of a yes/no study",
    (Argument("labels", {**_PATH, "metavar": "LABELS.csv", "help": "What export_labels wrote, .gz too"}),),
    _confirm,
)
