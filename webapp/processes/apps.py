from django.apps import AppConfig


class ProcessesConfig(AppConfig):
    name = "webapp.processes"
    label = "processes"
