from django.apps import AppConfig


class SeatsConfig(AppConfig):
    name = "webapp.seats"
    label = "seats"
