from django.apps import AppConfig


class MissesConfig(AppConfig):
    name = "webapp.misses"
    label = "misses"

    def ready(self) -> None:
        """Add to pages of endpoints how they were asked to name groups."""
        from webapp.endpoints.selectors import USERS
        from webapp.misses.naming import used_models

        USERS.append(used_models)
