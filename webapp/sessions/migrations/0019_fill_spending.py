from django.db import migrations

ENDED = ("finished", "crashed", "stopped")


def fill_spending(apps, schema_editor):
    """What sessions have spent before: of those that have ended as they tell, of the others as their logs do."""
    session = apps.get_model("caravan_sessions", "Session")
    own = session._base_manager.filter(replay_of=None, brought_by=None)
    of_ended = own.filter(status__in=ENDED).exclude(model_use=[])
    for pk, run, uses in of_ended.values_list("pk", "run_id", "model_use").iterator():
        _store(apps, pk, run, [_of_use(use) for use in uses])
    for pk, run, after in own.exclude(status__in=ENDED).values_list("pk", "run_id", "fork_seq").iterator():
        events = apps.get_model("caravan_sessions", "Event").objects.filter(session_id=pk, type="model_called")
        payloads = events.filter(seq__gt=after or 0).values_list("payload", flat=True)
        _store(apps, pk, run, [_of_call(call) for call in payloads])


def _of_use(use):
    """(costs by currency, requests, tokens, unknown, uncosted); a list keeps what several currencies have in common."""
    tokens = use.get("prompt", 0) + use.get("completion", 0)
    return use.get("costs", {}), use.get("calls", 0), tokens, use.get("unknown", 0), use.get("uncosted", 0)


def _of_call(call):
    tokens, cost = call.get("tokens"), call.get("cost")
    unknown = tokens is None and (call.get("outcome", "answered") == "answered" or call.get("answering", False))
    counted = sum(tokens.get(name, 0) for name in ("prompt", "completion")) if tokens else 0
    costs = {} if cost is None else {call.get("currency", ""): cost}
    return costs, 1, counted, int(unknown), int(cost is None and (tokens is not None or unknown))


def _store(apps, session, run, spent):
    """One row a currency; what has none stands in the first."""
    rows = {}
    for costs, requests, tokens, unknown, uncosted in spent:
        for place, (currency, cost) in enumerate(sorted(costs.items()) or [("", 0.0)]):
            row = rows.setdefault(
                currency, {"requests": 0, "tokens": 0, "cost": 0.0, "unknown": 0, "uncosted": 0}
            )
            row["cost"] += cost
            if place == 0:
                row["requests"] += requests
                row["tokens"] += tokens
                row["unknown"] += unknown
                row["uncosted"] += uncosted
    model = apps.get_model("caravan_sessions", "ModelSpending")
    model.objects.bulk_create(
        model(session_id=session, run_id=run, currency=currency, **row) for currency, row in rows.items()
    )


class Migration(migrations.Migration):

    dependencies = [("caravan_sessions", "0018_run_limits")]

    operations = [migrations.RunPython(fill_spending, migrations.RunPython.noop)]
