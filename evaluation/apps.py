from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from curation.lineage_sources import register_lineage
        from curation.publishing import annexes
        from evaluation import (
            guards,  # noqa: F401  (registers the guards)
            jobs,  # noqa: F401  (registers the kinds of jobs)
            jobs_attacks,  # noqa: F401
            jobs_splits,  # noqa: F401
            jobs_training,  # noqa: F401
        )
        from evaluation.annexes import split_annexes
        from evaluation.lineage import model_results

        register_lineage("evaluation", model_results, order=20)
        annexes.register_copied("evaluation", split_annexes)
