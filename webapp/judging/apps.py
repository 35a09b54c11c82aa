from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "webapp.judging"
    label = "judging"

    def ready(self) -> None:
        """Tell the pages of endpoints how judges used them."""
        from webapp.endpoints.selectors import USERS
        from webapp.judging.selectors import used_models

        USERS.append(used_models)
