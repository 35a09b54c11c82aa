from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "webapp.jobs"
    label = "jobs"

    def ready(self) -> None:
        """Read the kinds of jobs that the installed apps declare in their `jobs` modules."""
        autodiscover_modules("jobs")
