from django.apps import AppConfig


class CassettesConfig(AppConfig):
    name = "webapp.cassettes"
    label = "cassettes"
