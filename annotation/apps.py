from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import guards, jobs, search  # noqa: F401  (registers guards and kinds of jobs)
        from annotation.agreement.release_groups import labels_by_group
        from annotation.annexes import label_annexes
        from annotation.bundles import GUIDELINES
        from annotation.facts import facts_about_labels
        from annotation.labels.imported import imported_labels, take_in_labels
        from annotation.lineage import votes_and_decisions
        from annotation.people.models import SUBJECTS_ABOUT_PEOPLE
        from curation.bundles.parts import register_parts
        from curation.importing.label_intake import register_intake, register_source
        from curation.publishing import annexes
        from curation.releases.extensions import register_facts, register_lineage
        from curation.releases.group_labels import register_group_labels

        register_parts(GUIDELINES)
        register_intake(take_in_labels)
        register_source(imported_labels)
        register_facts("annotation", facts_about_labels)
        annexes.register("annotation", label_annexes)
        register_group_labels(labels_by_group, SUBJECTS_ABOUT_PEOPLE)
        register_lineage("annotation", votes_and_decisions, order=10)
        search.register()
