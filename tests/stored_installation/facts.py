"""What an installation holds and shows, as values that no change of the code's structure may alter.

`facts` runs inside an installation: when a stored one is made, and again in the tests that open it.
"""

from __future__ import annotations

import hashlib
import json
from io import StringIO
from typing import Any

Json = dict[str, Any]


def digest(value: Any) -> str:
    """Of the value as canonical JSON."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def facts() -> Json:
    """Of all sessions, by id, of all runs, by name, and of the pages that show them."""
    from webapp.sessions.models import Run, Session

    sessions = Session.objects.order_by("pk")
    return {
        "sessions": {session.pk: _session(session) for session in sessions},
        "runs": {run.name: _run(run.pk) for run in Run.objects.order_by("name")},
        "pages": pages(),
    }


def scores() -> Json:
    """Of all sessions, by id, what `facts` tells of their scores."""
    from webapp.sessions.models import Session

    return {session.pk: _scores(session) for session in Session.objects.order_by("pk")}


def _scores(session: Any) -> Json:
    from webapp.sessions.selectors import scores_of

    return {profile: _figures(score) for profile, score in sorted(scores_of(session).items())}


def _session(session: Any) -> Json:
    from webapp.sessions.log import whole_log
    from webapp.sessions.scoring import record_of

    log = whole_log(session.pk)
    kinds: dict[str, int] = {}
    for event in log:
        kinds[event.body.type] = kinds.get(event.body.type, 0) + 1
    return {
        "status": session.status,
        "reason": session.completion_reason,
        "events": kinds,
        "bodies": digest([[event.seq, event.body.type, _body_facts(event.body)] for event in log]),
        "record": digest(record_of(session)),
        "scores": _scores(session),
        "verdicts": _verdicts(session),
    }


def _body_facts(body: Any) -> Json:
    """A body without what events have named since the installation was stored, if it is what went without saying."""
    told: Json = body.model_dump(mode="json")
    if body.type == "session_opened":
        told |= told.pop("options")
    if body.type == "session_opened" and told.get("suite") == "grouptravel":
        del told["suite"]
    return told


def _figures(score: Any) -> Json:
    from benchmark.metrics import of_rules
    from benchmark.suites import DEFAULT_SUITE, metrics_of
    from webapp.sessions.selectors import values_in

    values = values_in(score)
    figures = {
        metric.key: metric.plain(values.get(metric.key)) for metric in of_rules(metrics_of(DEFAULT_SUITE))
    }
    return {**figures, "all": digest(score.figures)}


def _verdicts(session: Any) -> list[Json]:
    from webapp.judging.models import Judgement

    rows = Judgement.objects.filter(session=session).order_by("batch__created_at", "pk")
    return [{"status": row.status, "ratings": row.ratings, "score": row.score} for row in rows]


def _run(run: str) -> Json:
    from django.core.management import call_command

    told: Json = {}
    for profile in ("published", "paper"):
        out = StringIO()
        call_command("report", run, "--profile", profile, "--format", "json", stdout=out)
        report = json.loads(out.getvalue())
        told[profile] = {name: digest(part) for name, part in sorted(report["parts"].items())}
    return told


def pages() -> Json:
    """The status of each page over what is stored, for a researcher."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from webapp.sessions.models import Run, Session

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(get_user_model()._default_manager.get(username="researcher"))
    tabs = ("preferences", "tools", "models", "plan", "scores", "judge")
    addresses = ["/", "/sessions/", "/runs/", "/reports/", "/judging/", "/tasks/", "/caches/", "/models/"]
    addresses += [
        f"/sessions/{pk}/?tab={tab}" for pk in Session.objects.values_list("pk", flat=True) for tab in tabs
    ]
    for run in Run.objects.values_list("pk", flat=True):
        addresses += [f"/runs/{run}/", f"/reports/?runs={run}"]
    return {address: client.get(address).status_code for address in addresses}
