"""From the sessions of a run to the scores of its subsets, by the rules of a profile; runs and reports show both.

A session is a `Trial`: its values by key, among them the judge's score and its part by dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from benchmark.metrics import Averaging, Facets, Trial, Values, known_mean
from benchmark.suites.travelbench.modes import DIMENSIONS, SUBTASKS, Subtask, mode_of
from benchmark.suites.travelbench.scoring.aggregate import exact_overall, rounded_overall

JUDGE, UNSOLVED = "judge", "unsolved"
WHOLE = 100.0


def subset_of(facets: Facets) -> Subtask:
    """The subtask of a task; of a task that names none, that of single turns."""
    return next((subtask for subtask in SUBTASKS if facets.get("subtask") == subtask), "single")


def part_of(dimension: str) -> str:
    """The key of a session's final score in one dimension, 0 to 100."""
    return f"{JUDGE}.{dimension}"


def subset_score(trials: Sequence[Trial], subtask: Subtask, averaging: Averaging) -> float | None:
    """The final score of the sessions of one subset, 0 to 100; None where none is judged.

    For unsolvable tasks the share that was recognised. averaging: the profile's. `published` pools them,
    and takes the mean of the dimensions' means, each over the sessions that have it. `paper` takes the mean of the
    instances' scores, each over its trials (equations 3 to 6); there a judgement lacks no dimension.
    """
    if subtask == "unsolved":
        share = over_trials(trials, UNSOLVED, averaging)
        return None if share is None else WHOLE * share
    if not averaging.pooled:
        return over_trials(trials, JUDGE, averaging)
    judged = [trial.values for trial in trials if trial.values.get(JUDGE) is not None]
    if not judged:
        return None
    means = dimension_means(judged, subtask)
    return fmean(means.get(name, 0.0) for name in DIMENSIONS[mode_of(subtask)])


def over_trials(trials: Iterable[Trial], key: str, averaging: Averaging) -> float | None:
    """The mean of a value over sessions as the profile has it, of those that have it; None without any."""
    tasks: dict[str, list[float | None]] = {}
    for trial in trials:
        tasks.setdefault(trial.task, []).append(trial.values.get(key))
    return averaging.mean_over_tasks(tasks.values()).value


def dimension_means(judged: Iterable[Values], subtask: Subtask) -> Mapping[str, float]:
    """The mean final score of each dimension over the judged sessions that have it, 0 to 100."""
    sessions = [_dimensions(values, subtask) for values in judged]
    means = {
        name: known_mean([session.get(name) for session in sessions]) for name in DIMENSIONS[mode_of(subtask)]
    }
    return {name: mean for name, mean in means.items() if mean is not None}


def _dimensions(values: Values, subtask: Subtask) -> Values:
    """A session whose score tells no dimensions, such as a crash that counts 0, has that score in each."""
    names = DIMENSIONS[mode_of(subtask)]
    known = {name: values[part_of(name)] for name in names if values.get(part_of(name)) is not None}
    return known or dict.fromkeys(names, values.get(JUDGE))


def overall(scores: Iterable[float | None], averaging: Averaging) -> float | None:
    """The mean of the three subset scores, 0 to 100; `published` rounds each before. None where one lacks."""
    known = [score for score in scores if score is not None]
    if len(known) < len(SUBTASKS):
        return None
    return rounded_overall(known) if averaging.pooled else exact_overall(known)
