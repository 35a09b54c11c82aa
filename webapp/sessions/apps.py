from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "webapp.sessions"
    label = "caravan_sessions"

    def ready(self) -> None:
        """Tell the pages of endpoints how sessions used them."""
        from webapp.endpoints.selectors import USERS
        from webapp.sessions.selectors import used_models

        USERS.append(used_models)
