"""All settings, from environment variables. docs/deploy.md lists them; config/environment.py refuses wrong ones."""

import re
from pathlib import Path
from typing import Any

import environ

from config import environment as env
from config.databases import configure_database
from config.logs import configure as configure_logs

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = env.folder("TOUCHSTONE_VAR", BASE_DIR / "var")
FIXTURES = BASE_DIR / "fixtures"
VERSION = (re.search(r"^## \[?(\d+\.\d+\.\d+)", (BASE_DIR / "CHANGELOG.md").read_text(), re.M) or ["", "0.0.0"])[1]

MODE = env.choice("TOUCHSTONE_MODE", "embedded", ("embedded", "production"))
PRODUCTION = MODE == "production"
DEBUG = env.flag("DEBUG", False)
if PRODUCTION and DEBUG:
    raise env.WrongSetting("DEBUG is true in production. Unset it.")
SECRET_KEY = env.text("SECRET_KEY") if PRODUCTION else env.text("SECRET_KEY", "") or env.local_secret(VAR)
if PRODUCTION and len(SECRET_KEY) < 50:
    raise env.WrongSetting("SECRET_KEY is shorter than 50 characters. Make one: openssl rand -base64 60")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1]")
if not ALLOWED_HOSTS:
    raise env.WrongSetting("ALLOWED_HOSTS is not set. Name the host names this server answers to, separated by commas.")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
HTTPS = env.flag("HTTPS", PRODUCTION)
SITE_URL = env.site_url("SITE_URL", ALLOWED_HOSTS if PRODUCTION else [], https=HTTPS)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "ui",
    "accounts",
    "core",
    "curation",
    "generation",
    "annotation",
    "evaluation",
    "config.apps.ConfigConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",  # config/admin.py says what it shows
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "config.middleware.RequestIdMiddleware",
    "config.middleware.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.PlainTextMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.locales.ReaderLocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.NullCharacterMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "core.idempotency.middleware.IdempotencyMiddleware",
    "accounts.second_factor.SecondFactorMiddleware",
    "config.middleware.DomainErrorMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n", "core.templatetags.texts"],  # every page is translated
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
                "ui.navigation.navigation",
                "core.help.context.help_for",
                "core.notifications.context.inbox",
            ],
        },
    }
]
FORM_RENDERER = "ui.forms.TouchstoneRenderer"

# --- database -----------------------------------------------------------------------------------------------------
SQLITE_DEFAULT = f"sqlite:///{VAR / 'touchstone.sqlite3'}"
DATABASE_URL = env.url("DATABASE_URL", None if PRODUCTION else SQLITE_DEFAULT, env.DATABASE_SCHEMES)
DATABASES = {"default": configure_database(DATABASE_URL, keep_seconds=env.number("DATABASE_CONN_MAX_AGE", 300))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background work ----------------------------------------------------------------------------------------------
SPOOL = VAR / "spool"
BROKER_URL = env.url("BROKER_URL", None if PRODUCTION else "filesystem://", env.BROKER_SCHEMES)
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = env.spool_options(SPOOL) if BROKER_URL.startswith("filesystem") else {}
QUEUE_PREFIX = env.text("QUEUE_PREFIX", "")  # several instances may share one broker
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = QUEUE_PREFIX + "light"
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
JOB_LEASE_SECONDS = env.number("JOB_LEASE_SECONDS", 60, least=2)
JOB_SWEEP_SECONDS = env.number("JOB_SWEEP_SECONDS", 15, least=1)
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "core.sweep_jobs", "schedule": float(JOB_SWEEP_SECONDS)},
    "deliver-messages": {"task": "core.deliver_messages", "schedule": 4 * float(JOB_SWEEP_SECONDS)},
    "refresh-followed-indexes": {"task": "curation.refresh_followed", "schedule": 6 * 3600.0},
    "queue-digests": {"task": "core.queue_digests", "schedule": 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")

# Counts of requests. Several web processes need a cache they share, or each counts for itself.
CACHE_URL = env.url("CACHE_URL", "locmemcache://", env.CACHE_SCHEMES)
CACHES = {"default": environ.Env.cache_url_config(CACHE_URL)}
if CACHE_URL.startswith("redis"):
    CACHES["default"]["BACKEND"] = "config.caches.SteadyRedisCache"

# --- people -------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapters.InvitationOnlyAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = env.choice("EMAIL_VERIFICATION", "optional", ("none", "optional", "mandatory"))
ACCOUNT_RATE_LIMITS = {"login_failed": None}  # counted in the database, see below; a cache can be lost
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = env.number("CONFIRM_AGAIN_AFTER_SECONDS", 900, least=30)
ACCOUNT_FORMS = {
    "change_password": "accounts.sign_in_forms.NewPasswordForm",
    "reset_password": "accounts.sign_in_forms.ResetForm",
}
MFA_FORMS = {
    "authenticate": "accounts.sign_in_forms.CodeForm",
    "reauthenticate": "accounts.sign_in_forms.ConfirmingCodeForm",
    "add_webauthn": "accounts.sign_in_forms.NewPasskeyForm",
    "login_webauthn": "accounts.sign_in_forms.PasskeyLoginForm",
    "authenticate_webauthn": "accounts.sign_in_forms.PasskeyForm",
    "reauthenticate_webauthn": "accounts.sign_in_forms.ConfirmingPasskeyForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Touchstone] "
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers take http:// only from this machine (localhost)
MFA_ALLOW_UNVERIFIED_EMAIL = True  # accounts are made by invitation, and where no mail is sent none is confirmed
MFA_TOTP_ISSUER = "Touchstone"
SECOND_FACTOR_ROLES = env.words(
    "SECOND_FACTOR_ROLES", allowed=("annotator", "expert", "evaluator", "maintainer", "administrator")
)
SOCIALACCOUNT_PROVIDERS = env.single_sign_on()
SOCIALACCOUNT_ONLY = False
SOCIALACCOUNT_ADAPTER = "accounts.adapters.InvitedSingleSignOnAdapter"
# The provider is the operator's own: an address it has confirmed opens the account with that address.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = bool(SOCIALACCOUNT_PROVIDERS)
# Failures are counted in the database (accounts/services/sign_in.py): per account and per address, over all processes.
SIGN_IN_FAILURE_LIMIT = env.number("SIGN_IN_FAILURE_LIMIT", 5, least=1)
AXES_HANDLER = "accounts.sign_in.SignInHandler"
AXES_USERNAME_CALLABLE = "config.addresses.account_of"
AXES_CLIENT_IP_CALLABLE = "config.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "accounts.sign_in.locked_page"
AXES_VERBOSE = False
EMAIL_FILES = f"filemail:///{VAR / 'mail'}"
EMAIL_URL = env.text("EMAIL_URL", "") or ("" if PRODUCTION else EMAIL_FILES)
EMAIL_TIMEOUT = 10
vars().update(environ.Env.email_url_config(EMAIL_URL or EMAIL_FILES))
if not EMAIL_URL and ACCOUNT_EMAIL_VERIFICATION == "mandatory":
    raise env.WrongSetting("EMAIL_VERIFICATION is mandatory, but EMAIL_URL is not set. Set it, or use optional.")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "touchstone@localhost")

# --- pages --------------------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("hi", "हिन्दी"),
    ("hi-latn", "Hindi (Latin)"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt", "Português"),
    ("zh-hans", "中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "touchstone_language"
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = env.text("TIME_ZONE", "UTC")
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(VAR / "static")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_MAX_AGE = 3600
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static_files.HashedFiles"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
MEDIA_ROOT = VAR / "uploads"
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = env.flag("BEHIND_PROXY", False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
ALLAUTH_TRUSTED_PROXY_COUNT = int(BEHIND_PROXY)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SESSION_COOKIE_NAME = env.text("SESSION_COOKIE_NAME", "touchstone_session")
CSRF_FAILURE_VIEW = "config.views.csrf_failure"

# --- API ----------------------------------------------------------------------------------------------------------
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.permissions.ScopedReadOnlyOrAuthenticated"],
    "DEFAULT_PARSER_CLASSES": [
        "accounts.api.parsers.JSONParser",
        "accounts.api.parsers.FormParser",
        "accounts.api.parsers.MultiPartParser",
    ],
    "DEFAULT_PAGINATION_CLASS": "config.api_pages.Pages",
    "PAGE_SIZE": 100,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.text("API_RATE_ANONYMOUS", "60/min"),
        "user": env.text("API_RATE_USER", "3000/min"),
    },
    "NUM_PROXIES": int(BEHIND_PROXY),  # addresses in X-Forwarded-For are believed only where a proxy writes them
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "config.api_errors.problem_response",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": "Functional test suites for hate-speech detection models: curate, annotate, release, evaluate.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "WorkStateEnum": "core.jobs.models.JobState",
        "HappeningEnum": "core.notifications.models.Happening",
        "AdjudicationEnum": "annotation.agreement.models.Decision",
        "CampaignStateEnum": "annotation.campaigns.models.CampaignState",
        "ItemSourceEnum": "annotation.campaigns.models.Source",
        "ConsequenceEnum": "annotation.labelling.quality_rules.CONSEQUENCES",
        "OriginEnum": "curation.cases.models.Origin",
        "RoleEnum": "accounts.models.RoleName",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api_docs.describe_idempotency_keys",
        "config.api_docs.describe_bodies_as_json",
    ],
}

# --- domain -------------------------------------------------------------------------------------------------------
KNOWN_LANGUAGES = "config.languages.known_languages"
SECOND_MAINTAINER_PUBLISHES = env.flag("SECOND_MAINTAINER_PUBLISHES", False)
SIGNING_KEY_FILE = env.text("SIGNING_KEY_FILE", "")  # exports of releases are signed with it
ALLOWED_MODEL_HOSTS = env.words("ALLOWED_MODEL_HOSTS", "127.0.0.1,localhost")
ALLOWED_WEBHOOK_HOSTS = env.words("ALLOWED_WEBHOOK_HOSTS")  # where webhooks may be sent; nowhere if empty
ALLOWED_HUB_HOSTS = env.words("ALLOWED_HUB_HOSTS")  # where releases may be published; nowhere if empty
HUGGINGFACE_URL = env.url("HUGGINGFACE_URL", "https://huggingface.co", {"http", "https"})
HUGGINGFACE_TOKEN = env.text("HUGGINGFACE_TOKEN", "")
HUGGINGFACE_OWNER = env.text("HUGGINGFACE_OWNER", "")  # the person or organisation that data sets belong to
ZENODO_URL = env.url("ZENODO_URL", "https://zenodo.org", {"http", "https"})
ZENODO_TOKEN = env.text("ZENODO_TOKEN", "")
ALLOWED_COMMAND_MODELS = env.words("ALLOWED_COMMAND_MODELS")
MODEL_DEVICE = env.pattern("MODEL_DEVICE", "auto", r"auto|cpu|cuda(:\d+)?", "auto, cpu, cuda or cuda:1")
MODEL_FOLDERS = env.words("MODEL_FOLDERS")  # where local models may lie; anywhere if empty
MODEL_HUB = env.flag("MODEL_HUB", True)
OWN_VARIABLES = env.ASKED  # a description of a model may name a secret of its service, never one of ours
EVALUATION_HELPERS = env.number("EVALUATION_HELPERS", 3, most=100)
SUPPORT_LINKS = env.text("SUPPORT_LINKS", "")

# --- logs ---------------------------------------------------------------------------------------------------------
LOGGING_CONFIG = None
configure_logs(level=env.text("LOG_LEVEL", "INFO"), as_json=env.flag("LOG_JSON", PRODUCTION))
