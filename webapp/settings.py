"""Settings of every process. Environment variables alone turn the embedded default into a served installation."""

from __future__ import annotations

import logging
import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from webapp.surroundings import Variables, forget_empty_variables, keep_private

BASE_DIR = Path(__file__).resolve().parent.parent
forget_empty_variables(os.environ)
env = Variables()

CARAVAN_DATA = Path(env.str("CARAVAN_DATA", default=str(BASE_DIR / "var")))
"""Everything that Caravan writes: database, world packs, sockets, the secret key."""
try:
    keep_private(CARAVAN_DATA)
except OSError as error:
    raise ImproperlyConfigured(
        f"CARAVAN_DATA={CARAVAN_DATA} can't be made or written: {error.strerror}. Name a folder of this account's."
    ) from error

ADDRESS_NOTE = CARAVAN_DATA / "run" / "address"
"""Where the launcher of this data folder writes the address that it serves, or last served."""


def _secret_key() -> str:
    """The key from the environment, else one made once and kept for this data folder."""
    if given := env.str("CARAVAN_SECRET_KEY", default=""):
        return str(given)
    path = CARAVAN_DATA / "secret.key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


def _redis_url() -> str:
    """REDIS_URL, else the address that the launcher of this data folder wrote down, else nothing."""
    note = CARAVAN_DATA / "run" / "redis.url"
    return str(env.str("REDIS_URL", default=note.read_text().strip() if note.exists() else ""))


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.list("CARAVAN_OLD_SECRET_KEYS", default=[])
"""Keys of before: what they signed, and links that they gave, are accepted until they are taken out of here."""
DEBUG = env.bool("CARAVAN_DEBUG", default=False)
ALLOWED_HOSTS = env.list("CARAVAN_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CARAVAN_ORIGINS", default=[])

INSTALLED_APPS = [
    *(["daphne"] if DEBUG else []),  # `runserver` then serves sockets too
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "webapp.accounts",
    "webapp.processes",
    "webapp.audits",
    "webapp.jobs",
    "webapp.files",
    "webapp.catalogue",
    "webapp.caches",
    "webapp.endpoints",
    "webapp.prompts",
    "webapp.synthesis",
    "webapp.runs",
    "webapp.sessions",
    "webapp.seats",
    "webapp.plans",
    "webapp.notes",
    "webapp.sets",
    "webapp.cassettes",
    "webapp.people",
    "webapp.judging",
    "webapp.labelling",
    "webapp.repairs",
    "webapp.experiments",
    "webapp.webhooks",
    "webapp.comparisons",
    "webapp.misses",
    "webapp.reports",
    "webapp.tables",
    "webapp.exchange",
    "webapp.api",
    "webapp.watching",
    "worker",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webapp.accounts.access.SigninMiddleware",
    "webapp.accounts.access.no_store_middleware",
    "webapp.accounts.limits.LimitsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "webapp.storage.StorageMiddleware",
    "webapp.audits.middleware.AuditMiddleware",
]

ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "webapp.templating.Templates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
            "loaders": [
                ("django.template.loaders.cached.Loader", ["django.template.loaders.filesystem.Loader"])
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "django.templatetags.static",
                "webapp.templatetags.caravan",
                "webapp.templatetags.marked_words",
                "webapp.templatetags.tables",
            ],
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{CARAVAN_DATA / 'caravan.sqlite3'}")}
EMBEDDED_DATABASE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if not EMBEDDED_DATABASE and DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
    raise ImproperlyConfigured(
        "DATABASE_URL names no database that can be used. It begins with postgres:// or sqlite:///."
    )
if EMBEDDED_DATABASE:
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # The file is read where the system keeps it: to copy all pages of a table of 100,000 rows, 2 MB of them at a
        # time, as SQLite does unless it is told otherwise, took a tenth of the time of its page.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
        f"PRAGMA mmap_size={2**31 - 2**16}; PRAGMA cache_size={-16 * 2**10};",
        **DATABASES["default"].get("OPTIONS", {}),
    }
    DATABASES["default"]["CONN_MAX_AGE"] = 30  # to open one takes longer than most of what is read by it
    DATABASES["default"]["TEST"] = {"NAME": str(CARAVAN_DATA / "test.sqlite3")}
else:
    from webapp.arrays import send_arrays_quickly  # which loads psycopg

    send_arrays_quickly()
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = (
        True  # a pool would hand out what a restarted server has closed
    )
    # Nobody waits long for a row, and who holds rows and does nothing (a frozen worker) loses its connection.
    DATABASES["default"]["OPTIONS"] = {
        "options": "-c lock_timeout=5s -c idle_in_transaction_session_timeout=15s",
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }
    # More than a worker has threads: its keeper of leases and its sweeper must never wait for a session's connection.
    if pool_size := env.int("CARAVAN_DB_POOL", default=24):
        DATABASES["default"]["OPTIONS"]["pool"] = {"max_size": pool_size}
CARAVAN_REQUESTS = env.int("CARAVAN_REQUESTS", default=6 if EMBEDDED_DATABASE else 16)
"""Requests that a web process works on at once: fewer than it may have database connections. Over SQLite nobody waits
for a server: more threads than the processor has work for only take it from each other.
"""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = _redis_url()


def _database_of(url: str, number: int, socket_scheme: str) -> str:
    """The URL of one logical database; a private socket is written `unix:///path`."""
    if url.startswith("unix://"):
        path = url.removeprefix("unix://").split("?")[0]
        parameter = "virtual_host" if socket_scheme == "redis+socket" else "db"
        return f"{socket_scheme}://{path}?{parameter}={number}"
    return url


CELERY_BROKER_URL = _database_of(REDIS_URL, 0, "redis+socket") if REDIS_URL else "memory://"
COUNTERS_URI = REDIS_URL.replace("unix://", "redis+unix://", 1) or "memory://"
"""Where processes count together, for the `limits` library."""
CARAVAN_LIMITS = env.str("CARAVAN_LIMITS", default="")
"""How often an account may ask for what costs, where it is not as `webapp.accounts.limits` has it."""
CHANNEL_LAYERS = (
    {
        "default": {
            "BACKEND": "webapp.sockets.GroupLayer",
            "CONFIG": {"hosts": [_database_of(REDIS_URL, 1, "unix")], "prefix": "caravan"},
        }
    }
    if REDIS_URL
    else {}
)

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "signin"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_NAME = "caravan_session"
CSRF_COOKIE_NAME = "caravan_csrf"
CSRF_COOKIE_HTTPONLY = True
BEHIND_PROXY = env.bool("CARAVAN_HTTPS", default=False)
"""A proxy in front ends TLS, and passes on the scheme and the address that asks."""
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = env.int("CARAVAN_HSTS", default=30 * 24 * 60 * 60)
    """For so long browsers that were here over HTTPS come by nothing else; 0 asks for nothing."""

CARAVAN_PACKS = env.str("CARAVAN_PACKS", default="")
"""The store of world packs and caches for hosts without a shared disk: an address for fsspec, or `database`; "" for
none."""

CARAVAN_ARCHIVE_AFTER = env.int("CARAVAN_ARCHIVE_AFTER", default=0)
"""Days after which what tools answered in ended sessions goes into files; 0 for never."""
CARAVAN_RETENTION_DAYS = env.int("CARAVAN_RETENTION_DAYS", default=0)
"""Days for which data of people is kept where their study says nothing; 0 for ever."""

CARAVAN_QUEUES = env.list("CARAVAN_QUEUES", default=[])
"""The queues that a worker takes jobs from, by `webapp.jobs.pools.Queue`; [] for all."""

CARAVAN_MODEL_HOSTS = [host.lower() for host in env.list("CARAVAN_MODEL_HOSTS", default=[])]
"""Hosts that models may be at: names, addresses, either with a port, `.example.com` for all below it; [] for any."""

CARAVAN_WEBHOOK_HOSTS = [host.lower() for host in env.list("CARAVAN_WEBHOOK_HOSTS", default=[])]
"""Hosts that webhooks may be at whatever their addresses are, in the same form; all others must be public."""

CARAVAN_METRICS_TOKEN = env.str("CARAVAN_METRICS_TOKEN", default="")
"""What Prometheus sends to be told the metrics; without it only this machine is."""

CARAVAN_AUDIT_DAYS = env.int("CARAVAN_AUDIT_DAYS", default=730)
"""Days for which it is kept who saw personal data; 0 for ever."""

CARAVAN_TILES = env.str("CARAVAN_TILES", default="")
"""The address of map tiles, with {z}, {x} and {y}; "" for maps without tiles, which ask nobody."""
CARAVAN_TILES_CREDIT = env.str("CARAVAN_TILES_CREDIT", default="")
"""Whom the maps name for the tiles."""


def _origin(address: str) -> list[str]:
    """The server of an address, as the content policy names it; {s} stands for any name before the domain."""
    parts = urlsplit(address.replace("{s}", "*"))
    if not address:
        return []
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ImproperlyConfigured("CARAVAN_TILES must begin with http:// or https:// and name a server")
    return [f"{parts.scheme}://{parts.netloc}"]


CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", *_origin(CARAVAN_TILES)],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # other hosts below the domain are not ours to promise HTTPS for
    "security.W008",  # the proxy that ends TLS sends browsers to it; what comes past the proxy asks for /health
    "security.W021",  # nor is the domain ours to enter into browsers' lists
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "caravan_language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = BEHIND_PROXY
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("CARAVAN_TIME_ZONE", default="UTC")

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = CARAVAN_DATA / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True

DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
"""Of any request's body; the largest form takes the ids of tasks."""

CARAVAN_LOG_FORMAT = env.str("CARAVAN_LOG_FORMAT", default="plain")
"""How logs are written: `plain`, or `json` for programs that collect them."""
if CARAVAN_LOG_FORMAT not in ("plain", "json"):
    raise ImproperlyConfigured(
        f"CARAVAN_LOG_FORMAT is “{CARAVAN_LOG_FORMAT}”: set it to plain or json, or leave it out"
    )
logging.captureWarnings(CARAVAN_LOG_FORMAT == "json")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "webapp.logs.JsonFormatter"},
    },
    "filters": {"no_tokens": {"()": "webapp.accounts.redaction.TokenFilter"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": CARAVAN_LOG_FORMAT,
            "filters": ["no_tokens"],
        },
        "counter": {"class": "webapp.counters.ErrorCounter", "level": "ERROR"},
    },
    "root": {"handlers": ["stderr", "counter"], "level": env.str("CARAVAN_LOG", default="INFO")},
    "loggers": {
        "django.channels.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        "faiss.loader": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}

CARAVAN_EMBEDDINGS = {
    "url": env.str("CARAVAN_EMBEDDINGS_URL", default=""),
    "model": env.str("CARAVAN_EMBEDDINGS_MODEL", default=""),
    "key_variable": env.str("CARAVAN_EMBEDDINGS_KEY_VARIABLE", default="CARAVAN_EMBEDDINGS_KEY"),
    "dimension": env.int("CARAVAN_EMBEDDINGS_DIMENSION", default=0),
    "batch": env.int("CARAVAN_EMBEDDINGS_BATCH", default=64),
}
"""The OpenAI-compatible embeddings endpoint. dimension: 0 asks the endpoint. batch: texts a request."""
