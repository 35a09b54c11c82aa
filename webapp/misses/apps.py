from django.apps import AppConfig


class MissesConfig(AppConfig):
    name = "webapp.misses"
    label = "misses"
