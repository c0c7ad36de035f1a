from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class CurationConfig(AppConfig):
    name = "curation"

    def ready(self) -> None:
        from curation import checks, guards, jobs  # noqa: F401  (registers checks, guards and kinds of jobs)
        from curation.database_guards import drop_guards_before_migrating, install_guards_after_migrating
        from curation.publishing import annexes
        from curation.services.release_annexes import stored_annexes

        annexes.register("curation", stored_annexes)
        # On SQLite a table rebuild fails while a trigger names the table, so guards do not live in migrations.
        pre_migrate.connect(drop_guards_before_migrating, sender=self)
        post_migrate.connect(install_guards_after_migrating, sender=self)
