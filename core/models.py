"""The models of the core app, where Django looks for them."""

from core.jobs.models import Job

__all__ = ["Job"]
