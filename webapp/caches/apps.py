from django.apps import AppConfig


class CachesConfig(AppConfig):
    name = "webapp.caches"
    label = "caches"
