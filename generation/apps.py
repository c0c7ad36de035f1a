from django.apps import AppConfig


class GenerationConfig(AppConfig):
    name = "generation"

    def ready(self) -> None:
        from generation import guards, jobs  # noqa: F401  (registers guards and kinds of jobs)
