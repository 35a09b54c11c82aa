from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "webapp.sessions"
    label = "caravan_sessions"
