from django.apps import AppConfig


class GenerationConfig(AppConfig):
    name = "generation"

    def ready(self) -> None:
        from curation.bundles.parts import register_parts
        from curation.releases.extensions import register_lineage
        from generation import guards, jobs  # noqa: F401  (registers guards and kinds of jobs)
        from generation.bundles import PARTS
        from generation.lineage import how_it_was_written

        register_parts(*PARTS)
        register_lineage("generation", how_it_was_written, order=5)
