from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import guards, jobs  # noqa: F401  (registers guards and kinds of jobs)
        from annotation.annexes import label_annexes
        from annotation.facts import facts_about_labels
        from annotation.lineage import votes_and_decisions
        from annotation.services.importing_labels import imported_labels, take_in_labels
        from curation.label_intake import register_intake, register_source
        from curation.lineage_sources import register_lineage
        from curation.publishing import annexes
        from curation.release_facts import register_facts

        register_intake(take_in_labels)
        register_source(imported_labels)
        register_facts("annotation", facts_about_labels)
        annexes.register("annotation", label_annexes)
        register_lineage("annotation", votes_and_decisions, order=10)
