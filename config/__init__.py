"""The composition root: settings, addresses, web server and worker. It may import everything; nobody imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
