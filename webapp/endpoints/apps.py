from django.apps import AppConfig


class EndpointsConfig(AppConfig):
    name = "webapp.endpoints"
    label = "endpoints"
