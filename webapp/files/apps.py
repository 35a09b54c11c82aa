from django.apps import AppConfig


class FilesConfig(AppConfig):
    name = "webapp.files"
    label = "files"
