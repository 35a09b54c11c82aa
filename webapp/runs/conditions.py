"""What was run, as far as a run, its sessions and their logs tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Count, Max, Min, QuerySet, Sum, TextField
from django.db.models.functions import Cast
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from benchmark.reports.conditions import conditions_in, option_condition, unlike
from benchmark.suites import suite_named
from benchmark.suites.base import Option
from webapp.endpoints.choice import kind_words
from webapp.prompts.choice import set_words
from webapp.runs.cast import cast_of
from webapp.runs.selectors import played_in
from webapp.sessions.models import Event, ModelSpending, Run, Score, Session
from webapp.wording.lists import join_items
from webapp.wording.options import option_name, option_value
from webapp.wording.tools import mode_words

SETUP_FIELDS = (
    *("temperature", "top_p", "seed", "max_tokens", "thinking"),
    *("tools", "json_mode", "context_limit"),
)
"""What of a model's setup shapes its answers."""
CONDITION_WORDS: Mapping[str, Promise] = {
    "agent": gettext_lazy("agent, scaffold"),
    "agent_model": gettext_lazy("its model"),
    "agent_prompts": gettext_lazy("its set of prompts"),
    "users": gettext_lazy("travellers"),
    "user_model": gettext_lazy("their model"),
    "user_prompts": gettext_lazy("their set of prompts"),
    "seats": gettext_lazy("travellers chosen individually"),
    "simulator_model": gettext_lazy("model that simulates tools"),
    "simulator_prompts": gettext_lazy("set of prompts of that model"),
    "collection": gettext_lazy("collections (tasks)"),
    "tasks_digest": gettext_lazy("digest of the tasks"),
    "world": gettext_lazy("world"),
    "pack_hash": gettext_lazy("hash of the world"),
    "toolset": gettext_lazy("tools"),
    "mode": gettext_lazy("sandbox"),
    "cache": gettext_lazy("cache"),
    "seed": gettext_lazy("seed of the first trial"),
    "trials": gettext_lazy("trials"),
    "prompts": gettext_lazy("versions of prompts"),
    "scoring": gettext_lazy("code of the scores"),
    "created": gettext_lazy("set up"),
    "started": gettext_lazy("first session started"),
    "finished": gettext_lazy("last session ended"),
    "commit": gettext_lazy("commit of the code"),
    "cost": gettext_lazy("cost"),
    "tokens": gettext_lazy("tokens"),
}
"""What each condition is called."""
_VALUE_WORDS: Mapping[str, Callable[[str], str]] = {
    "agent": kind_words,
    "users": kind_words,
    "mode": mode_words,
}
"""How forms call the values of the conditions that are chosen there."""
_PROMPTS_OF = {"agent_prompts": "agent", "user_prompts": "users", "simulator_prompts": "simulator"}
"""Whose words of a set each of these conditions tells."""
_OPENED_TYPE, _JOINED_TYPE = "session_opened", "participant_joined"


def conditions_of(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """By run, what was run: words by key, without what is not known."""
    run_of = dict(_looked_at(runs).values_list("pk", "run"))
    told = _told_by_logs(runs, run_of)
    played, spent = _playing_conditions(runs), _spending_conditions(runs)
    digests, scored = tasks_digests(runs), _scoring(run_of)
    conditions = {
        run.pk: _set_up(run)
        | told[run.pk]
        | played[run.pk]
        | spent.get(run.pk, {})
        | {
            "tasks_digest": digests.get(run.pk, ""),
            "toolset": suite_named(run.suite).play.toolset,
            "scoring": scored.get(run.pk, ""),
        }
        for run in runs
    }
    return {
        pk: {key: words for key in conditions_in([own]) if (words := own.get(key))}
        for pk, own in conditions.items()
    }


def _set_up(run: Run) -> dict[str, str]:
    """As the run says of itself. An agent over a model is called by its scaffold."""
    setup, sandbox, cast = run.setup, run.setup.get("sandbox", {}), cast_of(run)
    models = {key: model_words(setup.get(key)) for key in ("agent_model", "user_model", "simulator_model")}
    prompts = {key: set_words(setup.get("prompt_set"), role) for key, role in _PROMPTS_OF.items()}
    models |= prompts
    options = {option_condition(key): str(value) for key, value in run.options.items()}
    return {**cast, **{key: words for key, words in models.items() if words}, **options} | {
        "world": str(setup.get("world") or ""),
        "mode": sandbox.get("mode", ""),
        "cache": sandbox.get("cache") or "",
        "seed": str(run.seed),
        "trials": str(run.trials),
        "created": _minute(run.created_at),
        "commit": setup.get("commit", ""),
    }


def model_words(setup: Mapping[str, Any] | None) -> str:
    """A model, its server and the parameters that it is asked with; "" for none.

    A temperature of None is the role's own. Of an address only the host is told: a report is given to others.
    """
    if not setup:
        return ""
    told = ((key, setup.get(key)) for key in SETUP_FIELDS)
    own = [
        f"{key} {value}" for key, value in told if value is not None and value is not False and value != ""
    ]
    host = urlsplit(setup.get("base_url", "")).hostname or ""
    return ", ".join([f"{setup.get('model', '')} ({setup.get('name', '')})", *([host] if host else []), *own])


def _minute(at: Any) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else ""


def _playing_conditions(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """When the sessions were played, and of which tasks."""
    own = Session.objects.filter(run__in=runs).order_by()
    times = own.values_list("run").annotate(Min("started_at"), Max("finished_at"))
    conditions = {pk: {"started": _minute(first), "finished": _minute(last)} for pk, first, last in times}
    named = own.values_list("run", "task__collection__name").annotate(n=Count("task", distinct=True))
    for pk, collection, n in named.order_by("task__collection__name"):
        before = conditions[pk].get("collection")
        conditions[pk]["collection"] = f"{f'{before}, ' if before else ''}{collection} ({n})"
    return {run.pk: conditions.get(run.pk, {}) for run in runs}


def tasks_digests(runs: Sequence[Run]) -> dict[str, str]:
    """By run the first 16 digits of the SHA-256 of its tasks: of their ids and definitions, in the order of the ids.

    Two runs have the same if they were played over the same tasks.
    """
    played = Session.objects.filter(run__in=runs).order_by("task__task_id", "task")
    pairs = list(played.values_list("run", "task").distinct())
    texts = played_in(runs).order_by().annotate(text=Cast("definition", TextField()))
    parts = {
        pk: sha256(f"{name}\n{text}\n".encode()).digest()
        for pk, name, text in texts.values_list("pk", "task_id", "text").iterator()
    }
    digests = {run.pk: sha256() for run in runs}
    for run, task in pairs:
        digests[str(run)].update(parts[int(task)])
    return {pk: digest.hexdigest()[:16] for pk, digest in digests.items()}


def _scoring(run_of: Mapping[str, str]) -> dict[str, str]:
    """By run the versions of the code that scored its first and last sessions. run_of: the run of each of these."""
    scores = Score.objects.filter(session__in=run_of).order_by("code_version")
    versions: dict[str, dict[str, None]] = {}
    for session, version in scores.values_list("session", "code_version"):
        versions.setdefault(run_of[session], {})[version] = None
    return {run: ", ".join(filter(None, own)) for run, own in versions.items()}


def _spending_conditions(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """What all models of a run cost, a sum a currency, with requests that nobody knows the cost of."""
    rows = ModelSpending.objects.filter(run__in=runs).order_by("currency").values_list("run", "currency")
    sums: dict[str, list[tuple[str, int, float, int, int]]] = {}
    for pk, *rest in rows.annotate(Sum("tokens"), Sum("cost"), Sum("uncosted"), Sum("unknown")):
        sums.setdefault(pk, []).append(tuple(rest))
    return {pk: _sum_words(own) for pk, own in sums.items()}


def _sum_words(own: Iterable[tuple[str, int, float, int, int]]) -> dict[str, str]:
    rows = list(own)
    costs = [f"{cost:,.4f} {currency}" for currency, _tokens, cost, *_rest in rows if currency]
    uncosted, unknown = sum(row[3] for row in rows), sum(row[4] for row in rows)
    told = [*costs, *([f"{'+ ' if costs else ''}{uncosted} ?"] if uncosted else [])]
    tokens = f"{sum(row[1] for row in rows):,}" + (f" + {unknown} ?" if unknown else "")
    return {"cost": ", ".join(told), "tokens": tokens}


def _told_by_logs(runs: Sequence[Run], run_of: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Hashes of worlds, and versions of prompts by who has them. run_of: the run of each session that is read."""
    rows = Event.objects.filter(session__in=run_of, type__in=(_OPENED_TYPE, _JOINED_TYPE)).order_by(
        "session__started_at", "session", "seq"
    )
    hashes: dict[str, dict[str, None]] = {run.pk: {} for run in runs}
    prompts: dict[str, dict[str, None]] = {run.pk: {} for run in runs}
    for session, type_, payload in rows.values_list("session", "type", "payload"):
        if type_ == _OPENED_TYPE and payload.get("pack_hash"):
            hashes[run_of[session]][payload["pack_hash"]] = None
        elif payload.get("prompts"):
            prompts[run_of[session]][f"{payload['kind']} {payload['prompts']}"] = None
    return {
        run.pk: {"pack_hash": ", ".join(hashes[run.pk]), "prompts": ", ".join(prompts[run.pk])}
        for run in runs
    }


def _looked_at(runs: Sequence[Run]) -> QuerySet[Session]:
    """The first and the last session of each run and language: prompts and worlds may have changed between them."""
    begun = Session.objects.filter(run__in=runs).exclude(started_at=None).order_by()
    ends = begun.values_list("run", "task__language").annotate(Min("started_at"), Max("started_at"))
    moments = {moment for _run, _language, *both in ends for moment in both}
    return begun.filter(started_at__in=moments)


def settings_of(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """What the rows of runs and the worlds of their sessions tell of their conditions, by the id of the run."""
    settings_by_run = {run.pk: _set_up(run) for run in runs}
    hashes: dict[str, list[str]] = {run.pk: [] for run in runs}
    rows = Session.objects.filter(run__in=runs).order_by("pack_hash").values_list("run", "pack_hash")
    for run, pack_hash in rows.distinct():
        hashes[str(run)].append(pack_hash)
    return {pk: own | {"pack_hash": ", ".join(hashes[pk])} for pk, own in settings_by_run.items()}


def conditions_by_key(suite: str) -> Mapping[str, Option]:
    """The options of a benchmark by their keys among the conditions of runs."""
    return {option_condition(option.key): option for option in suite_named(suite).options}


def condition_value_words(key: str, value: str, suite: str) -> str:
    """What a condition's value is called in forms; a value that has no words, such as a name or a hash, as it is.

    suite: the benchmark of the runs.
    """
    if key in (options := conditions_by_key(suite)):
        return option_value(options[key], value)
    words = _VALUE_WORDS.get(key)
    return words(value) if words else value


def unlike_conditions(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The conditions in which each run differs from the first one, by its id."""
    settings = settings_of(runs)
    return {run.pk: unlike([settings[runs[0].pk], settings[run.pk]]) for run in runs}


def condition_name(key: str, suite: str) -> str:
    """What a condition of runs of this benchmark is called; an unknown one as it is."""
    if key in (options := conditions_by_key(suite)):
        return option_name(options[key])
    return str(CONDITION_WORDS.get(key, key))


def condition_words(keys: Iterable[str], suite: str) -> str:
    """What these conditions are called, in one line."""
    return join_items(condition_name(key, suite) for key in keys)
