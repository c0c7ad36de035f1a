from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from evaluation import guards  # noqa: F401  (registers the guards)
        from evaluation import jobs  # noqa: F401  (registers the kinds of jobs)
