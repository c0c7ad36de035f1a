from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import guards, jobs  # noqa: F401  (registers guards and kinds of jobs)
        from annotation.lineage import votes_and_decisions
        from annotation.services.importing_labels import take_in_labels
        from curation.label_intake import register_intake
        from curation.lineage_sources import register_lineage

        register_intake(take_in_labels)
        register_lineage("annotation", votes_and_decisions, order=10)
