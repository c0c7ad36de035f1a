from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import checks  # noqa: F401  (registers the checks)
        from core.guards import drop_guards_before_migrating, install_guards_after_migrating
        from core.help.chapters import find_chapters
        from core.reader import READER
        from core.search.finding import register_search
        from core.text import _, use_language

        use_language(READER)
        register_search(_("Help"), find_chapters, order=90)
        # On SQLite a table rebuild fails while a trigger names the table, so guards do not live in migrations.
        pre_migrate.connect(drop_guards_before_migrating, sender=self)
        post_migrate.connect(install_guards_after_migrating, sender=self)
