"""Give the sessions that are stored the seats that their logs record, in batches that each are a transaction."""

from collections import defaultdict

from django.db import migrations, transaction

BATCH = 1_000
"""Sessions whose seats are stored at once."""
OPENING = 20
"""Those who take seats do so among the first events, behind the opening."""
ROLES = {"Agent": "agent", "Simulator": "simulator"}


def fill(apps, schema_editor):
    """A second run, after one that was broken off, fills in what is left."""
    database = schema_editor.connection.alias
    sessions = apps.get_model("caravan_sessions", "Session").objects.using(database)
    missing = list(sessions.filter(seats=None).order_by().values_list("pk", flat=True))
    for begin in range(0, len(missing), BATCH):
        with transaction.atomic(database):
            _fill_some(apps, database, missing[begin : begin + BATCH])


def _fill_some(apps, database, pks):
    seat = apps.get_model("seats", "Seat")
    joined = _joined(apps, database, pks)
    sessions = apps.get_model("caravan_sessions", "Session").objects.using(database)
    columns = ("pk", "task_id", "agent", "users", "agent_model_id", "user_model_id", "simulator_model_id")
    rows = []
    for pk, task, agent, users, agent_model, user_model, simulator in sessions.filter(
        pk__in=pks
    ).values_list(*columns):
        models = {"Agent": agent_model, "Simulator": simulator}
        found = joined[pk] or _by_columns(apps, database, task, agent, users)
        rows += [
            seat(
                session_id=pk,
                place=place,
                name=body["seat"],
                role=ROLES.get(body["seat"], "traveller"),
                kind=body["kind"],
                model_id=models.get(body["seat"], user_model),
                options=body.get("model") or {},
            )
            for place, body in enumerate(found)
        ]
    seat.objects.using(database).bulk_create(rows, batch_size=BATCH)


def _joined(apps, database, pks):
    """The seats of each session as its events have them."""
    events = apps.get_model("caravan_sessions", "Event").objects.using(database)
    found = defaultdict(list)
    own = events.filter(session_id__in=pks, seq__lte=OPENING, type="participant_joined")
    for session, payload in own.order_by("session_id", "seq").values_list("session_id", "payload"):
        found[session].append(payload)
    return found


def _by_columns(apps, database, task, agent, users):
    """The seats of a log from before seats were events."""
    tasks = apps.get_model("catalogue", "Task").objects.using(database)
    names = tasks.values_list("definition", flat=True).get(pk=task).get("user_preferences", {})
    return [{"seat": "Agent", "kind": agent}, *({"seat": name, "kind": users} for name in names)]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("seats", "0001_initial"), ("caravan_sessions", "0013_scoring_is_a_job")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
