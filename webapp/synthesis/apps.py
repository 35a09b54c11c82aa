from django.apps import AppConfig


class SynthesisConfig(AppConfig):
    name = "webapp.synthesis"

    def ready(self) -> None:
        """Tell the pages of endpoints how sets of tasks used them."""
        from webapp.endpoints.selectors import USERS
        from webapp.synthesis.selectors import used_models

        USERS.append(used_models)
