from django.apps import AppConfig


class ComparisonsConfig(AppConfig):
    name = "webapp.comparisons"
    label = "comparisons"
