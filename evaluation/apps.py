from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from curation.publishing import annexes
        from curation.releases.extensions import register_lineage
        from evaluation import guards, jobs, search  # noqa: F401  (registers guards and kinds of jobs)
        from evaluation.attacks import jobs as attack_jobs  # noqa: F401
        from evaluation.lineage import model_results
        from evaluation.splits import jobs as split_jobs  # noqa: F401
        from evaluation.splits.releases import split_annexes
        from evaluation.training import jobs as training_jobs  # noqa: F401

        register_lineage("evaluation", model_results, order=20)
        annexes.register_copied("evaluation", split_annexes)
        search.register()
