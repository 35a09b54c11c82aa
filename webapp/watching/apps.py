from importlib import import_module

from django.apps import AppConfig


class WatchingConfig(AppConfig):
    name = "webapp.watching"
    label = "watching"

    def ready(self) -> None:
        """Make the checks of the configuration known to `manage.py check --deploy`."""
        import_module("webapp.watching.checks")
