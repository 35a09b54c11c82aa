"""The shipped tasks were made for the shipped world; tasks that stand here already can be searched."""

from django.db import migrations

STARTER = "starter"


def name_the_starter_world(apps, schema_editor):
    world = apps.get_model("catalogue", "World").objects.filter(name=STARTER).first()
    if world is not None:
        apps.get_model("catalogue", "TaskCollection").objects.filter(name=STARTER, world=None).update(world=world)


def write_search_texts(apps, schema_editor):
    tasks = apps.get_model("catalogue", "Task").objects
    columns = ("pk", "task_id", "cities", "departure_date", "archetype", "difficulty")
    for pk, task_id, cities, *others in tasks.values_list(*columns).iterator():
        tasks.filter(pk=pk).update(found_by=" ".join(map(str, [task_id, *cities, *others])).lower()[:500])


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0002_worlds_of_collections")]

    operations = [
        migrations.RunPython(name_the_starter_world, migrations.RunPython.noop),
        migrations.RunPython(write_search_texts, migrations.RunPython.noop),
    ]
