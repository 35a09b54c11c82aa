from django.db import migrations

import webapp.fields

OLD = {"protocol": "published", "contract": "strict"}
"""The options of all benchmarks until then, and what held where none was named."""
AT_ONCE = 500


def fill_options(apps, schema_editor):
    """What logs, rows and setups say of options comes into one column, and into one entry of setups."""
    sessions = apps.get_model("caravan_sessions", "Session")._base_manager
    contracts = _contracts(apps.get_model("caravan_sessions", "Event").objects)
    filled = []
    for session in sessions.only("pk", "protocol", "suite").iterator(chunk_size=AT_ONCE):
        session.options = {"protocol": session.protocol}
        if session.pk in contracts:
            session.options["contract"] = contracts[session.pk]
        filled.append(session)
        if len(filled) == AT_ONCE:
            sessions.bulk_update(filled, ["options"])
            filled = []
    sessions.bulk_update(filled, ["options"])
    runs = apps.get_model("caravan_sessions", "Run").objects
    for run in runs.only("pk", "setup").iterator():
        runs.filter(pk=run.pk).update(setup=_nest(run.setup))


def _contracts(events):
    """By session, what its log says of the contract; a payload of before says nothing."""
    opened = events.filter(type="session_opened", session__suite="grouptravel").order_by()
    rows = opened.values_list("session_id", "payload").iterator(chunk_size=AT_ONCE)
    return {pk: payload.get("contract", OLD["contract"]) for pk, payload in rows}


def _nest(setup):
    """The options where the protocol stood."""
    if "options" in setup or "protocol" not in setup:
        return setup
    options = {key: setup.get(key, value) for key, value in OLD.items()}
    nested = {}
    for key, value in setup.items():
        if key == "protocol":
            nested["options"] = options
        elif key != "contract":
            nested[key] = value
    return nested


def unfill_options(apps, schema_editor):
    """What an earlier version reads."""
    sessions = apps.get_model("caravan_sessions", "Session")._base_manager
    for pk, options in sessions.values_list("pk", "options").iterator(chunk_size=AT_ONCE):
        sessions.filter(pk=pk).update(protocol=options.get("protocol", OLD["protocol"]))
    runs = apps.get_model("caravan_sessions", "Run").objects
    for run in runs.only("pk", "setup").iterator():
        flat = {}
        for key, value in run.setup.items():
            flat |= value if key == "options" else {key: value}
        runs.filter(pk=run.pk).update(setup=flat)


class Migration(migrations.Migration):
    dependencies = [("caravan_sessions", "0022_turn_values")]

    operations = [
        migrations.AddField("session", "options", webapp.fields.OrderedJSONField(default=dict)),
        migrations.RunPython(fill_options, unfill_options),
    ]
