from django.apps import AppConfig


class CurationConfig(AppConfig):
    name = "curation"

    def ready(self) -> None:
        from curation import guards, jobs, search  # noqa: F401  (registers guards and kinds of jobs)
        from curation.publishing import annexes
        from curation.releases.annexes import stored_annexes

        annexes.register("curation", stored_annexes)
        search.register()
