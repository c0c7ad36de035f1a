from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Holds the commands that start the whole product and the checks over it."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401
        from config.translations.compiling import compile_catalogues

        compile_catalogues()
